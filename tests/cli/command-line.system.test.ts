/**
 * The promise: a command prints its result on stdout and nothing else there, a failure in one line on stderr that says what to do
 * next, and ends with 0, 1 for a failure, or 2 for wrong usage. command-line.txt is a record of commands, run in order in one
 * folder: "$" a command, "%" a change by another program, "! " a line of stderr, and "[1]" an exit code other than 0.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { cliMarkdown } from '../../build/cli/cli-reference.ts';
import { withPhases } from '../../build/cli/command.ts';
import { commandVariables, notEmpty, type Variable } from '../../build/cli/environment.ts';
import { program } from '../../build/cli/program.ts';
import { provideKey } from '../../build/cli/record-commands.ts';
import { findKey, listKeys } from '../../data/record/keys.ts';
import { recordOf } from '../records/record-text.ts';
import { inDatabase } from '../records/databases.ts';
import { freePort, type Loopback, listen } from '../support/loopback.ts';
import { awards, outcomeOf, startAwards } from '../support/processes.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectRecord, others, wordsOf } from './golden.ts';

const home = process.cwd();
let folder: string;
let occupied: Loopback;

beforeAll(async () => {
  folder = temporaryFolder();
  occupied = await listen(createServer());
  process.chdir(folder);
  writeFileSync('one.tsv', recordOf({}));
  writeFileSync('two.tsv', recordOf({}, { Film: 'Second', FilmId: 'tt2' }));
  writeFileSync('broken.tsv', 'Ceremony\tYear\n1\n2\n\n\nx\ty\tz\n');
  writeFileSync('text.db', 'not a database, but long enough to be looked at'.repeat(100));
  writeFileSync('file', '');
  writeFileSync('gone.db-wal', 'changes');
  symlinkSync('unmounted/awards.db', 'broken-link');
  symlinkSync('loop', 'loop');
  mkdirSync('photos');
  writeFileSync('photos/cat.jpg', 'meow');
});
afterAll(async () => {
  process.chdir(home);
  await occupied.stop();
});

let count = 0;

/** Runs the entry of the command line in this process. */
async function run(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  for (const name of ['FORCE_COLOR', 'CLICOLOR_FORCE', 'NO_COLOR', ...Object.keys(commandVariables)])
    vi.stubEnv(name, variables[name]);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text);
      return true;
    });
    // The entry listens for errors of its output.
    vi.spyOn(process[name], 'on').mockReturnThis();
  }
  const { argv, exitCode } = process;
  process.exitCode = undefined;
  process.argv = [process.execPath, 'awards', ...words];
  try {
    // With another query it is another module, and runs again.
    await import(/* @vite-ignore */ `${project}build/cli/main.ts?${++count}`);
    return { code: process.exitCode, ...output };
  } finally {
    Object.assign(process, { argv, exitCode });
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

/** Text without what differs from run to run, or with each change of the program. */
const stable = (text: string): string =>
  text
    .replaceAll(folder, 'DIR')
    .replaceAll(String(occupied.port), 'TAKEN')
    .replaceAll(/\bfa_[0-9A-Za-z]{36}\b/g, 'fa_KEY')
    .replaceAll(/\b[0-9a-f]{20}\b/g, 'SNAPSHOT')
    .replaceAll(/"lineage":"\w+"/g, '"lineage":"LINEAGE"')
    .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z/g, 'TIME')
    .replaceAll(/\b20\d\d-\d\d-\d\d \d\d:\d\d UTC/g, 'YYYY-MM-DD HH:MM UTC')
    .replaceAll(/\b\d+\.\d\d s\b/g, 'N s')
    .replaceAll(/\b\d[\d,]* (files?|bytes|KB)\b/g, 'N $1')
    .replaceAll(/"(bytes|written|rendered|files|ms)":\d+/g, '"$1":N')
    .replaceAll(/(?<=files of |differ from )\d+/g, 'N');

/** What a line of the record prints now. */
async function replay([line = '']: readonly string[]): Promise<string> {
  const [mark, ...words] = wordsOf(line.replace('TAKEN', String(occupied.port)));
  if (mark === '%') {
    const [name = '', path = '', text = ''] = words;
    others[name]!(path, text);
    return '';
  }
  const from = words.indexOf('awards');
  const variables = Object.fromEntries(words.slice(0, from).map((word) => word.split(/=(.*)/, 2)));
  const { code, stdout, stderr } = await run(words.slice(from + 1), variables);
  const errors = stderr.replaceAll(/^(?=.)/gm, '! ');
  return stable(stdout + errors) + (code === 0 ? '' : `[${code}]\n`);
}

