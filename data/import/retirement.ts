/**
 * Retires what the source no longer has. A record is retired if
 *
 * - an import added it (`imported.added`): it did not find a record that an editor had made,
 * - the source of this import does not name it,
 * - no editor has touched it: every column has the value that imports gave last, the default where they gave none, or a value of
 *   enrichment; and no receipt of an editor names the record, even if a later write put the value back,
 * - and nothing refers to it that stays.
 *
 * A retired record is deleted, and a receipt with the key "import" keeps its values. Ceremonies, films, nominees and songs
 * follow the nominations that referred to them; categories stay.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import { deleteRecord } from '../edits.ts';
import { importKeyName } from '../keys.ts';
import type { Connection } from '../open.ts';
import { columnDefaults } from '../records.ts';
import { UserError } from '../../build/system/user-error.ts';
import { lastGiven, withMemory } from './merge.ts';
import { number } from '../../build/system/numbers.ts';

export interface RetiredRecord {
  resource: ResourceName;
  id: number;
  /** What it was, for people. */
  name: string;
}

/** More than this share of any resource is retired only if it is asked for. */
const maxShare = 0.02;

export class Retirement {
  readonly retired: RetiredRecord[] = [];
  /** Whether so many were retired that it had to be forced. */
  needsForce = false;
  readonly #connection: Connection;
  readonly #force: boolean;
  /** The time of the receipts. */
  readonly #at = new Date();

  /** @param force also retire more than 2 % of a resource; all methods throw a UserError if it is more, and not forced */
  constructor(connection: Connection, force: boolean) {
    this.#connection = connection;
    this.#force = force;
  }

  /** Retires nominations. First: other records stay as long as a nomination refers to them. */
  nominations(): void {
    this.#retireUnnamed('nominations');
  }

  honors(): void {
    this.#retireUnnamed('honors');
  }

  /** Retires films, nominees and songs. After nominations and honors, before the honors that stay are merged. */
  referenced(): void {
    // An honor of the source follows its film and nominees. Any other one keeps them.
    const keeping = `(SELECT r.movie_id, r.nominee_ids FROM ${withMemory('honors')}
      WHERE r.id NOT IN (SELECT id FROM source_honors)
        OR r.movie_id IS NOT ${lastGiven('movie_id')} OR r.nominee_ids IS NOT ${lastGiven('nominee_ids')})`;
    const isFree = (field: string) => `NOT EXISTS (SELECT 1 FROM nominations WHERE ${field} = r.id)`;
    this.#retireUnnamed(
      'movies',
      `${isFree('movie_id')} AND r.id NOT IN (SELECT movie_id FROM ${keeping} WHERE movie_id IS NOT NULL)`,
    );
    this.#retireUnnamed(
      'nominees',
      `${isFree('nominee_id')} AND r.id NOT IN (SELECT value FROM ${keeping} AS h, json_each(h.nominee_ids))`,
    );
    this.#retireUnnamed('songs', isFree('song_id'));
  }

  /** Retires ceremonies. Last: nominations and honors refer to them. */
  ceremonies(): void {
    const isFree = (table: string) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE ceremony_id = r.id)`;
    this.#retireUnnamed('ceremonies', `${isFree('nominations')} AND ${isFree('honors')}`);
  }

  /** Ids of the nominations that imports named before, the source of this one does not, and an editor's work keeps. */
  keptNominations(): number[] {
    return this.#connection
      .prepare<[], number>(
        `SELECT r.id FROM ${withMemory('nominations')}
         WHERE i.record_id IS NOT NULL AND r.id NOT IN (SELECT id FROM source_nominations) ORDER BY r.id`,
      )
      .pluck()
      .all();
  }

  #retireUnnamed(table: ResourceName, condition?: string): void {
    const ids = this.#candidates(table, condition);
    this.#guard(table, ids.length);
    this.#retire(table, ids);
  }

  /** @throws UserError if too many of the records before the import would be retired */
  #guard(table: ResourceName, count: number): void {
    const all = this.#connection
      .prepare<[], number>(
        `SELECT count(*) FROM ${table} WHERE id NOT IN (SELECT id FROM source_${table} WHERE is_new)`,
      )
      .pluck()
      .get()!;
    if (count <= all * maxShare) return;
    this.needsForce = true;
    if (this.#force) return;
    throw new UserError(
      `the source no longer has ${number(count)} of ${number(all)} ${table}, more than ${maxShare * 100} %, so nothing was imported; ` +
        'check that the source is complete: --dry-run lists the records that would be removed, --force removes them',
    );
  }

  #candidates(table: ResourceName, condition = 'true'): number[] {
    const unchanged = [...columnDefaults(this.#connection, table)].map(
      ([column, byDefault]) =>
        `(r.${column} IS coalesce(${lastGiven(column)}, ${byDefault}) OR EXISTS (
           SELECT 1 FROM provenance AS p
           WHERE p.resource = '${table}' AND p.record_id = r.id AND field = '${column}' AND NOT edited
         ))`,
    );
    return this.#connection
      .prepare<[string], number>(
        `SELECT r.id FROM ${withMemory(table)}
         WHERE i.added AND r.id NOT IN (SELECT id FROM source_${table}) AND ${unchanged.join(' AND ')}
           AND r.id NOT IN (SELECT record_id FROM receipts WHERE resource = ? AND action <> 'delete' AND key_name NOT GLOB 'enrich:*')
           AND ${condition}
         ORDER BY r.id`,
      )
      .pluck()
      .all(table);
  }

  #retire(table: ResourceName, ids: readonly number[]): void {
    for (const id of ids) {
      const deletion = { resource: table, id, key: importKeyName, at: this.#at };
      this.retired.push({
        resource: table,
        id,
        name: nameOf(deleteRecord(this.#connection, deletion).record),
      });
    }
  }
}

/** The name of a record: the value of its first field that is one, and for a nomination or honor where it belongs. */
function nameOf(record: object): string {
  const values = record as Readonly<Record<string, unknown>>;
  const { ceremony_year, category, movie, nominee, recipients, citation } = values;
  if (category !== undefined) {
    const what = nominee === undefined ? (recipients ?? citation ?? movie) : `${movie} / ${nominee}`;
    return `${ceremony_year} ${category}: ${what}`;
  }
  return String(values.title ?? values.name ?? values.original_title ?? values.show_title);
}
