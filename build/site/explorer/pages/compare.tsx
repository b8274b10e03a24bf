/** @jsxRuntime automatic @jsxImportSource preact */
/** Films or people side by side: their totals, their groups of categories, and the ceremonies that they share. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count, nouns, span, together } from '../../shared/format.ts';
import { useLatest } from '../../shared/hooks.ts';
import { compareHref, type RankedResource, rankingHref, viewOf } from '../addresses.ts';
import {
  type Comparison,
  idsIn,
  jointEntries,
  loadComparison,
  maxRecords,
  type Side,
  sharedCeremonies,
} from '../compare.ts';
import { entriesOf, type Tally, tallyOf } from '../counts.ts';
import { navigate } from '../navigation.ts';
import { usePageContext, usePlace } from '../page-context.ts';
import { Bar, Rows } from '../parts/lists.tsx';
import { recordLink } from '../parts/nominations.tsx';
import { focusHeading, Heading, Section, Shown, useAnswer } from '../parts/page.tsx';
import type { DetailedNomination } from '../record.ts';
import { finder, prepareSearch } from '../search/search.ts';
import { isSearch } from '../search/words.ts';

const plurals = { movies: 'films', nominees: 'people' } as const;

export function ComparePage({ resource }: { resource: RankedResource }) {
  const ids = idsIn(usePlace().query);
  const answer = useAnswer(`compare/${resource}?${ids}`, (reading) => loadComparison(reading, resource, ids));
  return (
    <Shown answer={answer}>{(comparison) => <Content resource={resource} comparison={comparison} />}</Shown>
  );
}

function Content({ resource, comparison }: { resource: RankedResource; comparison: Comparison }) {
  const { sides, unknown, groups } = comparison;
  const many = plurals[resource];
  const ids = sides.map(({ id }) => id);
  const ranking = rankingHref(`top-${resource}`);
  const title = `Compare ${many}`;
  // The link or field that changed the comparison is gone, and the focus with it.
  const shown = useRef(ids.join());
  useLayoutEffect(() => {
    if (shown.current !== ids.join()) focusHeading();
    shown.current = ids.join();
  });
  return (
    <>
      {sides.length > 1 ? (
        <Heading title={together(sides.map(({ label }) => label))} above={title} />
      ) : (
        <Heading title={title} />
      )}
      {unknown.length > 0 && (
        <p class="advice">
          There is no {nouns[resource].one} with the number {together(unknown.map(String))}.
        </p>
      )}
      {sides.length > 0 && <Totals resource={resource} sides={sides} groups={groups} />}
      {sides.length < maxRecords && (
        <RecordPicker
          key={ids.join()}
          resource={resource}
          without={ids}
          hrefOf={(id) => compareHref(resource, [...ids, id])}
        />
      )}
      {sides.length < 2 ? (
        <p>
          Choose at least two {many}, or begin with the <a href={ranking}>ranking</a>.
        </p>
      ) : (
        <SharedCeremonies resource={resource} sides={sides} />
      )}
    </>
  );
}

/**
 * A search for a film or a person; each hit is a link, Enter takes the first. Without a script, the search page answers.
 * @param props.without ids that are not offered
 * @param props.hrefOf where a hit leads
 */
function RecordPicker(props: {
  resource: RankedResource;
  without: readonly number[];
  hrefOf: (id: number) => string;
}) {
  const { resource, without, hrefOf } = props;
  const id = useId();
  const [typed, setTyped] = useState('');
  const context = usePageContext();
  const found = useLatest(typed, async () =>
    isSearch(typed) ? (await finder()).findRecords(await context.reading(), typed) : undefined,
  );
  const hits = found?.value?.groups.flatMap((group) => group.hits) ?? [];
  const rows = hits.flatMap(({ href, ...hit }) => {
    const view = viewOf(href);
    const isOffered = view.kind === 'record' && view.resource === resource && !without.includes(view.id);
    return isOffered ? [{ ...hit, href: hrefOf(view.id) }] : [];
  });
  const isEmpty = isSearch(typed) && found?.key === typed && rows.length === 0;
  return (
    <form
      class="picker"
      action="/search"
      onSubmit={(event) => {
        event.preventDefault();
        if (found?.key === typed && rows[0]) navigate(rows[0].href);
      }}
    >
      <label for={id}>{`Add a ${nouns[resource].one}`}</label>
      <input
        id={id}
        type="search"
        name="q"
        autocomplete="off"
        placeholder={resource === 'movies' ? 'Title of a film' : 'Name'}
        value={typed}
        onFocus={() => void prepareSearch(context).catch(() => {})}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div aria-live="polite">
        {found?.error !== undefined && <p class="hint">The record cannot be read at the moment.</p>}
        {isEmpty && <p class="hint">No {nouns[resource].one} has a name like this.</p>}
        {rows.length > 0 && <Rows rows={rows} />}
      </div>
    </form>
  );
}