it('every command of the record prints what the record shows', async () => {
  await expectRecord('command-line.txt', replay);
  // What was refused has changed nothing, and made nothing.
  expect(readFileSync('photos/cat.jpg', 'utf8')).toBe('meow');
  expect(readFileSync('text.db', 'utf8')).toMatch(/^(not a database, but long enough to be looked at){100}$/);
  const made = readdirSync('.').filter((name) =>
    /^(none|p|i|e|gone|unmounted)(\.db)?($|-(?!wal))/.test(name),
  );
  expect(made).toEqual([]);
});

describe('a setting that cannot be used is refused in one line, and nothing is made', () => {
  const words = (name: string) => {
    if (name.startsWith('TMDB')) return ['enrich', 'tmdb'];
    return name.startsWith('NETLIFY')
      ? ['serve', '--publish', '--port', '0']
      : ['start', 'two.tsv', '--port', '0'];
  };
  const parsed = Object.entries<Variable>(commandVariables).filter(
    ([, { parse }]) => parse !== undefined && parse !== notEmpty,
  );
  it.each([...parsed.map(([name]) => name), 'AWARDS_LOG_LEVEL', 'HOST'])('%s', async (name) => {
    const own = [...words(name), '--db', join(folder, 'p.db')];
    const place = own[0] === 'enrich' ? [] : ['--out', join(folder, 'p')];
    const given = own.filter((word, at) => name !== 'PORT' || ![word, own[at - 1]].includes('--port'));
    const { code, stdout, stderr } = await run([...given, ...place], { [name]: '\u2603 x' });
    expect(stderr).toMatch(/^(awards|error): [^\n]+\n(\(--help [^\n]+\n)?$/);
    expect(stderr).toContain(name === 'HOST' ? 'cannot listen' : name);
    expect({ isDone: code === 0, stdout }).toEqual({ isDone: false, stdout: '' });
    expect(readdirSync('.').filter((made) => /^\.?p(\.db|$)/.test(made))).toEqual([]);
  });

  it('a port that is wanted twice', async () => {
    const port = String(await freePort());
    const twice = ['start', 'two.tsv', '--port', port, '--metrics', port, '--db', 'p.db', '--out', 'p'];
    const { code, stdout, stderr } = await run(twice);
    expect(stderr).toBe(
      `awards: cannot listen on 127.0.0.1 port ${port}: it is in use; choose another with --metrics\n`,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(readdirSync('.').filter((made) => /^\.?p(\.db|$)/.test(made))).toEqual([]);
  });
});

it('a key that is created is valid until it is revoked, and its text is not in the database', async () => {
  const db = ['--db', 'keys.db'];
  await run(['sample', ...db]);
  const { key } = JSON.parse((await run(['keys', 'create', 'editor', '--json', ...db])).stdout) as {
    key: string;
  };
  const owner = () => inDatabase('keys.db', (connection) => findKey(connection, key));
  expect(owner()).toBe('editor');
  expect(readFileSync('keys.db', 'latin1')).not.toContain(key.slice(3, 20));
  await run(['keys', 'revoke', 'editor', ...db]);
  expect(owner()).toBeUndefined();
});

it('"start" creates its first key only where a terminal shows it: other output may be a log', async () => {
  await run(['sample', '--db', 'first.db']);
  const provided = async (isTTY: boolean) => {
    let output = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      output += String(text);
      return true;
    });
    const before = process.stdout.isTTY;
    process.stdout.isTTY = isTTY;
    await provideKey({ db: 'first.db' }).finally(() => {
      process.stdout.isTTY = before;
      vi.restoreAllMocks();
    });
    return output;
  };
  const names = () => inDatabase('first.db', listKeys).map(({ name }) => name);
  expect(await provided(false)).toBe('there is no key for writing; "awards keys create NAME" makes one\n');
  expect(names()).toEqual([]);
  const [, key = ''] = /: (fa_\w+) /.exec(await provided(true)) ?? [];
  expect(inDatabase('first.db', (connection) => findKey(connection, key))).toBe('first');
  for (const isTTY of [true, false])
    expect(await provided(isTTY)).toBe('keys for writing: first; "awards keys create NAME" makes another\n');
});

