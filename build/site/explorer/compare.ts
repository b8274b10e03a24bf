/** What the comparison of films or people shows. */
import { parseId } from '../../../api/contract/query-string.ts';
import type { Movie, Nominee } from '../../../api/contract/resources.ts';
import { ApiError } from '../shared/api.ts';
import { span } from '../shared/format.ts';
import type { RankedResource } from './addresses.ts';
import { entriesOf, groupBy, type Tally, tallyOf } from './counts.ts';
import type { DetailedNomination, Reading } from './record.ts';

/** More do not fit beside each other. */
export const maxRecords = 5;

export interface Side {
  id: number;
  label: string;
  nominations: readonly DetailedNomination[];
  tally: Tally;
}

export interface Comparison {
  sides: Side[];
  /** Ids without a record. */
  unknown: number[];
  /** The id of each category, and its group. */
  groups: (readonly [category: number, group: string])[];
}

/** The ids in the address, each once. */
export function idsIn(query: string): number[] {
  const texts = new URLSearchParams(query).get('ids')?.split(',') ?? [];
  const ids = texts.map((text) => parseId(text.trim())).filter((id) => id !== undefined);
  return [...new Set(ids)].slice(0, maxRecords);
}

async function loadSide(
  { nominated }: Reading,
  resource: RankedResource,
  id: number,
): Promise<Side | undefined> {
  try {
    const record = await nominated<Movie | Nominee>(resource, id);
    const { nominations } = record;
    return {
      id,
      label: 'title' in record ? record.title : record.name,
      nominations,
      tally: tallyOf(nominations),
    };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** @throws ApiError */
export async function loadComparison(
  reading: Reading,
  resource: RankedResource,
  ids: readonly number[],
): Promise<Comparison> {
  const [categories, ...found] = await Promise.all([
    reading.categories(),
    ...ids.map((id) => loadSide(reading, resource, id)),
  ]);
  return {
    sides: distinguished(found.filter((side) => side !== undefined)),
    unknown: ids.filter((_, i) => found[i] === undefined),
    groups: categories.map(({ id, category_group }) => [id, category_group ?? 'Other']),
  };
}

interface SharedCeremony {
  id: number;
  year: number;
  /** The nominations of each side there, in the order of the sides. */
  own: DetailedNomination[][];
}

/** The ceremonies at which at least two sides were nominated, latest first. */
export function sharedCeremonies(sides: readonly Side[]): SharedCeremony[] {
  const all = groupBy(
    sides.flatMap((side) => side.nominations),
    ({ ceremony_id }) => ceremony_id,
  );
  return all
    .map(([id, [first]]) => ({
      id,
      year: first!.ceremony_year,
      own: sides.map(({ nominations }) => nominations.filter(({ ceremony_id }) => ceremony_id === id)),
    }))
    .filter(({ own }) => own.filter((some) => some.length > 0).length > 1)
    .sort((a, b) => b.year - a.year || b.id - a.id);
}

/** Entries that more than one side has. */
export function jointEntries(sides: readonly Side[]): number {
  const keys = sides.flatMap(({ nominations }) => entriesOf(nominations).map(({ first }) => first.entryKey));
  return groupBy(keys, (key) => key).filter(([, own]) => own.length > 1).length;
}

/** Adds the years where two have the same name. */
const distinguished = (sides: readonly Side[]): Side[] =>
  sides.map((side) => {
    const isAlone = sides.filter(({ label }) => label === side.label).length === 1;
    const { years } = side.tally;
    return isAlone || !years ? side : { ...side, label: `${side.label} (${span(...years)})` };
  });
