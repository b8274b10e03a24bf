/**
 * The promise: what editors change or delete between editions of the record stays so, and all else is as in
 * the last edition alone: undone changes and deletions leave nothing behind. A record keeps its id. The
 * editions are made up, each the one before with corrections.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ResourceName } from '../../api/contract/names.ts';
import { revision } from '../../data/database/changes.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { deleteRecord, insertRecord, readRecord, referrersOf } from '../../data/record/edits.ts';
import type { RecordFields } from '../../data/record/validation.ts';
import { runSeed } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { column, contentOf, importText, type Row, recordOf } from '../records/record-text.ts';

interface Thing {
  id: string;
  name: string;
}

interface MadeUpRow {
  ceremony: number;
  category: string;
  films: Thing[];
  nominees: Thing[];
  winner: boolean;
  detail: string;
  note: string;
  isHonor: boolean;
}

const categories = [
  ...['DIRECTING', 'BEST PICTURE', 'ACTRESS IN A LEADING ROLE', 'MUSIC (Original Song)'],
  ...['CINEMATOGRAPHY', 'CINEMATOGRAPHY (Color)'],
];
/** Few names, so that different things share one. */
const names = ['Ann', 'Ben', 'Cy', 'Dee "D" Doe'];

/** A correction: what it is, and two numbers that choose where and how. */
type Correction = [kind: number, where: number, how: number];
const anyCorrection = fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000)) as fc.Arbitrary<Correction>;

class Edition {
  #rows: MadeUpRow[] = [];
  readonly #films = Array.from({ length: 3 }, (_, at) => ({ id: `tt${at + 1}`, name: names[at % 2]! }));
  readonly #nominees = Array.from({ length: 4 }, (_, at) => ({ id: `nm${at + 1}`, name: names[at % 3]! }));

  constructor() {
    for (let at = 0; at < 6; at += 1) this.#add(at * 7, at * 5);
  }

