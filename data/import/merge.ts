/**
 * Brings the record up to date with what a source says: its things are matched with existing records
 * (matching.ts), fields are derived (derived.ts), what changed is written, and what the source no longer has
 * is retired (retirement.ts). The import and the sample both end here.
 */
import { counted, number } from '../system/messages.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { mergeFields, writeGiven } from '../record/given.ts';
import { type Connection, prepared } from '../database/open.ts';
import { type Columns, prepareInsert, refuseBrokenReferences } from '../record/records.ts';
import { deriveDepartments, deriveEras, deriveNames, deriveOverviews } from './derived.ts';
import { type Known, matchHonors, matchRecords, readKnown } from './matching.ts';
import { type RetiredRecord, Retirement } from './retirement.ts';
import type { SourceRecord, Thing } from './source-record.ts';

/** Counts of the records that a source names. */
export interface Tally {
  added: number;
  changed: number;
  unchanged: number;
}

interface MergeReport {
  /** Counts of the records that the source names. */
  resources: Record<ResourceName, Tally>;
  /**
   * The removed records: an earlier import added them, the source no longer has them, and they are as sources
   * gave them.
   */
  retired: RetiredRecord[];
  /** Whether they are so many that an import is refused without --force. */
  needsForce: boolean;
  /**
   * Ids of nominations that the source no longer has and that stay, because an editor has changed them,
   * ascending.
   */
  kept: number[];
}

interface MergeOptions {
  /** Whether the source has all categories of its ceremonies. */
  isComplete: boolean;
  /** Retire any number of records. */
  force: boolean;
}

/**
 * Merges a source into the record. Runs in the caller's transaction.
 * @throws UserError if a reference in the database is broken, or too many records would be retired
 */
export function mergeSource(
  connection: Connection,
  source: SourceRecord,
  { isComplete, force }: MergeOptions,
): MergeReport {
  refuseBrokenReferences(connection);
  // Nominations are written before the categories and nominees with fields that are derived from them.
  connection.pragma('defer_foreign_keys = ON');
  const known = readKnown(connection);
  const merged = (resource: ResourceName) => mergeThings(connection, resource, source[resource], known);
  deriveNames(source);
  matchRecords(connection, source, known);
  deriveOverviews(source, isComplete);
  const [ceremonies, movies, songs] = [merged('ceremonies'), merged('movies'), merged('songs')];
  const nominations = merged('nominations');
  const retirement = new Retirement(connection, source, known, force);
  retirement.nominations();
  deriveEras(connection, source);
  deriveDepartments(connection, source);
  const [categories, nominees] = [merged('categories'), merged('nominees')];
  matchHonors(connection, source, known);
  retirement.honors();
  retirement.referenced();
  resolveHonors(connection, source);
  const honors = merged('honors');
  retirement.ceremonies();
  return {
    resources: { nominations, ceremonies, categories, movies, nominees, songs, honors },
    retired: retirement.retired,
    needsForce: retirement.needsForce,
    kept: retirement.keptNominations(),
  };
}

