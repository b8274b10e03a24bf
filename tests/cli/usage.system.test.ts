/** The promise: --help and wrong usage explain themselves; exit code 0 for the one, 2 for the other. */
import { CommanderError } from 'commander';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { cliMarkdown } from '../../build/cli/cli-reference.ts';
import { commandVariables } from '../../build/cli/environment.ts';
import { program } from '../../build/cli/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { awards } from '../support/processes.ts';

const keyCommands = ['keys create', 'keys list', 'keys revoke'];
const enrichCommands = ['enrich wikidata', 'enrich tmdb', 'enrich queries'];
const commands = [
  ...['sample', 'import', 'generate', 'build', 'verify', 'publish', 'serve', 'start', 'doctor'],
  ...['backup', 'restore'],
  ...keyCommands,
  ...enrichCommands,
];

/** Variables of the environment that change a command, and those of the shell that change its colours. */
const variablesOfShell = ['FORCE_COLOR', 'CLICOLOR_FORCE', 'NO_COLOR', ...Object.keys(commandVariables)];

/** Runs a command that ends with its usage. @returns what it writes, and the code of commander: 0 after help, 1 after an error */
async function usageOf(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  for (const name of variablesOfShell) vi.stubEnv(name, variables[name]);
  const output = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text);
      return true;
    }),
  );
  const error = await program()
    .parseAsync(words, { from: 'user' })
    .catch((thrown: unknown) => thrown)
    .finally(() => {
      for (const spy of spies) spy.mockRestore();
      vi.unstubAllEnvs();
    });
  expect(error).toBeInstanceOf(CommanderError);
  return { code: (error as CommanderError).exitCode, ...output };
}

describe('--help', () => {
  /** Command → its help; the program is "awards". */
  const helps = new Map<string, string>();
  beforeAll(async () => {
    const words = (command: string) => (command === 'awards' ? [] : command.split(' '));
    for (const command of ['awards', 'keys', 'enrich', ...commands]) {
      const { code, stdout, stderr } = await usageOf([...words(command), '--help']);
      expect({ code, stderr }, command).toEqual({ code: 0, stderr: '' });
      helps.set(command, stdout);
    }
  });

  it('of the command line is that of the program', async () => {
    expect(await awards(['--help'])).toMatchObject({ code: 0, stdout: helps.get('awards'), stderr: '' });
  });

  it('of the program lists every command and the environment', () => {
    for (const command of commands) expect(helps.get('awards')).toContain(`  ${command.split(' ')[0]} `);
    for (const name of Object.keys(commandVariables)) expect(helps.get('awards')).toContain(`  ${name} `);
  });

  it('of "keys" lists its commands', () => {
    for (const command of keyCommands) expect(helps.get('keys')).toContain(`  ${command.split(' ')[1]} `);
  });

  it.each(commands)('of "%s" names the command and its options', (command) => {
    for (const text of [`awards ${command}`, '--db <file>', '--json'])
      expect(helps.get(command)).toContain(text);
  });

  it('of every command gives examples, with commands and options that exist', () => {
    for (const [name, help] of helps) {
      const [, examples] = /\nExamples:\n((?: {2}.*\n)+)/.exec(help) ?? [];
      expect(examples, name).toBeDefined();
      for (const line of examples!.trim().split(/\s*\n\s*|\s+&&\s+/)) expectExample(line);
    }
  });

  /** The command and the options of a command line exist. */
  function expectExample(line: string): void {
    const [, words = ''] = /^(?:[A-Z_]+=\S+ )?awards (.+)$/.exec(line) ?? [];
    const command = commands.find((name) => words.startsWith(name));
    expect(command, line).toBeDefined();
    for (const [option] of words.matchAll(/--[a-z-]+/g)) expect(helps.get(command!)).toContain(` ${option}`);
  }

  it('is the source of the reference in docs/cli.md', () => {
    const reference = cliMarkdown();
    for (const command of commands) expect(reference).toContain(`\n## ${command}\n`);
    for (const name of Object.keys(commandVariables)) expect(reference).toContain(`\n  ${name} `);
    for (const [option] of [...helps.values()].join().matchAll(/ --[a-z-]+ (?:<[a-z]+>)?/g))
      if (option.trim() !== '--help') expect(reference).toContain(option.trim());
  });
});

