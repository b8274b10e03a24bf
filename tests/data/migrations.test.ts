/**
 * A database of each released schema is brought up to the current one, and keeps all that it holds. Whatever
 * happens meanwhile, there is the old database or the new one, and each copy is whole. A change of the schema
 * writes the database of the new one:
 *
 *   AWARDS_UPDATE_GOLDEN=1 npx vitest run tests/data/migrations.test.ts && git add tests/records/schemas
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { resourceNames } from '../../api/contract/names.ts';
import { UserError } from '../../data/system/messages.ts';
import { backUp, restore } from '../../data/backup.ts';
import { migrations, schemaOf, type Upgrade } from '../../data/database/migrations.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { insertRecord, nextId } from '../../data/record/edits.ts';
import { findKey } from '../../data/record/keys.ts';
import { listReceipts } from '../../data/record/receipts.ts';
import { failCalls, interceptCalls } from '../support/intercepted-calls.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { keep, keptKey, keptSchemas, restoreKept } from '../records/kept-databases.ts';

const currentSchema = migrations.length;
let folder: string;
const db = () => join(folder, 'awards.db');
const files = () => readdirSync(folder).sort();
beforeEach(() => {
  folder = temporaryFolder();
});

/** What the schema of a database consists of. */
const schemaIn = (connection: Connection) =>
  connection
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name')
    .all() as Record<string, string>[];

/** Table → its rows. */
function contentOf(connection: Connection): Map<string, Record<string, unknown>[]> {
  const tables = schemaIn(connection).filter(({ type }) => type === 'table');
  return new Map(
    tables.map(({ name }) => [name!, connection.prepare(`SELECT * FROM ${name}`).all()]) as [string, []][],
  );
}

