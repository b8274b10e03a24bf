/** @jsxRuntime automatic @jsxImportSource preact */
/** Films or people side by side: their totals, and the ceremonies that they share. */
import type { ComponentChildren } from 'preact';
import { parseId } from '../../../../api/contract/query-string.ts';
import type { Movie, Nominee } from '../../../../api/contract/resources.ts';
import { count, nouns, span, together } from '../../shared/format.ts';
import { compareHref, rankingHref } from '../addresses.ts';
import { Bar, Heading, type Page, recordLink, Rows, Section, type Visit } from '../parts.tsx';
import { Refusal } from '../ask.ts';
import {
  type DetailedNomination,
  entriesOf,
  groupBy,
  nominated,
  type RankedResource,
  type Tally,
  tallyOf,
} from '../record.ts';

/** More do not fit beside each other. */
const maxRecords = 5;

interface Side {
  id: number;
  label: string;
  nominations: readonly DetailedNomination[];
  tally: Tally;
}

/** The ids in the address, each once. */
function idsIn(query: URLSearchParams): number[] {
  const ids = (query.get('ids') ?? '').split(',').map((text) => parseId(text.trim()));
  return [...new Set(ids.filter((id) => id !== undefined))].slice(0, maxRecords);
}

async function sideOf({ snapshot }: Visit, resource: RankedResource, id: number): Promise<Side | undefined> {
  try {
    const record = await nominated<Movie | Nominee>(snapshot, resource, id);
    const label = 'title' in record ? record.title : record.name;
    return { id, label, nominations: record.nominations, tally: tallyOf(record.nominations) };
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}

export async function comparePage(visit: Visit, resource: RankedResource): Promise<Page> {
  const { one, many } = resource === 'movies' ? nouns.movies : { one: 'person', many: 'people' };
  const asked = idsIn(visit.query);
  const found = await Promise.all(asked.map((id) => sideOf(visit, resource, id)));
  const sides = found.filter((side) => side !== undefined);
  const ids = sides.map(({ id }) => id);
  const title = sides.length > 1 ? together(sides.map(({ label }) => label)) : `Compare ${many}`;
  const body = (
    <>
      <Heading title={title} above={sides.length > 1 && `Compare ${many}`} />
      {ids.length < asked.length && (
        <p class="advice">
          There is no {one} with the {asked.length - ids.length > 1 ? 'IDs' : 'ID'}{' '}
          {together(asked.filter((id) => !ids.includes(id)).map(String))}.
        </p>
      )}
      {sides.length > 0 && <TotalsTable resource={resource} sides={sides} />}
      {sides.length > 1 && <SharedCeremonies resource={resource} sides={sides} />}
      {sides.length < 2 && (
        <p>
          Add at least two {many} to compare, or begin with the{' '}
          <a href={rankingHref(`top-${resource}`)}>ranking</a>.
        </p>
      )}
      {sides.length < maxRecords && (await picker(visit, resource, ids, one))}
    </>
  );
  return {
    title,
    description: 'Films or people of the film awards side by side: nominations, wins and shared ceremonies.',
    body,
    canonical: compareHref(resource, asked),
  };
}

/** A search for another film or person; each hit is a link to the comparison with it. */
async function picker(visit: Visit, resource: RankedResource, ids: readonly number[], one: string) {
  const typed = (visit.query.get('add') ?? '').trim();
  const { groups, isTooLong, note } = typed === '' ? { groups: [] } : await visit.find(typed);
  const rows = groups
    .flatMap(({ hits }) => hits)
    .filter((hit) => hit.resource === resource && !ids.includes(hit.id!))
    .map((hit) => ({ ...hit, href: compareHref(resource, [...ids, hit.id!]) }));
  return (
    <form class="picker" action={visit.path}>
      <label for="add">Add a {one}</label>
      <div class="finding">
        <input
          id="add"
          type="search"
          name="add"
          value={typed}
          placeholder={resource === 'movies' ? 'Title' : 'Name'}
        />
        <button type="submit">Find</button>
      </div>
      {ids.length > 0 && <input type="hidden" name="ids" value={ids.join()} />}
      {typed !== '' && rows.length === 0 && (
        <p role="status">{isTooLong ? note : `No ${one} on record has a name like “${typed}”.`}</p>
      )}
      {rows.length > 0 && <Rows rows={rows} />}
    </form>
  );
}

function TotalsTable({ resource, sides }: { resource: RankedResource; sides: readonly Side[] }) {
  const max = Math.max(1, ...sides.map(({ tally }) => tally.nominations));
  const without = (id: number) => sides.map((side) => side.id).filter((own) => own !== id);
  const rows: readonly (readonly [name: string, cell: (side: Side) => ComponentChildren])[] = [
    [
      'Nominations',
      ({ tally }) => [
        <strong key="sum" class="sum">
          {tally.nominations}
        </strong>,
        <Bar key="bar" {...tally} max={max} />,
      ],
    ],
    ['Wins', ({ tally }) => <strong class={tally.wins > 0 ? 'sum won' : 'sum'}>{tally.wins}</strong>],
    ['Ceremonies', ({ nominations }) => new Set(nominations.map(({ ceremony_id }) => ceremony_id)).size],
    ['Ceremony years', ({ tally: { years } }) => years && span(...years)],
    [
      'Comparison',
      ({ id, label }) => (
        <a
          class="remove"
          href={compareHref(resource, without(id))}
          aria-label={`Remove ${label} from the comparison`}
        >
          Remove
        </a>
      ),
    ],
  ];
  return (
    <table class="compare">
      <caption class="visually-hidden">Totals side by side</caption>
      <thead>
        <tr>
          <td />
          {sides.map(({ id, label }) => (
            <th key={id} scope="col">
              {recordLink(resource, id, label)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, cell]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {sides.map((side) => (
              <td key={side.id}>{cell(side)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The ceremonies at which at least two sides were nominated, latest first. */
function SharedCeremonies({ resource, sides }: { resource: RankedResource; sides: readonly Side[] }) {
  const shared = groupBy(
    sides.flatMap((side) => side.nominations),
    ({ ceremony_id }) => ceremony_id,
  )
    .map(([id, all]) => ({
      id,
      year: all[0]!.ceremony_year,
      own: sides.map(({ nominations }) => nominations.filter(({ ceremony_id }) => ceremony_id === id)),
    }))
    .filter(({ own }) => own.filter((some) => some.length > 0).length > 1)
    .sort((a, b) => b.year - a.year || b.id - a.id);
  const keys = sides.flatMap(({ nominations }) => entriesOf(nominations).map(({ first }) => first.entryKey));
  const joint = groupBy(keys, (key) => key).filter(([, own]) => own.length > 1).length;
  return (
    <Section id="shared" title="At the same ceremonies">
      {shared.length === 0 ? (
        <p>They were never nominated at the same ceremony.</p>
      ) : (
        <>
          <p class="tally">
            {count(shared.length, 'shared ceremony', 'shared ceremonies')}
            {joint > 0 && ` · nominated together ${joint === 1 ? 'once' : `${joint} times`}`}
          </p>
          <table class="compare">
            <caption class="visually-hidden">Nominations at shared ceremonies</caption>
            <thead>
              <tr>
                <th scope="col">Ceremony</th>
                {sides.map(({ id, label }) => (
                  <th key={id} scope="col" dir="auto">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shared.map(({ id, year, own }) => (
                <tr key={id}>
                  <th scope="row">{recordLink('ceremonies', id, year)}</th>
                  {own.map((nominations, i) => (
                    <td key={sides[i]!.id}>
                      {nominations.length === 0 ? (
                        'not nominated'
                      ) : (
                        <Awards resource={resource} nominations={nominations} />
                      )}
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
  return (
    <ul class="plain">
      {entriesOf(props.nominations).map(({ first, winner }) => (
        <li key={first.entryKey}>
          {first.category}
          {winner && <strong class="won"> Won</strong>}
          {props.resource === 'nominees' && <span class="remark soft">{first.movie}</span>}
        </li>
      ))}
    </ul>
  );
}