describe('wrong usage: exit code 2, nothing on stdout, and on stderr the mistake:', () => {
  it('of the command line', async () => {
    const { code, stdout, stderr } = await awards(['biuld']);
    expect(stderr).toMatch(/^error: unknown command 'biuld'\n.*Did you mean build/);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.each<[string, string[], RegExp, Record<string, string>?]>([
    ['an unknown command', ['biuld'], /unknown command 'biuld'.*\n?.*Did you mean build/],
    ['no command', [], /Usage: awards COMMAND/],
    ['no command of keys', ['keys'], /Usage: awards keys COMMAND/],
    ['an unknown command of keys', ['keys', 'creat'], /unknown command 'creat'.*\n?.*Did you mean create/],
    ['an import of an empty name', ['import', ''], /must not be empty/],
    ['queries for a folder with an empty name', ['enrich', 'queries', ''], /must not be empty/],
    ['a key without a name', ['keys', 'create'], /missing required argument 'name'/],
    ['a key with two names', ['keys', 'revoke', 'a', 'b'], /too many arguments/],
    ['a backup without a name', ['backup'], /missing required argument 'file'/],
    ['an unknown option', ['build', '--ful'], /unknown option '--ful'\n.*Did you mean --full/],
    ['an option of another command', ['sample', '--out', 'x'], /unknown option '--out'/],
    ['an option without its value', ['build', '--db'], /--db <file>.*argument missing/],
    ['metrics without a port', ['serve', '--metrics', 'localhost'], /must be a port, or a host and a port/],
    ['an unknown level', ['serve', '--log-level', 'loud'], /Allowed choices are silent, error, warn/],
    ['a missing argument', ['import'], /missing required argument 'source'/],
    ['one argument too many', ['build', 'now'], /too many arguments/],
    [
      'a port that is not a number',
      ['serve', '--port', '80a'],
      /--port <number>.*'80a'.*whole number from 0 to 65535/,
    ],
    ['a port that is too high', ['serve', '--port', '65536'], /whole number from 0 to 65535/],
    ['a scale of 0', ['generate', '--scale', '0'], /--scale <number>.*above 0/],
    ['a negative seed', ['generate', '--seed', '-1'], /--seed <number>/],
    ['no command of enrich', ['enrich'], /Usage: awards enrich COMMAND/],
    ['no file to enrich from', ['enrich', 'wikidata'], /missing required argument 'files'/],
    ['a limit of 0', ['enrich', 'tmdb', '--limit', '0'], /--limit <number>.*whole number from 1/],
    ['an empty file name', ['sample', '--db', ''], /--db <file>/],
    ['an empty folder name', ['build', '--out='], /--out <dir>/],
    ['a port in the environment that is none', ['serve'], /PORT.*whole number/, { PORT: 'http' }],
    ['an unknown log level', ['serve'], /AWARDS_LOG_LEVEL.*info/, { AWARDS_LOG_LEVEL: 'loud' }],
  ])('%s', async (_name, words, message, more = {}) => {
    // A command that is not refused must not work in the project.
    const own = temporaryFolder();
    const variables = { AWARDS_DB: `${own}/awards.db`, AWARDS_DIST: `${own}/dist`, ...more };
    const { code, stdout, stderr } = await usageOf(words, variables);
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });
});

describe('an empty variable of the environment counts as unset:', () => {
  const empty = Object.fromEntries(Object.keys(commandVariables).map((name) => [name, '']));
  it.each([
    // Another process may have the usual port.
    ['serve', ['--db', 'none.db', '--out', '/nowhere/dist'], /no snapshot in|port 3000: it is in use/],
    ['publish', [], /NETLIFY_AUTH_TOKEN is not set/],
    ['publish', ['--to', 'x', '--out', '/nowhere/dist'], /no folder \/nowhere\/dist/],
    ['enrich', ['tmdb'], /TMDB_TOKEN is not set|no database/],
  ])('%s %j', async (command, words, message) => {
    const { code, stderr } = await awards([command, ...words], empty);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });
});
