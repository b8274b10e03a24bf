/**
 * Retires what the source no longer has. A record is retired if
 *
 * - an import added it: it did not find a record that an editor had made,
 * - the source of this import does not name it,
 * - it is as sources gave it: every column has the value that the import or an enrichment gave last, or the
 * default. A change that
 *   an editor has undone counts as none;
 * - and nothing refers to it that stays.
 *
 * A retired record is deleted, and a receipt with the key "import" keeps its values. Ceremonies, films,
 * nominees and songs follow the nominations that referred to them; categories stay.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import { deleteRecord } from '../record/edits.ts';
import { importKeyName } from '../record/keys.ts';
import { number, UserError } from '../system/messages.ts';
import type { Connection } from '../database/open.ts';
import { columnNames, defaultColumn } from '../record/records.ts';
import type { Known } from './matching.ts';
import type { SourceRecord } from './source-record.ts';

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
  readonly #source: SourceRecord;
  readonly #known: Known;
  readonly #force: boolean;
  /** The time of the receipts. */
  readonly #at = new Date();

  /**
   * @param force also retire more than 2 % of a resource; all methods throw a UserError if it is more, and
   *   not forced
   */
  constructor(connection: Connection, source: SourceRecord, known: Known, force: boolean) {
    this.#connection = connection;
    this.#source = source;
    this.#known = known;
    this.#force = force;
  }

  /** Retires nominations. First: other records stay as long as a nomination refers to them. */
  nominations(): void {
    this.#retireUnnamed('nominations');
  }

  honors(): void {
    this.#retireUnnamed('honors');
  }

  /**
   * Retires films, nominees and songs. After nominations and honors, before the honors that stay are merged.
   */
  referenced(): void {
    this.#retireUnnamed('movies', this.#referred('movie_id', 'movie_id'));
    this.#retireUnnamed('nominees', this.#referred('nominee_id', 'nominee_ids'));
    this.#retireUnnamed('songs', this.#referred('song_id'));
  }

  /** Retires ceremonies. Last: nominations and honors refer to them. */
  ceremonies(): void {
    const ids = this.#column('SELECT ceremony_id FROM nominations UNION SELECT ceremony_id FROM honors');
    this.#retireUnnamed('ceremonies', ids);
  }

  /**
   * Ids of the nominations that imports named before, the source of this one does not, and an editor's work
   * keeps.
   */
  keptNominations(): number[] {
    const named = this.#named('nominations');
    const { nominations } = this.#known;
    return [...this.#column('SELECT id FROM nominations ORDER BY id')].filter(
      (id) => nominations.imported(id) !== undefined && !named.has(id),
    );
  }

  /**
   * Ids that nominations refer to, and honors that stay as they are: an honor of the source follows its film
   * and nominees, unless an editor gave it others.
   */
  #referred(field: string, ofHonors?: 'movie_id' | 'nominee_ids'): Set<number> {
    const ids = this.#column(`SELECT ${field} FROM nominations WHERE ${field} IS NOT NULL`);
    if (ofHonors === undefined) return ids;
    const named = this.#named('honors');
    const { honors } = this.#known;
    for (const id of this.#column('SELECT id FROM honors')) {
      const row = honors.rows.get(id);
      const given = honors.imported(id)?.fields;
      const follows =
        named.has(id) && row?.movie_id === given?.movie_id && row?.nominee_ids === given?.nominee_ids;
      if (row === undefined || follows) continue;
      for (const each of [JSON.parse(String(row[ofHonors])) as number | null | number[]].flat())
        if (each !== null) ids.add(each);
    }
    return ids;
  }

  #column(sql: string): Set<number> {
    return new Set(this.#connection.prepare<[], number>(sql).pluck().all());
  }

  /** Ids of the records that the source names. */
  #named(resource: ResourceName): Set<number> {
    return new Set([...this.#source[resource].values()].map(({ id }) => id));
  }

  /**
   * @param referred ids of records that stay, because others refer to them
   * @throws UserError if too many would be retired
   */
  #retireUnnamed(resource: ResourceName, referred: ReadonlySet<number> = new Set()): void {
    const named = this.#named(resource);
    const { rows } = this.#known[resource];
    const ids = [...rows.keys()].filter(
      (id) => !named.has(id) && !referred.has(id) && this.#isAsGiven(resource, id),
    );
    this.#guard(resource, ids.length, rows.size);
    for (const id of ids) {
      const deletion = { resource, id, key: importKeyName, at: this.#at };
      const { record } = deleteRecord(this.#connection, deletion);
      this.retired.push({ resource, id, name: nameOf(record) });
    }
  }

  #isAsGiven(resource: ResourceName, id: number): boolean {
    const known = this.#known[resource];
    const imported = known.imported(id);
    if (!imported?.isAdded) return false;
    const row = known.rows.get(id)!;
    const given = [...known.given.get(id)!.values()];
    return columnNames[resource].every(
      (field) =>
        field === 'id' ||
        row[field] === (imported.fields[field] ?? defaultColumn(field)) ||
        given.some(({ fields }) => fields[field] === row[field]),
    );
  }

  #guard(resource: ResourceName, count: number, all: number): void {
    if (count <= all * maxShare) return;
    this.needsForce = true;
    if (this.#force) return;
    throw new UserError(
      `the source no longer has ${number(count)} of ${number(all)} ${resource}, more than ${maxShare * 100} %, so nothing was imported; ` +
        'check that the source is complete: --dry-run lists the records that would be removed, --force removes them',
    );
  }
}

/**
 * The name of a record: the value of its first field that is one, and for a nomination or honor where it
 * belongs.
 */
function nameOf(record: object): string {
  const values = record as Readonly<Record<string, unknown>>;
  const { ceremony_year, category, movie, nominee, recipients, citation } = values;
  if (category !== undefined) {
    const what = nominee === undefined ? (recipients ?? citation ?? movie) : `${movie} / ${nominee}`;
    return `${ceremony_year} ${category}: ${what}`;
  }
  return String(values.title ?? values.name ?? values.original_title ?? values.show_title);
}
