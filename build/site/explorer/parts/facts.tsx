/** What a record says besides its nominations: facts in a list, a picture or the letters that stand for one, and ways on. */
import type { ComponentChildren } from 'preact';
import { isWritable, type ResourceName } from '../../../../api/contract/names.ts';
import { editHref } from '../addresses.ts';
import type { Tally } from '../entries.ts';
import { count, initials, span } from '../format.ts';

/** Names and values; those without a value are left out. */
export function Facts(props: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  const known = props.facts.filter(([, value]) => Boolean(value));
  if (known.length === 0) return null;
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The address of a page or a picture; undefined for whatever else stands in its place, such as one that runs a program. */
function webAddress(text: string | null): URL | undefined {
  if (text === null || !URL.canParse(text)) return undefined;
  const address = new URL(text);
  return /^https?:$/.test(address.protocol) ? address : undefined;
}

/** A link to another site, undefined where there is none. */
export function elsewhere(address: string | null, text: string): ComponentChildren {
  const href = webAddress(address)?.href;
  return href === undefined ? undefined : (
    <a href={href} rel="noreferrer external">
      {text}
    </a>
  );
}

/** Nothing is loaded from other sites, which would learn who reads what. */
function ownPicture(address: string | null): string | undefined {
  const own = webAddress(address);
  return own?.origin === location.origin ? own.href : undefined;
}

export function Picture(props: { address: string | null; name: string; kind: 'film' | 'person' }) {
  const { address, name, kind } = props;
  const own = ownPicture(address);
  if (own) return <img class={`picture ${kind}`} src={own} alt="" width="160" height="240" loading="lazy" />;
  return (
    <div class={`picture ${kind}`} aria-hidden="true">
      {kind === 'film' ? name : initials(name)}
    </div>
  );
}

/** "13 nominations, 6 wins, 1995". */
export function TallyLine({ tally }: { tally: Tally }) {
  if (!tally.years) return <p class="tally">No nominations on record.</p>;
  return (
    <p class="tally">
      {count(tally.nominations, 'nomination')}
      {tally.wins > 0 && (
        <>
          {' · '}
          <strong class="won">{count(tally.wins, 'win')}</strong>
        </>
      )}
      {` · ${span(...tally.years)}`}
    </p>
  );
}

/** Ways on from a record; categories are the one kind that nobody edits. */
export function RecordLinks(props: { resource: ResourceName; id: number; children?: ComponentChildren }) {
  const { resource, id, children } = props;
  return (
    <p class="links">
      {children}
      {isWritable(resource) && <a href={editHref(resource, id)}>Edit this record</a>}
      <a href={`/api/${resource}/${id}`}>This record as data</a>
    </p>
  );
}