  text(): string {
    return recordOf(...this.#rows.map(rowOf));
  }

  correct([kind, where, how]: Correction): void {
    const row = this.#rows[where % this.#rows.length]!;
    const nominee = this.#nominees[how % this.#nominees.length]!;
    const kinds: (() => unknown)[] = [
      () => this.#add(where, how),
      () => this.#add(where, how, true),
      // A file without rows is refused.
      () => this.#rows.length > 1 && this.#rows.splice(where % this.#rows.length, 1),
      () => void this.#rows.reverse(),
      () => Object.assign(row, { winner: !row.winner }),
      () => Object.assign(row, { category: categories[how % categories.length]! }),
      () => Object.assign(row, { ceremony: 96 + (how % 3) }),
      () => Object.assign(row, { note: how % 3 === 0 ? '' : `NOTE: ${names[how % 4]} ${how % 5}` }),
      () => Object.assign(row, { detail: how % 3 === 0 ? '' : `Detail ${how % 3}` }),
      () =>
        Object.assign(row, { nominees: row.nominees.length > 1 ? [nominee] : [...row.nominees, nominee] }),
      () => Object.assign(row, { films: [this.#films[how % this.#films.length]!] }),
      () => Object.assign(this.#films[where % this.#films.length]!, { name: names[how % 4] }),
      () => Object.assign(nominee, { name: names[where % 4] }),
      // Another spelling in one row.
      () =>
        Object.assign(row, { nominees: row.nominees.map((each) => ({ ...each, name: names[how % 4]! })) }),
      () => toggleId(this.#films[where % this.#films.length]!, `tt${1 + (where % this.#films.length)}`),
      () => toggleId(nominee, `nm${1 + (how % this.#nominees.length)}`),
      () => toggleId(nominee, `co${1 + (how % this.#nominees.length)}`),
    ];
    kinds[kind % kinds.length]!();
  }

  #add(where: number, how: number, isHonor = false): void {
    const film = this.#films[where % this.#films.length]!;
    const nominee = this.#nominees[how % this.#nominees.length]!;
    this.#rows.splice(where % (this.#rows.length + 1), 0, {
      ...{ ceremony: 96 + (how % 3), category: categories[(where + how) % categories.length]!, isHonor },
      films: how % 4 === 0 ? [film, this.#films[(where + 1) % this.#films.length]!] : [film],
      nominees: where % 3 === 0 ? [nominee, this.#nominees[(how + 1) % this.#nominees.length]!] : [nominee],
      ...{ winner: false, detail: `Detail ${how % 2}`, note: '' },
    });
  }
}

function toggleId(thing: Thing, id: string): void {
  thing.id = thing.id === '?' ? id : '?';
}

function rowOf({ ceremony, category, films, nominees, winner, detail, note, isHonor }: MadeUpRow): Row {
  const joined = (things: readonly Thing[], field: keyof Thing) =>
    things.map((each) => each[field]).join('|');
  return {
    ...{ Ceremony: String(ceremony), Year: String(1927 + ceremony), Winner: winner ? 'True' : '' },
    ...{ Class: isHonor ? 'Special' : 'X', CanonicalCategory: category, Category: `OLD ${category}` },
    ...{ Film: joined(films, 'name'), FilmId: joined(films, 'id') },
    ...{ Name: '', Nominees: joined(nominees, 'name'), NomineeIds: joined(nominees, 'id') },
    ...{ Detail: detail, Note: note, Citation: isHonor ? note : '' },
  };
}

/** An editor's change: two numbers that choose the field and the record. */
type Edit = [kind: number, which: number];
const anyEdit = fc.tuple(fc.nat(1000), fc.nat(1000)) as fc.Arbitrary<Edit>;

/**
 * Field → what makes the value of an editor from a number that is new each time, so that it is not that of
 * the source.
 */
const editable: Readonly<Record<string, (count: number) => unknown>> = {
  ...{
    'movies title': String,
    'movies overview': String,
    'nominees name': String,
    'nominees biography': String,
  },
  ...{ 'nominations note': String, 'nominations character': String, 'songs artist_names': String },
  'nominations winner': (count) => count % 2,
  'nominees filmindex_id': (count) => `nm${900 + count}`,
};

/** Changes, deletes and restores records as editors do. */
class Editors {
  /** "table field id" → the value of an editor, and the value before. */
  readonly edited = new Map<string, { value: unknown; before: unknown }>();
  readonly #deleted: { resource: ResourceName; record: RecordFields; edited: Editors['edited'] }[] = [];
  readonly #database: Connection;
  #count = 0;

  constructor(database: Connection) {
    this.#database = database;
  }

  edit([kind, which]: Edit): void {
    this.#count += 1;
    const [name, make] = Object.entries(editable)[kind % Object.keys(editable).length]!;
    const [table] = name.split(' ');
    const ids = column(this.#database, table!, 'id');
    if (ids.length === 0) return;
    const key = `${name} ${ids[which % ids.length]}`;
    const value = make(this.#count);
    const before = this.edited.has(key) ? this.edited.get(key)!.before : this.#value(key);
    if (this.#set(key, value) === 0) return;
    // A value that an editor brings back is that of the source.
    if (value === before) this.edited.delete(key);
    else this.edited.set(key, { value, before });
  }

  /** Deletes a record that nothing refers to. */
  delete([kind, which]: Edit): void {
    const resource = deletable[kind % deletable.length]!;
    const ids = (column(this.#database, resource, 'id') as number[]).filter(
      (id) => referrersOf(this.#database, resource, id).length === 0,
    );
    if (ids.length === 0) return;
    const id = ids[which % ids.length]!;
    const { record } = deleteRecord(this.#database, { resource, id, key: 'ann', at: new Date(0) });
    const own = new Map([...this.edited].filter(([key]) => new RegExp(`^${resource} .* ${id}$`).test(key)));
    for (const key of own.keys()) this.edited.delete(key);
    this.#deleted.push({ resource, record, edited: own });
  }

  /**
   * Expects that every value of an editor stands. Gives up those that the source gives as well by now: they
   * are the source's.
   */
  expectKept(): void {
    for (const [key, { value }] of this.edited) {
      expect(this.#value(key), key).toBe(value);
      if (this.#given(key) === value) this.edited.delete(key);
    }
    for (const { resource, record } of this.#deleted)
      expect(readRecord(this.#database, resource, record.id as number)).toBeUndefined();
  }

  /** Takes all changes back: to what the source gave last, or to what was there before. */
  undo(isToBefore: boolean): void {
    for (const { resource, record, edited } of this.#deleted.reverse()) {
      try {
        insertRecord(this.#database, resource, record);
        for (const [key, own] of edited) this.edited.set(key, own);
      } catch (error) {
        // An import has removed what the record referred to.
        expect((error as { code: string }).code).toBe('SQLITE_CONSTRAINT_FOREIGNKEY');
        this.#database
          .prepare('DELETE FROM deleted WHERE resource = ? AND record_id = ?')
          .run(resource, record.id);
      }
    }
    for (const [key, { before }] of this.edited)
      this.#set(key, (isToBefore ? before : this.#given(key)) ?? null);
  }

  #value(key: string): unknown {
    const [table, field, id] = key.split(' ') as [string, string, string];
    return this.#database.prepare(`SELECT ${field} FROM ${table} WHERE id = ?`).pluck().get(id);
  }

  #given(key: string): unknown {
    const [table, field, id] = key.split(' ') as [string, string, string];
    return this.#database
      .prepare<string[], unknown>(
        "SELECT fields ->> ? FROM given WHERE source = 'import' AND resource = ? AND record_id = ?",
      )
      .pluck()
      .get(field, table, id);
  }

  #set(key: string, value: unknown): number {
    const [table, field, id] = key.split(' ') as [string, string, string];
    return this.#database
      .prepare(`UPDATE ${table} SET ${field} = ? WHERE id = ? AND ${field} IS NOT ?`)
      .run(value, id, value).changes;
  }
}

const deletable: readonly ResourceName[] = ['nominations', 'movies', 'nominees', 'songs', 'honors'];

/** The ids of the films and nominees that have an external id. */
function identified(database: Connection): Map<unknown, number> {
  const ids = ['movies', 'nominees'].map(
    (table) => `SELECT filmindex_id, id FROM ${table} WHERE filmindex_id NOTNULL`,
  );
  return new Map(database.prepare(ids.join(' UNION ')).raw().all() as [unknown, number][]);
}

/** An edition: its corrections, and the edits after its import. */
const anyEdition = fc.record({
  corrections: fc.array(anyCorrection, { maxLength: 20 }),
  edits: fc.array(anyEdit, { minLength: 2, maxLength: 12 }),
  deletions: fc.array(anyEdit, { maxLength: 6 }),
});
const anyChain = fc.array(anyEdition, { minLength: 2, maxLength: 4 });

it.each([
  ['without edits', false, false, false],
  ['with edits that are taken back to what the source gave last', true, false, false],
  ['with edits that are taken back to what was there before', true, false, true],
  ['with edits and deletions', true, true, true],
])('%s', async (_, hasEdits, hasDeletions, isToBefore) => {
  await fc.assert(
    fc.asyncProperty(anyChain, async (chain) => {
      const [database, alone] = [openDatabase(':memory:'), openDatabase(':memory:')];
      const [edition, editors] = [new Edition(), new Editors(database)];
      const again = async () => importText(database, edition.text(), { force: true });
      for (const { corrections, edits, deletions } of chain) {
        for (const correction of corrections) edition.correct(correction);
        const before = identified(database);
        await again();
        if (!hasEdits)
          for (const [key, id] of identified(database)) expect(before.get(key) ?? id, `${key}`).toBe(id);
        editors.expectKept();
        if (hasEdits) for (const each of edits) editors.edit(each);
        if (!hasDeletions) continue;
        for (const each of deletions) editors.delete(each);
        const { resources } = await again();
        for (const [resource, { added }] of Object.entries(resources)) expect(added, resource).toBe(0);
        editors.expectKept();
      }
      await again();
      editors.expectKept();
      const before = revision(database);
      await again();
      expect(revision(database)).toBe(before);
      editors.undo(isToBefore);
      await again();
      await importText(alone, edition.text());
      expect(contentOf(database)).toEqual(contentOf(alone));
    }),
    { numRuns: runs(30), seed: runSeed, interruptAfterTimeLimit: 45_000 },
  );
});
