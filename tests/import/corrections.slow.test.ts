/** A newer edition of the record corrects an older one. What it no longer has is retired, unless an editor has touched it. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceName } from '../../api/contract/names.ts';
import { revision } from '../../data/database/changes.ts';
import { changeRecord, readRecord } from '../../data/record/edits.ts';
import { markGiven } from '../support/given.ts';

import { renderReport } from '../../data/import/merge.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { addReceipt, listReceipts } from '../../data/record/receipts.ts';
import { prepareInsert } from '../../data/record/records.ts';
import type { RecordFields } from '../../data/record/validation.ts';
import { runs } from '../support/settings.ts';
import { runSeed } from '../support/seed.ts';
import { anyCorrection, type Correction, Edition } from './editions.ts';
import { column, honor, importText, type Row, recordOf, song, useDatabase } from './record-text.ts';

const { connection, imported, edit, nominations, counts, expectNoChange } = useDatabase();

const other: Row = { Film: 'B', FilmId: 'tt2', Nominees: 'Someone', NomineeIds: 'nm2' };
const undetermined: Row = {
  CanonicalCategory: 'CASTING',
  Name: 'To be determined',
  Nominees: '',
  NomineeIds: '',
};
const determined: Row = { CanonicalCategory: 'CASTING', Name: 'Ann', Nominees: 'Ann', NomineeIds: 'nm3' };

/** Leaves a receipt of an editor, as the service does for each write. */
const touch = (database: Connection, resource: ResourceName, recordId: number) =>
  addReceipt(database, {
    ...{ at: new Date(0), key: 'ann', action: 'update', resource, recordId, before: {}, after: {} },
  });

