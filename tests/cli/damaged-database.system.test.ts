/** The promise: every command refuses a malformed database in one line that names the way out, and leaves it as it is. */
import { closeSync, copyFileSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { program } from '../../build/cli/program.ts';
import { openDatabase } from '../../data/database/open.ts';
import { UserError } from '../../build/system/messages.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
/** Of the table of songs. */
let rootPage: number;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = temporaryFolder();
  const connection = openDatabase(at('sound.db'));
  fillWithNastyRecord(connection);
  rootPage = connection
    .prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'songs'")
    .pluck()
    .get()!;
  connection.close();
});

// "enrich tmdb" asks for it first. No request is made.
vi.stubEnv('TMDB_TOKEN', 'token');

/** The page size of SQLite. */
const pageBytes = 4096;

function overwrite(file: string, from: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, from);
  closeSync(descriptor);
}

const damages: Readonly<Record<string, (file: string) => void>> = {
  'the first page behind the header': (file) => overwrite(file, 100, Buffer.alloc(pageBytes - 100, 7)),
  'pages in the middle': (file) => overwrite(file, 4 * pageBytes, Buffer.alloc(20 * pageBytes, 7)),
  // The other tables are sound: most commands do not read this one.
  'the page of the songs': (file) => overwrite(file, (rootPage - 1) * pageBytes, Buffer.alloc(pageBytes, 7)),
  'the second half': (file) => truncateSync(file, statSync(file).size >> 1),
};

/** Every command with a database → its other words. "restore" is for such a database, and "doctor" reports it. */
const commands: Readonly<Record<string, readonly string[]>> = {
  sample: [],
  import: ['none.tsv'],
  generate: [],
  build: ['--out', 'DIR/dist'],
  verify: ['--out', 'DIR/dist'],
  publish: ['--out', 'DIR/dist', '--to', 'DIR/published'],
  serve: ['--out', 'DIR/dist', '--port', '0'],
  start: ['--out', 'DIR/dist', '--port', '0'],
  'keys create': ['editor'],
  'keys list': [],
  'keys revoke': ['editor'],
  'enrich wikidata': ['none.json'],
  'enrich tmdb': [],
  'enrich queries': ['DIR/queries'],
  backup: ['DIR/backup.db'],
};

function namesOf(command: Command, parent = ''): string[] {
  return command.commands.flatMap((sub) => {
    const name = `${parent}${sub.name()}`;
    const takesDatabase = sub.options.some(({ long }) => long === '--db');
    return [...(takesDatabase ? [name] : []), ...namesOf(sub, `${name} `)];
  });
}

it('every command with a database is in this test', () => {
  const others = ['restore', 'doctor'];
  expect(
    namesOf(program())
      .filter((name) => !others.includes(name))
      .sort(),
  ).toEqual(Object.keys(commands).sort());
});

describe.each(Object.entries(damages))('%s destroyed', (name, damage) => {
  const file = () => at(`${name}.db`);
  const run = (words: readonly string[]) =>
    program().parseAsync(
      [...words, '--db', file()].map((word) => word.replace('DIR', folder)),
      { from: 'user' },
    );
  beforeAll(() => {
    copyFileSync(at('sound.db'), file());
    damage(file());
  });

  it.each(Object.entries(commands))('%s', async (command, words) => {
    const before = readFileSync(file());
    const error = await run([...command.split(' '), ...words]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect((error as Error).message).toMatch(/^the database .* is damaged: .*"awards restore"/);
    expect((error as Error).message).not.toContain('\n');
    expect(readFileSync(file()).equals(before)).toBe(true);
  });

  it('doctor', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const { exitCode } = process;
    await run(['doctor', '--json', '--out', 'DIR/dist']);
    const [[line]] = write.mock.calls as [[string]];
    write.mockRestore();
    expect(process.exitCode).toBe(1);
    process.exitCode = exitCode;
    const { findings } = JSON.parse(line) as {
      findings: { subject: string; found: string; advice: string }[];
    };
    const finding = findings.find(({ subject }) => subject === 'database')!;
    expect(finding.found).toMatch(/ is damaged: |^cannot be read: /);
    expect(finding.advice).toContain('awards restore');
  });
});