function inFile<T>(file: string, work: (connection: Connection) => T): T {
  const connection = new Database(file);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

describe('the released schemas', () => {
  it('are numbered without a gap, and each has its database', () => {
    if (process.env.AWARDS_UPDATE_GOLDEN) keep(currentSchema, openDatabase(':memory:'));
    const numbers = Array.from(migrations, (_, index) => index + 1);
    expect(migrations.map(({ name }) => Number(/^([0-9]{3})-[a-z-]+\.sql$/.exec(name)?.[1]))).toEqual(
      numbers,
    );
    expect(keptSchemas).toEqual(numbers);
  });

  it.each(keptSchemas)('schema %i becomes that of a new database, and keeps every value', (schema) => {
    restoreKept(schema, db());
    const [before, old] = inFile(
      db(),
      (connection) => [contentOf(connection), schemaOf(connection)] as const,
    );
    expect(old).toBe(schema);
    const connection = openDatabase(db(), { check: true, upgrade: { keepsCopy: true } });
    expect(schemaIn(connection)).toEqual(schemaIn(openDatabase(':memory:')));
    const after = contentOf(connection);
    for (const [table, rows] of before) {
      if (table === 'sqlite_sequence') expect(after.get(table)).toEqual(expect.arrayContaining(rows));
      else expect(after.get(table), table).toEqual(rows.map((row) => expect.objectContaining(row)));
    }
    expect(findKey(connection, keptKey)).toBe('editor');
    expect(findKey(connection, 'another key')).toBeUndefined();
    expect(listReceipts(connection, { limit: 10 })).toHaveLength(2);
    // Another nominee had the id 90.
    expect(nextId(connection, 'nominees')).toBe(91);
    connection.close();
  });

  it('know from receipts what editors deleted of imports, not what they added themselves or brought back', () => {
    restoreKept(1, db());
    const [film, song] = ['{"title":"F","filmindex_id":"tt1"}', '{"original_title":"S"}'];
    const nomination =
      '{"ceremony_id":1,"category_id":2,"movie_id":3,"nominee_id":4,"song_id":null,"winner":true}';
    const receipts: readonly (readonly [
      action: string,
      resource: string,
      id: number,
      record: string,
      key?: string,
    ])[] = [
      ['create', 'movies', 91, film],
      ['delete', 'movies', 91, film],
      ['delete', 'movies', 92, film],
      ['create', 'movies', 92, film],
      ['delete', 'movies', 93, film],
      ['create', 'movies', 93, film],
      ['delete', 'movies', 93, '{"title":"G","filmindex_id":null}'],
      ['delete', 'songs', 94, song, 'import'],
      ['delete', 'songs', 95, song],
      ['update', 'nominations', 96, nomination],
      ['delete', 'nominations', 96, nomination],
      ['delete', 'ceremonies', 97, '{"ceremony_year":2030,"show_title":null,"venue":"V"}'],
    ];
    inFile(db(), (connection) => {
      connection.exec('DELETE FROM receipts');
      const add = connection.prepare(
        `INSERT INTO receipts (at, key_name, action, resource, record_id, before, after, revision)
         VALUES ('2026-11-22', ?, ?, ?, ?, ?, ?, 24)`,
      );
      for (const [action, resource, id, record, key = 'editor'] of receipts)
        add.run(
          ...[key, action, resource, id],
          action === 'create' ? null : record,
          action === 'delete' ? null : record,
        );
    });
    const connection = openDatabase(db(), { upgrade: { keepsCopy: false } });
    const known = connection
      .prepare('SELECT resource, record_id, fields FROM deleted ORDER BY id')
      .raw()
      .all();
    expect(known).toEqual([
      ['movies', 93, '{"title":"G","filmindex_id":null}'],
      ['songs', 95, song],
      ['nominations', 96, '{"ceremony_id":1,"category_id":2,"movie_id":3,"nominee_id":4,"song_id":null}'],
      ['ceremonies', 97, '{"ceremony_year":2030,"show_title":null}'],
    ]);
    connection.close();
  });

  it('has the same triggers on each table of the record', () => {
    const triggers = schemaIn(openDatabase(':memory:')).filter(({ type }) => type === 'trigger');
    const of = (table: string) =>
      triggers
        .filter(({ name }) => /_(inserted|deleted|updated|forgotten|renumbered)$/.test(name!))
        .filter(({ tbl_name }) => tbl_name === table)
        .map(({ sql }) => sql!.replaceAll(table, 'TABLE'));
    for (const table of resourceNames) expect(of(table), table).toEqual(of('movies'));
    expect(of('movies')).toHaveLength(5);
  });
});

const tableOf = (name: string) =>
  schemaIn(openDatabase(':memory:')).find((entry) => entry.type === 'table' && entry.name === name)!.sql!;

/** Adds a column and a table, changes rows, and makes a table anew that others refer to. */
const statements = [
  'ALTER TABLE ceremonies ADD COLUMN motto TEXT',
  "UPDATE ceremonies SET motto = 'M'",
  'CREATE TABLE deletions (resource TEXT NOT NULL, record_id INTEGER NOT NULL) STRICT',
  tableOf('nominees').replace(/nominees"? \(/, 'new_nominees (is_known INTEGER NOT NULL,'),
  'INSERT INTO new_nominees SELECT 1, * FROM nominees',
  'DROP TABLE nominees',
  'ALTER TABLE new_nominees RENAME TO nominees',
];
const nextMigration = (sql: string) => [...migrations, { name: 'next.sql', sql }];
const list = nextMigration(statements.join(';'));
const next = currentSchema + 1;
const copyName = `awards.db.before-${next}`;

function upgrade(using = list, file = db()): Upgrade | undefined {
  let done: Upgrade | undefined;
  const onDone = (report: Upgrade) => {
    done = report;
  };
  openDatabase(file, { migrations: using, timeoutMs: 0, upgrade: { keepsCopy: true, onDone } }).close();
  return done;
}

describe('an upgrade', () => {
  let before: ReturnType<typeof contentOf>;
  beforeEach(() => {
    restoreKept(currentSchema, db());
    before = inFile(db(), contentOf);
  });
  const known = new Map<string, number>();
  /** The schema, if the content is the one that belongs to it. What has the bytes of an earlier file has its state. */
  function stateOf(file: string): number {
    const parts = ['', '-wal', '-journal'].map((suffix) => file + suffix).filter((part) => existsSync(part));
    const key = parts.map((part) => readFileSync(part, 'latin1')).join('\n');
    const state = known.get(key) ?? checkedState(file);
    known.set(key, state);
    return state;
  }
  function checkedState(file: string): number {
    return inFile(file, (connection) => {
      expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
      const content = contentOf(connection);
      if (schemaOf(connection) === currentSchema) expect(content).toEqual(before);
      else {
        expect(content.get('ceremonies')).toEqual(
          before.get('ceremonies')!.map((row) => ({ ...row, motto: 'M' })),
        );
        expect(content.get('nominees')).toEqual(
          before.get('nominees')!.map((row) => ({ ...row, is_known: 1 })),
        );
        expect(content.get('changes')).toEqual(before.get('changes'));
      }
      return schemaOf(connection);
    });
  }

  it('runs what is missing, keeps a checked copy, and leaves a database as a new one has it', () => {
    chmodSync(db(), 0o640);
    expect(upgrade()).toEqual({ from: currentSchema, to: next, copy: join(folder, copyName) });
    expect([files(), stateOf(db()), stateOf(join(folder, copyName))]).toEqual([
      ['awards.db', copyName],
      next,
      currentSchema,
    ]);
    expect(statSync(join(folder, copyName)).mode & 0o777).toBe(0o640);
    const [upgraded, fresh] = [
      openDatabase(db(), { migrations: list }),
      openDatabase(':memory:', { migrations: list }),
    ];
    expect(schemaIn(upgraded)).toEqual(schemaIn(fresh));
    expect(upgraded.pragma('foreign_key_check')).toEqual([]);
    expect(upgraded.pragma('foreign_keys', { simple: true })).toBe(1);
    // The table was made anew; the ids of deleted rows are not given again, and the change log notes new
    // rows.
    upgraded.exec("INSERT INTO nominees (name, is_known) VALUES ('New', 0)");
    expect(upgraded.prepare('SELECT resource, record_id FROM changes ORDER BY seq DESC').get()).toEqual({
      resource: 'nominees',
      record_id: 91,
    });
    upgraded.close();
    expect([upgrade(), files()]).toEqual([undefined, ['awards.db', copyName]]);
  });

  it('keeps the highest id of a table without rows, and forgets that of a table that goes', () => {
    inFile(db(), (connection) =>
      connection.exec(`
        CREATE TABLE passing (id INTEGER PRIMARY KEY AUTOINCREMENT) STRICT;
        INSERT INTO passing DEFAULT VALUES;
        DELETE FROM nominations;
        DELETE FROM nominees;
      `),
    );
    upgrade(nextMigration(`${statements.join(';')};DROP TABLE passing`));
    inFile(db(), (connection) => {
      const names = connection.prepare('SELECT name FROM sqlite_sequence').pluck().all();
      expect(names).toEqual([...new Set(names)]);
      expect(names).not.toContain('passing');
      expect(nextId(connection, 'nominees')).toBe(91);
    });
  });

  it('keeps the copy beside the file that a link leads to', () => {
    mkdirSync(join(folder, 'links'));
    symlinkSync(db(), join(folder, 'links/awards.db'));
    upgrade(list, join(folder, 'links/awards.db'));
    expect([files(), readdirSync(join(folder, 'links'))]).toEqual([
      ['awards.db', copyName, 'links'],
      ['awards.db'],
    ]);
  });

  it('never replaces an earlier copy, and makes no second one of the same state', () => {
    const original = readFileSync(db());
    writeFileSync(join(folder, copyName), 'an earlier copy');
    expect(basename(upgrade()!.copy!)).toBe(`${copyName}-2`);
    expect(readFileSync(join(folder, copyName), 'utf8')).toBe('an earlier copy');
    // As after a kill between the copy and the end of the transaction.
    writeFileSync(db(), original);
    expect(basename(upgrade()!.copy!)).toBe(`${copyName}-2`);
    expect(files()).toEqual(['awards.db', copyName, `${copyName}-2`]);
  });

  it('keeps the copy of an interrupted upgrade where the next one fails', () => {
    const original = readFileSync(db());
    upgrade();
    writeFileSync(db(), original);
    expect(() => upgrade(nextMigration('SELECT * FROM missing'))).toThrow(/no such table: missing/);
    expect([files(), stateOf(db())]).toEqual([['awards.db', copyName], currentSchema]);
  });

  it('leaves the old database or the new one, and a whole copy or none, wherever it is killed', () => {
    // SQLite runs the statements of a migration in one call: a function shows the moments between them.
    const shown = nextMigration(statements.map((statement) => `${statement};SELECT moment();`).join(''));
    const seen = new Set<string>();
    let [moments, between] = [0, 0];
    const scratch = temporaryFolder();
    const look = () => {
      moments += 1;
      for (const name of files()) copyFileSync(join(folder, name), join(scratch, name));
      const copy = join(scratch, copyName);
      seen.add(`${stateOf(join(scratch, 'awards.db'))} ${existsSync(copy) ? stateOf(copy) : 'none'}`);
      for (const name of readdirSync(scratch)) rmSync(join(scratch, name));
      return 1;
    };
    const interception = interceptCalls(folder, ({ connection, name }, proceed) => {
      if (connection?.open && name === 'exec')
        connection.function('moment', () => {
          between += 1;
          return look();
        });
      look();
      return proceed();
    });
    try {
      upgrade(shown);
    } finally {
      interception.end();
    }
    look();
    expect([...seen]).toEqual([
      `${currentSchema} none`,
      `${currentSchema} ${currentSchema}`,
      `${next} ${currentSchema}`,
    ]);
    expect(between).toBe(statements.length);
    expect(moments).toBeGreaterThan(2 * between);
  });

  it.each([
    ['a full disk', 'ENOSPC', 'SQLITE_FULL'],
    ['a failing disk', 'EIO', 'SQLITE_IOERR'],
  ] as const)(
    'says in one line that %s stopped it, leaves the old database, and works afterwards',
    (_, file, database) => {
      const original = readFileSync(db());
      for (let from = 1; ; from += 1) {
        const interception = failCalls(folder, { from, calls: 1, file, database, undone: false });
        let failure: unknown;
        try {
          upgrade();
        } catch (error) {
          failure = error;
        } finally {
          interception.end();
        }
        if (interception.calls < from) break;
        if (failure !== undefined) {
          expect(failure).toBeInstanceOf(UserError);
          expect((failure as Error).message).not.toContain('\n');
        }
        expect([currentSchema, next]).toContain(stateOf(db()));
        // Where even a removal fails, a whole copy stays.
        for (const name of files().filter((each) => each.startsWith('awards.db.before')))
          expect(stateOf(join(folder, name))).toBe(currentSchema);
        for (const name of files()) rmSync(join(folder, name));
        writeFileSync(db(), original);
      }
      upgrade();
      expect(stateOf(db())).toBe(next);
    },
  );

  it.each([
    [
      'a statement that fails',
      'CREATE TABLE new (id INTEGER); SELECT * FROM missing',
      /no such table: missing/,
    ],
    ['a migration that breaks references', 'DELETE FROM movies', /references to rows that are not there/],
  ])('is undone by %s', (_, sql, reason) => {
    expect(() => upgrade(nextMigration(sql))).toThrow(reason);
    expect(() => upgrade(nextMigration(sql))).toThrow(
      new RegExp(`^cannot upgrade \\S+ to schema ${next}, and left it as it was: `),
    );
    expect([files(), stateOf(db())]).toEqual([['awards.db'], currentSchema]);
  });

  it.each<[string, (connection: Connection) => unknown]>([
    ['that only has it open', (connection) => connection.pragma('user_version')],
    ['that writes', (connection) => connection.exec('BEGIN IMMEDIATE')],
  ])('waits for no program %s: it says that the program has to stop', (_, work) => {
    const other = openDatabase(db());
    work(other);
    expect(() => upgrade()).toThrow(/another program uses it, such as "awards serve"; stop it, then run/);
    other.close();
    expect([files(), stateOf(db())]).toEqual([['awards.db'], currentSchema]);
  });

  it('takes the writes that are still in the log', () => {
    const writer = openDatabase(db());
    insertRecord(writer, 'movies', { id: 77, title: 'In the log' });
    for (const suffix of ['', '-wal']) copyFileSync(db() + suffix, join(folder, `left${suffix}`));
    writer.close();
    for (const suffix of ['', '-wal']) copyFileSync(join(folder, `left${suffix}`), db() + suffix);
    const { copy } = upgrade()!;
    for (const file of [db(), copy!])
      expect(inFile(file, (it) => it.prepare('SELECT title FROM movies WHERE id = 77').pluck().get())).toBe(
        'In the log',
      );
  });

  it('happens only where it is asked for', () => {
    expect(() => openDatabase(db(), { migrations: list })).toThrow(
      `${db()} has schema ${currentSchema}, and this version of the program has schema ${next}; "awards build" upgrades it`,
    );
    expect([files(), stateOf(db())]).toEqual([['awards.db'], currentSchema]);
  });
});

describe('a newer schema', () => {
  it('is backed up as it is, and gives way to the copy that the upgrade kept', async () => {
    restoreKept(currentSchema, db());
    const { copy } = upgrade()!;
    expect(() => openDatabase(db(), { upgrade: { keepsCopy: true } })).toThrow(
      /has schema \d+, and this version of the program knows schemas up to \d+; use the version that wrote it, or a newer one$/,
    );
    const backup = join(folder, 'backup.db');
    backUp(db(), backup);
    expect(inFile(backup, schemaOf)).toBe(next);
    expect(() => restore(backup, db())).toThrow(/backup\.db has schema \d+, .*; nothing was restored$/);
    const { replaced } = restore(copy!, db());
    expect([inFile(db(), schemaOf), inFile(replaced!, schemaOf)]).toEqual([currentSchema, next]);
    openDatabase(db(), { check: true }).close();
  });
});