describe('what the source no longer has', () => {
  it('is removed, with everything that only it referred to', async () => {
    await imported({}, { ...song, ...other, Ceremony: '96', Year: '2023' }, undetermined);
    const report = await imported({}, determined);
    expect(nominations()).toEqual(['97 Directing: Anora / Sean Baker*', '97 Casting: Anora / Ann*']);
    expect(counts()).toEqual({
      ...{ nominations: 2, ceremonies: 1, categories: 30, movies: 1, nominees: 2, songs: 0, honors: 0 },
    });
    expect(report.retired.map(({ resource, id }) => `${resource} ${id}`)).toEqual([
      ...[
        'nominations 2',
        'nominations 3',
        'movies 2',
        'nominees 2',
        'nominees 3',
        'songs 1',
        'ceremonies 96',
      ],
    ]);
    expect(column(connection(), 'categories', 'era').filter((era) => era !== null)).toEqual(['2025', '2025']);
  });

  it('is reported by name, and its receipts keep it', async () => {
    await imported({}, { ...song, ...other }, honor);
    const kept = readRecord(connection(), 'honors', 1);
    const report = await imported({});
    const text = renderReport(report);
    expect(text).toContain('removed: nominations 2 (2025 Music (Original Song): B / Someone)');
    expect(text).toContain('removed: honors 1 (2025 SPECIAL AWARD: Walt Disney)');
    expect(text).toContain('removed in all: 5 records that the source no longer has; receipts keep them');
    const receipts = listReceipts(connection(), { limit: 10 }).reverse();
    expect(receipts.map(({ key, action, after }) => [key, action, after])).toEqual(
      receipts.map(() => ['import', 'delete', null]),
    );
    expect(receipts.map(({ resource, record_id }) => `${resource} ${record_id}`)).toEqual(
      report.retired.map(({ resource, id }) => `${resource} ${id}`),
    );
    expect(receipts[0]!.before).toMatchObject({ id: 2, movie: 'B', nominee: 'Someone', winner: true });
    expect(receipts[0]!.before).toHaveProperty('details.entry', 1);
    expect(receipts[1]!.before).toEqual(kept);
    expect(receipts[2]!.before).toMatchObject({ id: 2, title: 'B', filmindex_id: 'tt2', genres: [] });
  });

  it('comes back under a new id if a later source has it again', async () => {
    await imported({}, other);
    await imported({});
    await imported({}, other);
    expect(column(connection(), 'movies', "id || ' ' || title")).toEqual(['1 Anora', '3 B']);
    await imported({});
    expect(column(connection(), 'movies', 'id')).toEqual([1]);
  });

  it('stays if an editor changed it, and a change that was undone counts as none', async () => {
    await imported({}, other, determined, { ...other, CanonicalCategory: 'CASTING' });
    edit(
      "UPDATE movies SET tagline = 'Ours' WHERE id = 2; UPDATE nominations SET note = 'Ours' WHERE id = 3",
    );
    touch(connection(), 'nominees', 2);
    const { kept } = await imported({});
    expect(column(connection(), 'movies', 'id')).toEqual([1, 2]);
    // Nominee 2 has a receipt of an editor only.
    expect(column(connection(), 'nominees', 'id')).toEqual([1, 3]);
    expect(nominations()).toEqual(['97 Directing: Anora / Sean Baker*', '97 Casting: Anora / Ann*']);
    expect(kept).toEqual([3]);
    await expectNoChange({});
  });

  it('does not stay for the values of enrichment, unless an editor changed one', async () => {
    const rows = [{}, other, determined];
    await imported(...rows);
    for (const id of [2, 3]) {
      const before = readRecord(connection(), 'nominees', id) as object as RecordFields;
      changeRecord(connection(), {
        ...{ resource: 'nominees', id, before, fields: { birthday: '1970-01-01' }, key: 'enrich:wikidata' },
        at: new Date(0),
      });
      markGiven(connection(), 'nominees', id, ['birthday'], 'wikidata');
    }
    edit("UPDATE nominees SET birthday = '1971-01-01' WHERE id = 3");
    await imported({});
    expect(column(connection(), 'nominees', 'id')).toEqual([1, 3]);
    expect(column(connection(), 'movies', 'id')).toEqual([1]);
  });

  it('stays if an editor made it, also if the source named it for a while', async () => {
    edit("INSERT INTO movies (id, title, filmindex_id) VALUES (7, 'B', 'tt2')");
    await imported({}, other);
    const { retired } = await imported({});
    expect(retired.map(({ resource, id }) => `${resource} ${id}`)).toEqual(['nominations 2', 'nominees 2']);
    expect(column(connection(), 'movies', 'id')).toEqual([7, 8]);
  });

  it('stays if the nomination of an editor refers to it', async () => {
    await imported({}, { ...song, ...other });
    edit(
      'INSERT INTO nominations (ceremony_id, category_id, movie_id, nominee_id, song_id) VALUES (97, 1, 2, 1, 1)',
    );
    await imported({});
    expect(counts()).toMatchObject({ nominations: 2, movies: 2, nominees: 1, songs: 1 });
  });

  it('stays in an honor that another program changed', async () => {
    const film = { ...honor, Film: 'B', FilmId: 'tt2', Nominees: 'Someone', NomineeIds: 'nm2' };
    await imported({}, other, film, { ...film, Citation: 'Another.' });
    expect(column(connection(), 'honors', 'movie_id')).toEqual([2, 2]);
    await imported({}, film);
    expect(column(connection(), 'honors', "ifnull(movie_id, '-') || nominee_ids")).toEqual(['-[]']);
    await imported({}, other, film);
    edit("UPDATE honors SET recipients = 'Ours'");
    await imported({});
    expect(column(connection(), 'honors', "movie_id || ' ' || nominee_ids")).toEqual(['3 [3]']);
    expect(counts()).toMatchObject({ movies: 2, nominees: 2, nominations: 1 });
  });

  it('is only listed by a dry run', async () => {
    const rows = [{}, { ...song, ...other }, honor];
    await imported(...rows);
    const before = revision(connection());
    const dry = await importText(connection(), recordOf({}, determined), { dryRun: true });
    expect(revision(connection())).toBe(before);
    expect(listReceipts(connection(), { limit: 1 })).toEqual([]);
    expect(renderReport(dry, { dryRun: true })).toContain('a dry run: nothing was changed');
    await expectNoChange(...rows);
    expect(await imported({}, determined)).toEqual(dry);
  });

  it('is refused above 2 % of the nominations, unless it is forced', async () => {
    const row = (at: number): Row => ({ Film: `Film ${at}`, FilmId: `tt${at}` });
    const rows = Array.from({ length: 100 }, (_, at) => row(at + 1));
    await importText(connection(), recordOf(...rows));
    await importText(connection(), recordOf(...rows.slice(2)));
    expect(counts().nominations).toBe(98);
    const before = revision(connection());
    await expect(importText(connection(), recordOf(...rows.slice(4)))).rejects.toThrow(
      /no longer has 2 of 98 nominations, more than 2 %, so nothing was imported;.*--dry-run.*--force/,
    );
    expect(revision(connection())).toBe(before);
    await importText(connection(), recordOf(...rows.slice(4)), { force: true });
    expect(counts()).toMatchObject({ nominations: 96, movies: 96 });
  });

  it('is refused above 2 % of any other resource too: a file without honors removes none', async () => {
    const honors = [honor, { ...honor, Citation: 'Another.' }];
    await imported({}, ...honors);
    const dry = await importText(connection(), recordOf({}), { dryRun: true });
    expect(renderReport(dry, { dryRun: true })).toContain('so many records would be removed');
    await expect(importText(connection(), recordOf({}))).rejects.toThrow(
      /no longer has 2 of 2 honors, more than 2 %, so nothing was imported/,
    );
    expect(counts().honors).toBe(2);
  });
});

