/** Records as lists and pages show them. */
import {
  type CountedResource,
  type ReferencedResource,
  type ResourceName,
  referencedResources,
} from '../contract/names.ts';
import type { IncludeName } from '../contract/addresses.ts';
import { requestedFields } from '../contract/fields.ts';
import { countsOf } from './counts.ts';
import { honorRecords, honorReferences, honorRows } from './honors.ts';
import { filmYears } from './named-columns.ts';
import { nominationRecords } from './nominations.ts';
import type { Snapshot } from './snapshot.ts';
import { referenceTo } from './tables.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The records that a query selects, in its order. */
export interface Selection {
  total: number;
  /** The records from one position to another, exclusive, as the query shows them. */
  records(start: number, end: number): Promise<JsonRecord[]>;
}

/** How a query shows a record: what it adds, and the members that it shows, undefined for all. */
interface Showing {
  include?: readonly IncludeName[] | undefined;
  fields?: readonly string[] | undefined;
}
interface ShownRecord extends Showing {
  resource: ResourceName;
  id: number;
}

/** The page of a record: with the records it refers to, or its nominations. Undefined for an unknown id. */
export async function recordPage(
  snapshot: Snapshot,
  { resource, id, include = [], fields }: ShownRecord,
): Promise<JsonRecord | undefined> {
  const row = (await snapshot.table('ids'))[resource].row(id);
  if (row < 0) return undefined;
  const embeds = resource !== 'nominations' && (fields?.includes('nominations') ?? true);
  const shown = embeds ? [...include, 'nominations' as const] : include;
  const [record] = await wholeRecords(snapshot, resource, [row], shown);
  const page = resource === 'nominations' ? await withReferences(snapshot, record!) : record!;
  return selected(page, fields);
}

/** Records as a query shows them. @param rows in the table of the resource */
export async function recordsIn(
  snapshot: Snapshot,
  resource: ResourceName,
  rows: ArrayLike<number>,
  { include = [], fields }: Showing,
): Promise<JsonRecord[]> {
  const records = await wholeRecords(snapshot, resource, rows, include);
  return fields ? records.map((record) => selected(record, fields)) : records;
}

/** Some members of a record, in its order. */
const selected = (record: JsonRecord, fields: readonly string[] | undefined): JsonRecord =>
  fields ? Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name))) : record;

async function wholeRecords(
  snapshot: Snapshot,
  resource: ResourceName,
  rows: ArrayLike<number>,
  include: readonly IncludeName[],
): Promise<JsonRecord[]> {
  const details = include.includes('details');
  if (resource === 'nominations') return nominationRecords(snapshot, rows, details);
  if (resource === 'honors') return honorRecords(snapshot, rows);
  const { [resource]: ids } = await snapshot.table('ids');
  const records = await Promise.all(
    Array.from(rows, (row) => shownRecord(snapshot, resource, ids.id(row), include)),
  );
  const nominations =
    resource !== 'ceremonies' && include.includes('nominations')
      ? (await snapshot.table('nominations'))[referenceTo[resource]]
      : undefined;
  const counts = include.includes('counts')
    ? await countsOf(snapshot, resource as CountedResource)
    : undefined;
  const years = include.includes('film_year') ? await filmYears(snapshot) : undefined;
  const honors = include.includes('honors')
    ? await honorRows(snapshot, honorReferences[resource as CountedResource])
    : undefined;
  const names =
    include.includes('other_names') && (resource === 'movies' || resource === 'nominees')
      ? await snapshot.table(`other-names/${resource}`)
      : undefined;
  if (!nominations && !counts && !years && !honors && !names) return records;
  return Promise.all(
    records.map(async (record, i) => {
      const row = rows[i]!;
      const own = nominations?.nominationsOf(ids.id(row));
      return {
        ...record,
        ...(own && { nominations: await nominationRecords(snapshot, own, details) }),
        ...(counts && {
          counts: {
            entries: counts.entries[row],
            wins: counts.wins[row],
            nominations: counts.nominations[row],
          },
        }),
        ...(years && (years[row] ?? unknownYear)),
        ...(honors && { honors: await honorRecords(snapshot, honors.get(ids.id(row)) ?? []) }),
        ...(names && { other_names: names.names[names.row(ids.id(row))] ?? [] }),
      };
    }),
  );
}

const unknownYear = { film_year: null, film_years: null };

/** A record with the fields that are shown on request only if `include` asks for them. */
async function shownRecord(
  snapshot: Snapshot,
  resource: ReferencedResource,
  id: number,
  include: readonly string[] = [],
): Promise<JsonRecord> {
  const record: JsonRecord = await snapshot.existing(resource, id);
  const hidden = requestedFields[resource]?.filter((field) => !include.includes(field)) ?? [];
  return hidden.length === 0
    ? record
    : Object.fromEntries(Object.entries(record).filter(([field]) => !hidden.some((own) => own === field)));
}

/** A nomination with the records it refers to in place of their names. Its details stay last. */
async function withReferences(snapshot: Snapshot, nomination: JsonRecord): Promise<JsonRecord> {
  const records = await Promise.all(
    referencedResources.map(async (resource) => {
      const name = referenceTo[resource];
      const id = nomination[`${name}_id`] as number | null;
      return id === null ? [] : [[name, await shownRecord(snapshot, resource, id)] as const];
    }),
  );
  const { details, ...own } = nomination;
  return { ...own, ...Object.fromEntries(records.flat()), ...(details !== undefined && { details }) };
}
