/**
 * The records of one resource during an import: their values in the database, the values that sources gave last (table
 * `imported`), and the changes to write. All changes are made in memory first, so that an unchanged record is not written.
 *
 * To keep the changes of editors, a field changes only if the source gives another value than last time. A deleted record is
 * forgotten: if the source still names it, the next import adds it under a new id.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import { highestId } from '../edits.ts';
import type { Connection } from '../open.ts';
import { prepareInsert } from '../records.ts';

type Value = string | number | null;
export type Values = Readonly<Record<string, Value>>;

/** Counts of the records that a source names. */
export interface Tally {
  added: number;
  changed: number;
  unchanged: number;
}

interface MergedRecord {
  readonly id: number;
  /** Whether this import adds it. */
  readonly isNew: boolean;
  /** The values in the database, with the changes of this import. */
  readonly current: Record<string, Value>;
  /** The values that sources gave last. A field is absent if no source has it. */
  readonly fromSource: Record<string, Value>;
  /** Fields in which `current` differs from the database. */
  readonly changed: Set<string>;
  /** Whether `fromSource` differs from the database. */
  isSourceChanged: boolean;
  /** Whether the source of this import names it. */
  isNamed: boolean;
}

export class RecordMerge {
  readonly #connection: Connection;
  readonly #resource: ResourceName;
  readonly #defaults: Values;
  readonly #records = new Map<number, MergedRecord>();
  /** The highest id ever given, also to deleted records. */
  #lastId: number;
  #nextBelow = Number.MAX_SAFE_INTEGER;

  /** @param defaults the fields that a source can give, each with the value that means unknown */
  constructor(connection: Connection, resource: ResourceName, defaults: Values) {
    this.#connection = connection;
    this.#resource = resource;
    this.#defaults = defaults;
    this.#lastId = highestId(connection, resource);
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
    this.#records.set(id, {
      id,
      isNew,
      current,
      fromSource,
      changed,
      isSourceChanged: isNew,
      isNamed: isNew,
    });
    this.#lastId = Math.max(this.#lastId, id);
  }

  /** All records: those of the database by id, then the added ones. */
  records(): IterableIterator<Readonly<MergedRecord>> {
    return this.#records.values();
  }

  get(id: number): MergedRecord | undefined {
    return this.#records.get(id);
  }

  /** Adds a record that the source names. */
  add(values: Values, id = this.#nextId()): number {
    const given = Object.entries(values).filter(([, value]) => value !== null);
    this.#keep(id, true, { ...this.#defaults, ...Object.fromEntries(given) }, { ...values });
    return id;
  }

  #nextId(): number {
    if (this.#lastId < Number.MAX_SAFE_INTEGER) return this.#lastId + 1;
    // The highest possible id is taken. The ids below it are the least likely to have been given.
    do this.#nextBelow -= 1;
    while (this.#records.has(this.#nextBelow));
    return this.#nextBelow;
  }

  /** Updates a record with the values of the source; null means that the source has none. */
  update(id: number, values: Values): void {
    const record = this.#records.get(id)!;
    record.isNamed = true;
    for (const [field, value] of Object.entries(values)) {
      const last = record.fromSource[field];
      if (value === last || (value === null && last !== undefined)) continue;
      // If no source gave a value before, an editor's value stays.
      const mayChange = (last ?? null) !== null || record.current[field] === this.#defaults[field];
      this.#take(record, field, value, value !== null && mayChange);
    }
  }

  /** @returns the id of the record */
  addOrUpdate(id: number | undefined, values: Values): number {
    if (id === undefined) return this.add(values);
    this.update(id, values);
    return id;
  }

  /** Sets a field that the project derives, unless an editor changed it. */
  derive(id: number, field: string, value: Value): void {
    const record = this.#records.get(id)!;
    const last = record.fromSource[field];
    if (value === null || value === last) return;
    this.#take(record, field, value, record.current[field] === (last ?? this.#defaults[field]));
  }

  /** Treats values as given before by the source, so that giving them again changes nothing. */
  remember(id: number, values: Values): void {
    for (const [field, value] of Object.entries(values))
      this.#take(this.#records.get(id)!, field, value, false);
  }

  #take(record: MergedRecord, field: string, value: Value, mayChange: boolean): void {
    record.fromSource[field] = value;
    record.isSourceChanged = true;
    if (!mayChange || record.current[field] === value) return;
    record.current[field] = value;
    record.changed.add(field);
  }

  /** Writes the new and changed records. */
  write(): Tally {
    const tally: Tally = { added: 0, changed: 0, unchanged: 0 };
    const fields = Object.keys(this.#defaults);
    const insert = prepareInsert(this.#connection, this.#resource, ['id', ...fields]);
    const remember = this.#connection.prepare<[string, number, string]>(
      'INSERT OR REPLACE INTO imported (resource, record_id, fields) VALUES (?, ?, ?)',
    );
    for (const record of this.#records.values()) {
      if (record.isNew) insert.run(record.id, ...fields.map((field) => record.current[field]));
      else if (record.changed.size > 0) this.#writeChanges(record);
      if (record.isSourceChanged) remember.run(this.#resource, record.id, JSON.stringify(record.fromSource));
      if (record.isNew) tally.added += 1;
      else if (record.changed.size > 0) tally.changed += 1;
      else if (record.isNamed) tally.unchanged += 1;
    }
    return tally;
  }

  #writeChanges({ id, current, changed }: MergedRecord): void {
    const fields = [...changed];
    this.#connection
      .prepare<Value[]>(
        `UPDATE ${this.#resource} SET ${fields.map((field) => `${field} = ?`).join(', ')} WHERE id = ?`,
      )
      .run(...fields.map((field) => current[field]!), id);
  }
}

/** A field as sources know it: the value they gave last, or else the current one. */
export function sourceValue({ fromSource, current }: MergedRecord, field: string): Value {
  const given = fromSource[field];
  return given === undefined ? current[field]! : given;
}