describe('--help', () => {
  it('is the text of docs/cli.md; exit code 0', async () => {
    const reference = readFileSync(join(project, 'docs/cli.md'), 'utf8');
    expect(reference, 'it is out of date: regenerate it with "npm run docs"').toBe(cliMarkdown());
    // The width of lines depends on the terminal.
    const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
    for (const [, name = '', help = ''] of reference.matchAll(/^## (.+)\n\n```text\n([^`]+)```/gm)) {
      const { code, stdout, stderr } = await run([...name.split(' '), '--help']);
      expect({ code, stderr, stdout: plain(stdout) }).toEqual({ code: 0, stderr: '', stdout: plain(help) });
    }
    const [help, none] = [await run(['--help']), await run([])];
    expect(reference).toContain(`Environment:${help.stdout.split('Environment:')[1]}`);
    expect(none).toEqual({ code: 2, stdout: '', stderr: `${help.stdout}` });
  });

  it('gives examples with commands and options that exist', () => {
    const examples = [...cliMarkdown().matchAll(/\nExamples:\n((?: {2}.*\n)+)/g)].flatMap(([, lines]) =>
      lines!.trim().split(/\s*\n\s*|\s+&&\s+/),
    );
    expect(examples.length).toBeGreaterThan(20);
    for (const line of examples) {
      const [, words = ''] = /^(?:[A-Z_]+=\S+ )?awards (.+)$/.exec(line) ?? [];
      let command = program();
      for (const word of words.split(' '))
        command = command.commands.find((own) => own.name() === word) ?? command;
      const known = command.options.map(({ long }) => long);
      for (const [option] of words.matchAll(/--[a-z-]+/g)) expect(known, line).toContain(option);
      expect(command.commands, line).toEqual([]);
    }
  });
});

describe('in a process of its own', () => {
  it('prints its version, takes an empty variable for an unset one, and says with AWARDS_DEBUG where it failed', async () => {
    const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    expect(await awards(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
    const empty = Object.fromEntries(Object.keys(commandVariables).map((name) => [name, '']));
    const { code, stderr } = await awards(['serve', '--db', 'none.db', '--out', '/nowhere'], empty);
    // Another process may have the usual port.
    expect(stderr).toMatch(/^awards: (there is no snapshot in|.* port 3000: it is in use)[^\n]*\n$/);
    expect(code).toBe(1);
    const told = await run(['verify', '--db', 'none.db'], { AWARDS_DEBUG: '1' });
    expect(told.stderr).toMatch(/^awards: there is no database [^\n]*\n[\s\S]*\n {4}at /);
  });

  it('ends quietly when its pipe is closed, and says that its output cannot be written', async () => {
    const child = startAwards(['generate', '--help']);
    child.stdout!.destroy();
    expect((await outcomeOf(child)).stderr).toBe('');
    if (process.platform !== 'linux') return;
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [inject('cli'), '--version'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(stderr).toMatch(/^awards: cannot write the output: ENOSPC[^\n]+\n$/);
    expect(status).toBe(1);
  });

  it('leaves no file behind where SIGINT ends an import', async () => {
    const server = await listen(createServer(() => {}));
    const own = temporaryFolder();
    const child = startAwards(['import', `${server.origin}/x.tsv`, '--db', join(own, 'awards.db')]);
    const outcome = outcomeOf(child);
    // The database that is being filled, its log and the index of the log.
    while (readdirSync(own).length < 3) await pause(10);
    child.kill('SIGINT');
    expect(await outcome).toMatchObject({ code: 130, stdout: '', stderr: '' });
    expect(readdirSync(own)).toEqual([]);
    await server.stop();
  });
});

it('a progress bar neither hides the cursor nor turns line wrapping off: a killed command would leave it so', async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  let output = '';
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  await withPhases((progress) => {
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 2000);
    progress('working', 1, 4);
    expect(output).toContain('25%');
  }).finally(() => {
    process.stderr.isTTY = isTTY;
    vi.restoreAllMocks();
  });
  // DECTCEM and DECAWM.
  expect(output).not.toMatch(/\[\?(?:25|7)l/);
});
