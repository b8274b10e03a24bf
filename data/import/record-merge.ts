/**
 * One resource while an import runs: what the database holds, what sources have given for it so far (table `imported`),
 * and what is to be written. Everything is worked out in memory first and written once at the end, so that a record for
 * which the source has nothing new is not touched at all.
 *
 * What makes an editor's work survive: a field changes only when the source gives something other than it gave last time.
 * For a deleted record nothing is remembered: if the source still names it, the next import adds it under a new id.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import type { Connection } from '../open.ts';

type Value = string | number | null;
export type Values = Readonly<Record<string, Value>>;

interface MergedRecord {
  readonly id: number;
  /** Whether this import adds it. */
  readonly isNew: boolean;
  /** What the database holds, this import's changes included. */
  readonly current: Values;
  /** What sources last gave: null where they name the record without a value, absent where none spoke of the field. */
  readonly fromSource: Values;
}

/** How the records that a source names came out. */
export interface Tally {
  added: number;
  changed: number;
  unchanged: number;
}

interface WorkingRecord extends MergedRecord {
  readonly current: Record<string, Value>;
  readonly fromSource: Record<string, Value>;
  /** Fields in which `current` is no longer what the database holds. */
  readonly changed: Set<string>;
  /** Whether `fromSource` is no longer what the database remembers. */
  sourceChanged: boolean;
  /** Whether this import's source names it. */
  isNamed: boolean;
}

export class RecordMerge {
  readonly #connection: Connection;
  readonly #resource: ResourceName;
  readonly #defaults: Values;
  readonly #records = new Map<number, WorkingRecord>();
  /** The highest id ever given to a record, deleted ones included. */
  #lastId: number;
  #nextBelow = Number.MAX_SAFE_INTEGER;

  /** @param defaults the fields an import may speak of, each with the value that says nothing */
  constructor(connection: Connection, resource: ResourceName, defaults: Values) {
    this.#connection = connection;
    this.#resource = resource;
    this.#defaults = defaults;
    this.#lastId =
      connection
        .prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?')
        .pluck()
        .get(resource) ?? 0;
    const rows = connection
      .prepare<[string], Record<string, Value>>(
        `SELECT id, ${Object.keys(defaults).join(', ')}, fields AS remembered
         FROM ${resource} LEFT JOIN imported ON resource = ? AND record_id = id ORDER BY id`,
      )
      .all(resource);
    for (const { id, remembered, ...current } of rows)
      this.#keep(id as number, false, current, remembered === null ? {} : JSON.parse(remembered as string));
  }

  #keep(id: number, isNew: boolean, current: Record<string, Value>, fromSource: Record<string, Value>): void {
    const changed = new Set<string>();
    this.#records.set(id, { id, isNew, current, fromSource, changed, sourceChanged: isNew, isNamed: isNew });
    this.#lastId = Math.max(this.#lastId, id);
  }

  /** All records, those added so far included, ascending by id where they were in the database before. */
  records(): IterableIterator<MergedRecord> {
    return this.#records.values();
  }

  get(id: number): MergedRecord | undefined {
    return this.#records.get(id);
  }

  /** Adds a record that the source names, under the next id unless one is given. */
  add(values: Values, id = this.#nextId()): number {
    const given = Object.entries(values).filter(([, value]) => value !== null);
    this.#keep(id, true, { ...this.#defaults, ...Object.fromEntries(given) }, { ...values });
    return id;
  }

  #nextId(): number {
    if (this.#lastId < Number.MAX_SAFE_INTEGER) return this.#lastId + 1;
    // The very last id there is has been given: those next to it are the least likely to have been.
    do this.#nextBelow -= 1;
    while (this.#records.has(this.#nextBelow));
    return this.#nextBelow;
  }

  /** Takes over what the source gives for a record; null is silence. */
  update(id: number, values: Values): void {
    const record = this.#records.get(id)!;
    record.isNamed = true;
    for (const [field, value] of Object.entries(values)) {
      const last = record.fromSource[field];
      if (value === last || (value === null && last !== undefined)) continue;
      // Where no source gave a value before, an editor's stays: only what the editor left open is filled in.
      const mayChange = (last ?? null) !== null || record.current[field] === this.#defaults[field];
      this.#take(record, field, value, value !== null && mayChange);
    }
  }

  /** Does either of these; answers with the id. */
  addOrUpdate(id: number | undefined, values: Values): number {
    if (id === undefined) return this.add(values);
    this.update(id, values);
    return id;
  }

  /**
   * Sets a field that the project itself derives from the record. It gives way to any edit: what an editor wrote is worth
   * more than a sentence composed anew because some figure in it changed.
   */
  derive(id: number, field: string, value: Value): void {
    const record = this.#records.get(id)!;
    const last = record.fromSource[field];
    if (value === null || value === last) return;
    this.#take(record, field, value, record.current[field] === (last ?? this.#defaults[field]));
  }

  /** Holds values for what the source gave before, so that they are no news when it gives them now; changes no field. */
  remember(id: number, values: Values): void {
    for (const [field, value] of Object.entries(values))
      this.#take(this.#records.get(id)!, field, value, false);
  }

  #take(record: WorkingRecord, field: string, value: Value, mayChange: boolean): void {
    record.fromSource[field] = value;
    record.sourceChanged = true;
    if (!mayChange || record.current[field] === value) return;
    record.current[field] = value;
    record.changed.add(field);
  }

  /** Writes what is new and nothing else. */
  write(): Tally {
    const tally: Tally = { added: 0, changed: 0, unchanged: 0 };
    const insert = this.#insertion();
    const remember = this.#connection.prepare<[string, number, string]>(
      'INSERT OR REPLACE INTO imported (resource, record_id, fields) VALUES (?, ?, ?)',
    );
    for (const record of this.#records.values()) {
      if (record.isNew) insert(record);
      else if (record.changed.size > 0) this.#writeChanges(record);
      if (record.sourceChanged) remember.run(this.#resource, record.id, JSON.stringify(record.fromSource));
      if (record.isNew) tally.added += 1;
      else if (record.changed.size > 0) tally.changed += 1;
      else if (record.isNamed) tally.unchanged += 1;
    }
    return tally;
  }

  #insertion(): (record: MergedRecord) => void {
    const fields = Object.keys(this.#defaults);
    const statement = this.#connection.prepare<Value[]>(
      `INSERT INTO ${this.#resource} (id, ${fields.join(', ')}) VALUES (?${', ?'.repeat(fields.length)})`,
    );
    return ({ id, current }) => statement.run(id, ...fields.map((field) => current[field]!));
  }

  #writeChanges({ id, current, changed }: WorkingRecord): void {
    const fields = [...changed];
    this.#connection
      .prepare<Value[]>(
        `UPDATE ${this.#resource} SET ${fields.map((field) => `${field} = ?`).join(', ')} WHERE id = ?`,
      )
      .run(...fields.map((field) => current[field]!), id);
  }
}

/** A field as sources know the record: what one last gave, null included, whatever an editor has made of it since. */
export function sourceValue({ fromSource, current }: MergedRecord, field: string): Value {
  const given = fromSource[field];
  return given === undefined ? current[field]! : given;
}