/** Adds and changes the records of a resource, and stores what the source gave. */
function mergeThings(
  connection: Connection,
  resource: ResourceName,
  things: ReadonlyMap<unknown, Thing>,
  known: Known,
): Tally {
  const tally: Tally = { added: 0, changed: 0, unchanged: 0 };
  let insert: ReturnType<typeof prepareInsert> | undefined;
  // Equal columns: an import gives all things of a resource the same ones.
  const { rows, remembered } = known[resource];
  for (const { id, isNew, columns } of things.values()) {
    const imported = known[resource].imported(id);
    const fields = { ...imported?.fields, ...columns };
    if (isNew) {
      insert ??= prepareInsert(connection, resource, ['id', ...Object.keys(columns)]);
      insert({ id, ...columns });
      tally.added += 1;
    } else {
      const changes = changesOf(resource, rows.get(id)!, imported?.fields ?? {}, columns);
      const names = Object.keys(changes);
      if (names.length > 0)
        prepared<unknown[]>(
          connection,
          `UPDATE ${resource} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
        ).run(...Object.values(changes), id);
      tally[names.length > 0 ? 'changed' : 'unchanged'] += 1;
    }
    const before = imported && JSON.stringify(imported.fields);
    if (JSON.stringify(fields) !== before || remembered.has(id))
      writeGiven(connection, resource, id, 'import', {
        ...{ fields, sourceId: null, retrievedAt: null, isAdded: imported?.isAdded ?? isNew },
      });
  }
  return tally;
}

/**
 * The number of an entry is the exception from the rule of mergeFields(): it has a meaning in the source
 * only, and follows it wherever ceremony and category do.
 */
function changesOf(resource: ResourceName, row: Columns, before: Columns, now: Columns): Columns {
  const { entry, ...changes } = mergeFields(row, before, now);
  if (resource !== 'nominations') return changes;
  const isThere = row.ceremony_id === now.ceremony_id && row.category_id === now.category_id;
  return isThere && row.entry !== now.entry ? { ...changes, entry: now.entry! } : changes;
}

/** The film and the nominees of each honor that are in the record. */
function resolveHonors(connection: Connection, { honors, movies, nominees }: SourceRecord): void {
  const lookUp = (table: 'movies' | 'nominees', things: ReadonlyMap<string, Thing>) => {
    const statement = connection
      .prepare<[string], number | null>(`SELECT min(id) FROM ${table} WHERE filmindex_id = ?`)
      .pluck();
    return (key: string): number | null => things.get(key)?.id ?? statement.get(key) ?? null;
  };
  const [movieOf, nomineeOf] = [lookUp('movies', movies), lookUp('nominees', nominees)];
  for (const { columns, movieKey, nomineeKeys } of honors.values()) {
    columns.movie_id = movieKey && movieOf(movieKey);
    columns.nominee_ids = JSON.stringify(nomineeKeys.map(nomineeOf).filter((id) => id !== null));
  }
}

/** A row of the source that became no nomination, and why. */
export interface LeftOut {
  line: number;
  /** What it is about, for people. */
  row: string;
  reason: string;
}

export interface ImportReport extends MergeReport {
  leftOut: LeftOut[];
}

/** Retired records, and rows left out, that a short report names. */
const maxNamed = 10;

/**
 * The report as lines of text, without a line break at the end.
 * @param dryRun name all records that would be removed
 */
export function renderReport(
  { resources, leftOut, retired, needsForce, kept }: ImportReport,
  { dryRun = false }: { dryRun?: boolean | undefined } = {},
): string {
  const lines = Object.entries(resources).map(
    ([resource, { added, changed, unchanged }]) =>
      `${resource}: ${number(added)} added, ${number(changed)} changed, ${number(unchanged)} unchanged`,
  );
  for (const { line, row, reason } of leftOut.slice(0, maxNamed))
    lines.push(`left out: line ${line}, ${row} (${reason})`);
  if (leftOut.length > maxNamed) lines.push(`left out: ${number(leftOut.length - maxNamed)} more`);
  if (leftOut.length > 0) lines.push(`left out in all: ${counted(leftOut.length, 'row')}`);
  const named = retired.slice(0, dryRun ? retired.length : maxNamed);
  for (const { resource, id, name } of named) lines.push(`removed: ${resource} ${id} (${name})`);
  if (retired.length > named.length) lines.push(`removed: ${number(retired.length - named.length)} more`);
  if (retired.length > 0)
    lines.push(
      `removed in all: ${counted(retired.length, 'record')} that the source no longer has; receipts keep them`,
    );
  const ids = kept.slice(0, 5).join(', ') + (kept.length > 5 ? `, … ${number(kept.length - 5)} more` : '');
  if (kept.length > 0)
    lines.push(
      `no longer in the source, but kept because an editor changed them: ${counted(kept.length, 'nomination')} (id ${ids})`,
    );
  if (dryRun && needsForce)
    lines.push('so many records would be removed that the import is refused without --force');
  if (dryRun) lines.push('a dry run: nothing was changed');
  return lines.join('\n');
}