/** The record without its ids: a line for each record, sorted. */
function contentOf(database: Connection): string[] {
  const queries = [
    `SELECT 'nomination', ceremony_id, category_name, movies.title, movies.filmindex_id, nominees.name, nominees.filmindex_id,
       original_title, winner, entry, character, note, official, historical_category
     FROM nominations JOIN categories ON categories.id = category_id JOIN movies ON movies.id = movie_id
     JOIN nominees ON nominees.id = nominee_id LEFT JOIN songs ON songs.id = song_id`,
    `SELECT 'honor', ceremony_id, class, category, recipients, citation, movies.filmindex_id, movies.title,
       (SELECT group_concat(name, '|' ORDER BY each.key) FROM json_each(nominee_ids) AS each JOIN nominees ON nominees.id = value)
     FROM honors LEFT JOIN movies ON movies.id = movie_id`,
    "SELECT 'movie', title, filmindex_id FROM movies",
    "SELECT 'nominee', name, filmindex_id, known_for_department FROM nominees",
    `SELECT DISTINCT 'song', original_title, artist_names, title, filmindex_id
     FROM songs LEFT JOIN nominations ON song_id = songs.id LEFT JOIN movies ON movies.id = movie_id`,
    "SELECT 'category', id, category_name, era FROM categories",
    "SELECT 'ceremony', * FROM ceremonies",
  ];
  return queries.flatMap((sql) =>
    database
      .prepare(sql)
      .raw()
      .all()
      .map((row) => JSON.stringify(row))
      .sort(),
  );
}

/** Imports editions, each made from the one before by some corrections. @returns the text of the last */
async function importChain(
  database: Connection,
  chain: readonly (readonly Correction[])[],
  between: (at: number) => void = () => {},
): Promise<string> {
  const edition = new Edition();
  for (const [at, corrections] of chain.entries()) {
    for (const correction of corrections) edition.correct(correction);
    await importText(database, edition.text(), { force: true });
    between(at);
  }
  return edition.text();
}

const anyChain = fc.array(fc.array(anyCorrection, { maxLength: 20 }), { minLength: 2, maxLength: 4 });

it('older editions and then a newer one end in the records of the newer one alone', async () => {
  await fc.assert(
    fc.asyncProperty(anyChain, async (chain) => {
      const [first, alone] = [openDatabase(':memory:'), openDatabase(':memory:')];
      const text = await importChain(first, chain);
      await importText(alone, text);
      expect(contentOf(first)).toEqual(contentOf(alone));
      const before = revision(first);
      await importText(first, text);
      expect(revision(first)).toBe(before);
    }),
    { numRuns: runs(24), seed: runSeed, interruptAfterTimeLimit: 45_000 },
  );
});