interface TotalsProps {
  resource: RankedResource;
  sides: readonly Side[];
  groups: Comparison['groups'];
}

/** A row per total and group of categories, a column per record. */
function Totals({ resource, sides, groups }: TotalsProps) {
  const byCategory = new Map(groups);
  const groupOf = ({ category_id }: DetailedNomination) => byCategory.get(category_id) ?? 'Other';
  const names = [...new Set(byCategory.values())].filter((name) =>
    sides.some(({ nominations }) => nominations.some((own) => groupOf(own) === name)),
  );
  const ids = sides.map(({ id }) => id);
  const max = Math.max(1, ...sides.map(({ tally }) => tally.nominations));
  return (
    <table class="compare">
      <caption class="visually-hidden">Totals side by side</caption>
      <thead>
        <tr>
          <td />
          {sides.map(({ id, label }) => (
            <th key={id} scope="col" dir="auto">
              {recordLink(resource, id, label, 'title')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <TotalsRow name="Nominations" sides={sides}>
          {({ tally }) => (
            <>
              <strong class="sum">{tally.nominations}</strong>
              <Bar {...tally} max={max} />
            </>
          )}
        </TotalsRow>
        <TotalsRow name="Wins" sides={sides}>
          {({ tally }) => <strong class={tally.wins > 0 ? 'sum won' : 'sum'}>{tally.wins}</strong>}
        </TotalsRow>
        <TotalsRow name="Ceremonies" sides={sides}>
          {({ tally: { years }, nominations }) => (
            <>
              {new Set(nominations.map(({ ceremony_id }) => ceremony_id)).size}
              {years && <span class="remark">{span(...years)}</span>}
            </>
          )}
        </TotalsRow>
        {names.map((name) => (
          <TotalsRow key={name} name={name} sides={sides}>
            {({ nominations }) => (
              <GroupTally tally={tallyOf(nominations.filter((own) => groupOf(own) === name))} />
            )}
          </TotalsRow>
        ))}
        <TotalsRow name={<span class="visually-hidden">Remove</span>} sides={sides}>
          {({ id, label }) => (
            <a
              class="remove"
              href={compareHref(
                resource,
                ids.filter((own) => own !== id),
              )}
            >
              Remove<span class="visually-hidden"> {label}</span>
            </a>
          )}
        </TotalsRow>
      </tbody>
    </table>
  );
}

function TotalsRow(props: {
  name: ComponentChildren;
  sides: readonly Side[];
  children: (side: Side) => ComponentChildren;
}) {
  const { name, sides, children } = props;
  return (
    <tr>
      <th scope="row">{name}</th>
      {sides.map((side) => (
        <td key={side.id}>{children(side)}</td>
      ))}
    </tr>
  );
}

function GroupTally({ tally: { nominations, wins } }: { tally: Tally }) {
  if (nominations === 0) return <span class="none">none</span>;
  return (
    <>
      {count(nominations, 'nomination')}
      {wins > 0 && (
        <>
          {'\u00a0· '}
          <strong class="won">{count(wins, 'win')}</strong>
        </>
      )}
    </>
  );
}

function SharedCeremonies({ resource, sides }: { resource: RankedResource; sides: readonly Side[] }) {
  const ceremonies = sharedCeremonies(sides);
  const joint = jointEntries(sides);
  return (
    <Section id="shared" title="At the same ceremonies">
      {ceremonies.length === 0 ? (
        <p>They were never nominated at the same ceremony.</p>
      ) : (
        <>
          <p class="tally">
            {count(ceremonies.length, 'shared ceremony', 'shared ceremonies')}
            {joint > 0 && ` · nominated together ${joint === 1 ? 'once' : `${joint} times`}`}
          </p>
          <table class="compare">
            <caption class="visually-hidden">Nominations at shared ceremonies</caption>
            <thead>
              <tr>
                <th scope="col">Year</th>
                {sides.map(({ id, label }) => (
                  <th key={id} scope="col" dir="auto">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {ceremonies.map(({ id, year, own }) => (
                <tr key={id}>
                  <th scope="row">{recordLink('ceremonies', id, year)}</th>
                  {own.map((nominations, i) => (
                    <td key={sides[i]!.id}>
                      <Awards resource={resource} nominations={nominations} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Section>
  );
}

/** What one side was nominated for at a ceremony. */
function Awards(props: { resource: RankedResource; nominations: readonly DetailedNomination[] }) {
  const { resource, nominations } = props;
  if (nominations.length === 0) return <span class="none">none</span>;
  return (
    <ul class="plain">
      {entriesOf(nominations).map(({ first, winner }) => (
        <li key={first.entryKey}>
          {recordLink('nominations', first.id, first.category)}
          {winner && <strong class="won"> Won</strong>}
          {resource === 'nominees' && <span class="remark">{first.movie}</span>}
        </li>
      ))}
    </ul>
  );
}
