/** @jsxRuntime automatic @jsxImportSource preact */
/** Parts of record pages besides nominations: facts, the picture or its replacement, the tally, and links. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isWritable, type ResourceName } from '../../../../api/contract/names.ts';
import { count, initials, joined, span } from '../../shared/format.ts';
import { pagesElsewhere } from '../addresses.ts';
import type { Tally } from '../counts.ts';
import { useInSample } from './page.tsx';
import { usePageContext } from '../page-context.ts';

/** Names and values; facts without a value are left out. */
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

/** undefined for a text that is not an http address, such as one that runs a program. */
function webAddress(text: string | null): URL | undefined {
  if (text === null || !URL.canParse(text)) return undefined;
  const address = new URL(text);
  return /^https?:$/.test(address.protocol) ? address : undefined;
}

/** A link to another site, if the address is valid. */
export function externalLink(address: string | null, text: string): ComponentChildren {
  const href = webAddress(address)?.href;
  return href === undefined ? undefined : (
    <a href={href} rel="noreferrer external">
      {text}
    </a>
  );
}

/**
 * The picture, or `otherwise` if there is none or it may not or cannot be loaded. Another host sees the requests of readers,
 * so the operator must allow it.
 */
function Picture(props: {
  address: string | null;
  kind: 'film' | 'person';
  /** Empty where the heading beside the picture says the same. */
  alt: string;
  otherwise: ComponentChildren;
}) {
  const { address, kind, alt, otherwise } = props;
  const [failed, setFailed] = useState<string>();
  const { imageOrigins } = usePageContext();
  const url = webAddress(address);
  if (!url || !imageOrigins.has(url.origin) || failed === url.href) return otherwise;
  return (
    <img
      class={`picture ${kind}`}
      src={url.href}
      alt={alt}
      width="160"
      height={kind === 'film' ? 240 : 160}
      loading="lazy"
      referrerpolicy="no-referrer"
      onError={() => setFailed(url.href)}
      // It may have failed before the program took the page over.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) setFailed(url.href);
      }}
    />
  );
}

/** The colours of decades repeat after this many. */
const hues = 12;

/** Class with the colour of a year's decade. */
const decadeClass = (year: number | undefined): string =>
  year === undefined ? '' : `hue-${Math.floor(year / 10) % hues}`;

/** Titles of more letters are smaller, so that they fit into a card. */
const sizeClass = (title: string): string =>
  title.length > 60 ? 'small' : title.length > 22 ? 'medium' : 'large';

/** More wins than this are a number beside one star. */
const maxStars = 13;

const stars = (wins: number): string => (wins > maxStars ? `★ ${wins}` : '★'.repeat(wins));

/**
 * The poster, or a card in the colour of the decade with a star for each win.
 * @param props.title left out where the heading beside the card says it
 */
export function TitleCard(props: {
  poster: string | null;
  title?: string;
  above?: string;
  below?: string;
  year: number | undefined;
  wins: number;
}) {
  const { poster, title, above, below, year, wins } = props;
  const card = (
    <span class={`picture film card ${decadeClass(year)}`} aria-hidden={title === undefined}>
      <span class="card-top">
        {above && <span class="card-above">{above}</span>}
        {wins > 0 && (
          <span class="stars" aria-hidden="true">
            {stars(wins)}
          </span>
        )}
      </span>
      {title && (
        <span class={`card-title ${sizeClass(title)}`} dir="auto">
          {title}
        </span>
      )}
      <span class="card-bottom">
        {below && <span>{below}</span>}
        <span class="year">{year}</span>
      </span>
    </span>
  );
  const alt = title === undefined ? '' : joined(title, above, below);
  return <Picture address={poster} kind="film" alt={alt} otherwise={card} />;
}

/** The portrait of a person, or the initials. */
export function Portrait({ address, name }: { address: string | null; name: string }) {
  const card = (
    <div class="picture person" aria-hidden="true">
      {initials(name)}
    </div>
  );
  return <Picture address={address} kind="person" alt="" otherwise={card} />;
}

/** Links to the pages of a film, person or company on other sites. */
export function elsewhere(...ids: Parameters<typeof pagesElsewhere>): ComponentChildren {
  const links = pagesElsewhere(...ids).map(([site, address]) => externalLink(address, site));
  return links.length === 0 ? undefined : links.map((link, i) => [i > 0 && ' · ', link]);
}

/** "13 nominations (1 not official) · 6 wins · 1995–2003"; a film has its year elsewhere. */
export function TallyLine(props: { tally: Tally; isOfFilm?: boolean }) {
  const { nominations, wins, years, unofficial = 0 } = props.tally;
  const inSample = useInSample();
  if (!years) return <p class="tally">No nominations{inSample || ' on record'}.</p>;
  return (
    <p class="tally">
      {count(nominations, 'nomination')}
      {unofficial > 0 && ` (${unofficial} not official)`}
      {wins > 0 && (
        <>
          {' · '}
          <strong class="won">{count(wins, 'win')}</strong>
        </>
      )}
      {!props.isOfFilm && ` · ${span(...years)}`}
      {inSample}
    </p>
  );
}

export function RecordLinks(props: { resource: ResourceName; id: number; children?: ComponentChildren }) {
  const { resource, id, children } = props;
  return (
    <p class="links">
      {children}
      {isWritable(resource) && <a href={`/edit/${resource}/${id}`}>Edit this record</a>}
      <a href={`/api/${resource}/${id}`}>This record as data</a>
    </p>
  );
}