/** An editor's change: what it is, and two numbers that choose the record and how. */
type Edit = [kind: number, which: number, how: number];
const anyEdit = fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000)) as fc.Arbitrary<Edit>;

/** Changes records as editors do, through the service with a receipt or with another program, and remembers what they made. */
class Editors {
  /** Table, id and field → the value of an editor. */
  readonly edited = new Map<string, unknown>();
  /** Table and id of each record that an editor made or touched. */
  readonly touched = new Set<string>();
  readonly #database: Connection;
  #count = 0;

  constructor(database: Connection) {
    this.#database = database;
  }

  edit([kind, which, how]: Edit): void {
    this.#count += 1;
    // A new value each time, so that it cannot be that of the source.
    const value = `Edit ${this.#count}`;
    const kinds: (() => void)[] = [
      () => this.#update('movies', which, how % 2 === 0 ? 'title' : 'overview', value, how % 3 > 0),
      () => this.#update('nominees', which, how % 2 === 0 ? 'name' : 'biography', value, how % 3 > 0),
      () => this.#update('nominations', which, how % 2 === 0 ? 'note' : 'character', value, how % 3 > 0),
      () => this.#update('songs', which, 'artist_names', value, how % 3 > 0),
      () => this.#update('nominations', which, 'winner', how % 2, true),
      () => this.#update('nominations', which, 'nominee_id', this.#pick('nominees', how), true),
      () => this.#update('nominees', which, 'filmindex_id', `nm${900 + this.#count}`, true),
      () => this.#makeNomination(which, how, value),
    ];
    kinds[kind % kinds.length]!();
  }

  /** Gives up the values that the source gives as well by now: from then on they are the source's. */
  agree(): void {
    const given = this.#database
      .prepare<[string, string, string], unknown>(
        "SELECT fields ->> ? FROM given WHERE source = 'import' AND resource = ? AND record_id = ?",
      )
      .pluck();
    for (const [key, value] of this.edited) {
      const [table, id, field] = key.split(' ') as [string, string, string];
      if (given.get(field, table, id) === value) this.edited.delete(key);
    }
  }

  #pick(table: string, which: number): number {
    const ids = column(this.#database, table, 'id') as number[];
    return ids[which % ids.length]!;
  }

