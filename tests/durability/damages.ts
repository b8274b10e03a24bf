/** What may happen to the files of a database while a program has it open. */
import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Damage {
  /** Does it to a database. */
  damage: (db: string) => void;
  /** The file that the error names. */
  path: (db: string) => string;
  how: 'replaced' | 'removed';
}

/** Another file takes the place of a file in one step, with the same bytes. */
function replace(file: string): void {
  copyFileSync(file, `${file}.other`);
  renameSync(`${file}.other`, file);
}

const database = (db: string) => db;
const log = (db: string) => `${db}-wal`;
const logIndex = (db: string) => `${db}-shm`;
const each = (suffixes: readonly string[], act: (file: string) => void) => (db: string) => {
  for (const suffix of suffixes) act(db + suffix);
};
const allFiles = ['', '-wal', '-shm'];

export const damages: Readonly<Record<string, Damage>> = {
  'the database is replaced': { damage: each([''], replace), path: database, how: 'replaced' },
  'the database is removed': { damage: each([''], rmSync), path: database, how: 'removed' },
  'the database is renamed': {
    damage: (db) => renameSync(db, `${db}.renamed`),
    path: database,
    how: 'removed',
  },
  'the log is removed': { damage: each(['-wal'], rmSync), path: log, how: 'removed' },
  'the log is replaced': { damage: each(['-wal'], replace), path: log, how: 'replaced' },
  'the log is replaced by an empty one': {
    damage(db) {
      rmSync(log(db));
      writeFileSync(log(db), '');
    },
    path: log,
    how: 'replaced',
  },
  'the index of the log is removed': { damage: each(['-shm'], rmSync), path: logIndex, how: 'removed' },
  'all three files are replaced': { damage: each(allFiles, replace), path: database, how: 'replaced' },
  'the folder is removed': {
    damage: (db) => rmSync(dirname(db), { recursive: true }),
    path: database,
    how: 'removed',
  },
  'the folder is renamed': {
    damage: (db) => renameSync(dirname(db), `${dirname(db)}.renamed`),
    path: database,
    how: 'removed',
  },
  'the folder is replaced': {
    damage(db) {
      renameSync(dirname(db), `${dirname(db)}.renamed`);
      mkdirSync(dirname(db));
      for (const suffix of allFiles)
        copyFileSync(`${dirname(db)}.renamed${db.slice(dirname(db).length)}${suffix}`, db + suffix);
    },
    path: database,
    how: 'replaced',
  },
};
