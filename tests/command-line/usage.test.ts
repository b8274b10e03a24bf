/** Help for whoever asks, a clear line for whoever is mistaken; exit code 0 for the one, 2 for the other. */
import { describe, expect, it } from 'vitest';
import { examples } from '../../build/cli/help.ts';
import { removeTemporaryFolders, temporaryFolder } from '../service/temporary-folder.ts';
import { awards } from './awards.ts';

removeTemporaryFolders();
const keyCommands = ['keys create', 'keys list', 'keys revoke'];
const commands = [
  'sample',
  'import',
  'generate',
  'build',
  'verify',
  'publish',
  'serve',
  'start',
  'doctor',
  ...keyCommands,
];

describe('--help', () => {
  it('of the program lists every command, the environment and examples', async () => {
    const { code, stdout, stderr } = await awards(['--help']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    for (const word of [
      ...commands.map((command) => command.split(' ')[0]),
      'AWARDS_DB',
      'AWARDS_DIST',
      'AWARDS_API_KEY',
      'AWARDS_RATE_LIMIT',
      'AWARDS_WRITE_RATE_LIMIT',
      'AWARDS_TRUSTED_PROXIES',
    ])
      expect(stdout).toContain(word);
  });

  it('of each command says what it does and which options it takes', async () => {
    const outcomes = await Promise.all(commands.map((command) => awards([...command.split(' '), '--help'])));
    outcomes.forEach(({ code, stdout, stderr }, at) => {
      expect(code, commands[at]).toBe(0);
      expect(stderr).toBe('');
      expect(stdout).toContain(`awards ${commands[at]}`);
      for (const option of ['--db <file>', '--json']) expect(stdout, commands[at]).toContain(option);
    });
  });

  it('of every command gives examples, with options that there are', async () => {
    const helps = new Map(
      await Promise.all(
        [...commands, 'keys'].map(
          async (command) => [command, (await awards([...command.split(' '), '--help'])).stdout] as const,
        ),
      ),
    );
    expect(Object.keys(examples).sort()).toEqual(['awards', ...helps.keys()].sort());
    for (const [command, help] of helps)
      for (const line of examples[command]!) expect(help, command).toContain(`\n  ${line}`);
    for (const line of Object.values(examples)
      .flat()
      .flatMap((lines) => lines.split(' && '))) {
      const [, words = ''] = /^(?:[A-Z_]+=\S+ )?awards (.+)$/.exec(line) ?? [];
      const help = [...helps].find(([command]) => command !== 'keys' && words.startsWith(command))?.[1];
      expect(help, line).toBeDefined();
      for (const [option] of words.matchAll(/--[a-z-]+/g)) expect(help, line).toContain(` ${option}`);
    }
  });

  it('of "keys" lists what can be done with keys', async () => {
    const { code, stdout } = await awards(['keys', '--help']);
    expect(code).toBe(0);
    for (const command of keyCommands) expect(stdout).toContain(`  ${command.split(' ')[1]} `);
  });
});

describe('wrong usage: exit code 2, nothing on stdout, and on stderr what is wrong with', () => {
  it.concurrent.each<[string, string[], RegExp, Record<string, string>?]>([
    ['an unknown command', ['biuld'], /unknown command 'biuld'.*\n?.*Did you mean build/],
    ['no command at all', [], /Usage: awards COMMAND/],
    ['nothing to do with keys', ['keys'], /Usage: awards keys COMMAND/],
    [
      'an unknown thing to do with keys',
      ['keys', 'creat'],
      /unknown command 'creat'.*\n?.*Did you mean create/,
    ],
    ['a key without a name', ['keys', 'create'], /missing required argument 'name'/],
    ['a key with two names', ['keys', 'revoke', 'a', 'b'], /too many arguments/],
    ['an unknown option', ['build', '--ful'], /unknown option '--ful'\n.*Did you mean --full/],
    ['an option of another command', ['sample', '--out', 'x'], /unknown option '--out'/],
    ['an option without its value', ['build', '--db'], /--db <file>.*argument missing/],
    ['a missing argument', ['import'], /missing required argument 'source'/],
    ['one argument too many', ['build', 'now'], /too many arguments/],
    [
      'a port that is no number',
      ['serve', '--port', '80a'],
      /--port <number>.*'80a'.*whole number from 0 to 65535/,
    ],
    ['a port that is too high', ['serve', '--port', '65536'], /whole number from 0 to 65535/],
    ['a scale that is none', ['generate', '--scale', '0'], /--scale <number>.*above 0/],
    ['a seed that is none', ['generate', '--seed', '-1'], /--seed <number>/],
    ['an empty file name', ['sample', '--db', ''], /--db <file>/],
    ['an empty folder name', ['build', '--out='], /--out <dir>/],
    ['an empty name in the environment', ['build'], /AWARDS_DIST/, { AWARDS_DIST: '' }],
  ])('%s', async (_name, words, message, environment = {}) => {
    const database = temporaryFolder();
    const { code, stdout, stderr } = await awards(words, {
      AWARDS_DB: `${database}/awards.db`,
      ...environment,
    });
    expect(stderr).toMatch(message);
    expect(code, stderr).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