  #update(table: ResourceName, which: number, field: string, value: unknown, hasReceipt: boolean): void {
    if (column(this.#database, table, 'id').length === 0) return;
    const id = this.#pick(table, which);
    const before = this.#database.prepare(`SELECT ${field} FROM ${table} WHERE id = ?`).pluck().get(id);
    if (before === value) return;
    this.#database.prepare(`UPDATE ${table} SET ${field} = ? WHERE id = ?`).run(value, id);
    if (hasReceipt) touch(this.#database, table, id);
    this.edited.set(`${table} ${id} ${field}`, value);
    this.touched.add(`${table} ${id}`);
  }

  #makeNomination(which: number, how: number, title: string): void {
    const insert = (table: ResourceName, values: Record<string, unknown>) => {
      const { lastInsertRowid } = prepareInsert(this.#database, table, Object.keys(values))(values);
      this.touched.add(`${table} ${lastInsertRowid}`);
      return Number(lastInsertRowid);
    };
    const movie_id = how % 2 === 0 ? insert('movies', { title }) : this.#pick('movies', which);
    const nominee_id = how % 3 === 0 ? insert('nominees', { name: title }) : this.#pick('nominees', how);
    insert('nominations', {
      ceremony_id: this.#pick('ceremonies', how),
      category_id: 7,
      movie_id,
      nominee_id,
    });
  }
}

/** The records of a table that sources named, by what they gave last, with names instead of ids: key → id. */
function namedRecords(database: Connection, table: ResourceName): Map<string, number> {
  const memory = (of: ResourceName) =>
    new Map(
      database
        .prepare<[string], { id: number; fields: string }>(
          "SELECT record_id AS id, fields FROM given WHERE source = 'import' AND resource = ? ORDER BY record_id DESC",
        )
        .all(of)
        .map(({ id, fields }) => [id, JSON.parse(fields) as Record<string, unknown>]),
    );
  const given = { movies: memory('movies'), nominees: memory('nominees'), songs: memory('songs') };
  const nominations = memory('nominations');
  const keyOf = (of: keyof typeof given, id: unknown) => {
    const { filmindex_id, title, name, original_title } = given[of].get(id as number) ?? {};
    return String(filmindex_id ?? title ?? name ?? original_title);
  };
  if (table === 'movies' || table === 'nominees')
    return new Map([...given[table].keys()].map((id) => [keyOf(table, id), id]));
  const keys = [...nominations].map(([id, { ceremony_id, category_id, movie_id, nominee_id, song_id }]) => {
    const song = [keyOf('movies', movie_id), song_id === null ? '' : keyOf('songs', song_id)];
    if (table === 'songs') return [song.join(' / '), song_id as number | null] as const;
    return [[ceremony_id, category_id, keyOf('nominees', nominee_id), ...song].join(' / '), id] as const;
  });
  return new Map(keys.flatMap(([key, id]) => (id === null ? [] : [[key, id]])));
}

/** The fields of a record that neither refer nor are derived. */
function plainFields(database: Connection, table: ResourceName, id: number): Record<string, unknown> {
  const row = database
    .prepare<[number], Record<string, unknown>>(`SELECT * FROM ${table} WHERE id = ?`)
    .get(id)!;
  const { id: _, known_for_department, movie_id, nominee_id, song_id, entry, ...plain } = row;
  return plain;
}

it('editors between the editions lose nothing, and all else is as if there were none', async () => {
  const anyEdits = fc.array(fc.array(anyEdit, { minLength: 2, maxLength: 12 }), {
    minLength: 3,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(anyChain, anyEdits, async (chain, edits) => {
      const [database, alone] = [openDatabase(':memory:'), openDatabase(':memory:')];
      const editors = new Editors(database);
      const text = await importChain(database, chain, (at) => {
        editors.agree();
        if (at < chain.length - 1) for (const each of edits[at]!) editors.edit(each);
        editors.agree();
      });
      await importText(alone, text);
      for (const [key, value] of editors.edited) {
        const [table, id, field] = key.split(' ');
        expect(database.prepare(`SELECT ${field} FROM ${table} WHERE id = ?`).pluck().get(id), key).toBe(
          value,
        );
      }
      for (const table of ['movies', 'nominees', 'songs', 'nominations'] as const) {
        const named = namedRecords(database, table);
        const expected = namedRecords(alone, table);
        const matched = new Set<number>();
        for (const [key, id] of expected) {
          const own = named.get(key)!;
          expect(own, `${table}: ${key}`).toBeDefined();
          matched.add(own);
          const isEdited = (field: string) => editors.edited.has(`${table} ${own} ${field}`);
          const unedited = (fields: Record<string, unknown>) =>
            Object.fromEntries(Object.entries(fields).filter(([field]) => !isEdited(field)));
          expect(unedited(plainFields(database, table, own)), key).toEqual(
            unedited(plainFields(alone, table, id)),
          );
        }
        const field = { movies: 'movie_id', nominees: 'nominee_id', songs: 'song_id', nominations: 'id' }[
          table
        ];
        const others = (column(database, table, 'id') as number[]).filter((id) => !matched.has(id));
        const needed = new Set(table === 'nominations' ? [] : column(database, 'nominations', field));
        const unexplained = others.filter((id) => !editors.touched.has(`${table} ${id}`) && !needed.has(id));
        expect(unexplained, table).toEqual([]);
      }
      const before = revision(database);
      await importText(database, text);
      expect(revision(database)).toBe(before);
    }),
    { numRuns: runs(24), seed: runSeed, interruptAfterTimeLimit: 45_000 },
  );
});
