/** The command line: options, help and exit codes; each command's work is loaded only when it runs. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../data/user-error.ts';
import { coloured } from './colours.ts';
import type { CommandOptions } from './command.ts';
import { type BuildCommandOptions, commands, type GenerateOptions } from './commands.ts';
import type { DoctorOptions } from './doctor/command.ts';
import { addExamples, helpStyle } from './help.ts';
import { keyCommands } from './key-commands.ts';
import { type PublishCommandOptions, publishCommand } from './publish-command.ts';
import { type ServeCommandOptions, serveCommands } from './serve-commands.ts';

/** Exit codes: done; it could not be done; wrong usage. */
const exitCode = { done: 0, failed: 1, usage: 2 } as const;

const database = () =>
  new Option('--db <file>', 'the database').default('data/awards.db').env('AWARDS_DB').argParser(fileName);
const folder = () =>
  new Option('--out <dir>', 'folder of the snapshot').default('dist').env('AWARDS_DIST').argParser(fileName);
const json = () => new Option('--json', 'print one machine-readable line instead of the summary');
const port = () =>
  new Option('--port <number>', 'port to listen on').default(3000).argParser(wholeNumber(0, 65535));
const host = () => new Option('--host <address>', 'address to listen on').default('127.0.0.1');

function fileName(value: string): string {
  if (value === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

function wholeNumber(minimum: number, maximum: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^[0-9]+$/.test(value) || number < minimum || number > maximum)
      throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
    return number;
  };
}

function positiveNumber(value: string): number {
  const number = Number(value);
  if (!/^[0-9]+(\.[0-9]+)?$/.test(value) || !(number > 0) || number > 100)
    throw new InvalidArgumentError('It must be a number above 0, at most 100.');
  return number;
}

function program(): Command {
  const awards = new Command('awards')
    .usage('COMMAND [options]')
    .description(
      'Film awards: a record in SQLite, its snapshot as static files, and the service that answers from it.',
    )
    .helpCommand(false)
    .showHelpAfterError('(--help shows what is possible)')
    .configureHelp(helpStyle)
    .exitOverride();
  const add = addTo(awards);
  addFilling(add);
  addBuilding(add);
  addPublishing(add);
  addServing(add);
  const keys = add('keys', 'make, list and revoke keys for writing');
  addKeys(addTo(keys.usage('COMMAND [options]').helpCommand(false)));
  addDoctor(add);
  addExamples(awards);
  return awards;
}

type Add = (name: string, description: string, ...options: Option[]) => Command;

/** What adds commands below another one; they take over how that one ends and complains. */
function addTo(parent: Command): Add {
  return (name, description, ...options) => {
    const command = parent.command(name).description(description);
    for (const option of options) command.addOption(option);
    return command;
  };
}

function addFilling(add: Add): void {
  add(
    'sample',
    'fill an empty database with the sample that ships with the project',
    database(),
    json(),
  ).action((options: CommandOptions) => commands.sample(options));
  add('import', 'read the public award record; run again, it updates and never doubles', database(), json())
    .argument('<source>', 'file or http(s) address of the public award record (tab-separated)')
    .action((source: string, options: CommandOptions) => commands.import(source, options));
  const scale = new Option('--scale <number>', 'how many times the real size')
    .default(1)
    .argParser(positiveNumber);
  const seed = new Option('--seed <number>', 'the same seed gives the same records')
    .default(1)
    .argParser(wholeNumber(0, 2 ** 32 - 1));
  add(
    'generate',
    'fill an empty database with invented records, every field set',
    scale,
    seed,
    database(),
    json(),
  ).action((options: GenerateOptions) => commands.generate(options));
}

function addBuilding(add: Add): void {
  const common = [database(), folder(), json()];
  add('build', 'bring the snapshot up to date with the database; only what changed', ...common)
    .option('--full', 'build everything and look at every file')
    .option('--explain', 'list every file that was written or removed, and why')
    .option('--no-downloads', 'leave the files under downloads/ as they are')
    .action((options: BuildCommandOptions) => commands.build(options));
  add(
    'verify',
    'build cleanly in memory and compare every byte of the snapshot; exit code 1 if any differs',
    ...common,
  ).action((options: BuildCommandOptions) => commands.verify(options));
}

function addPublishing(add: Add): void {
  add(
    'publish',
    'bring the snapshot to Netlify, or to another folder; only what changed',
    database(),
    folder(),
    json(),
  )
    .addOption(new Option('--to <dir>', 'another folder instead of Netlify').argParser(fileName))
    .addOption(
      new Option('--site <id>', 'the site, instead of NETLIFY_SITE_ID').argParser(fileName).conflicts('to'),
    )
    .addOption(new Option('--dry-run', 'list what would be sent, and do nothing').conflicts('to'))
    .addOption(
      new Option('--pages <which>', '"none" leaves the precomputed pages out: the host computes all answers')
        .choices(['all', 'none'])
        .default('all'),
    )
    .option('--force', 'even if what is live is newer, or nobody can tell')
    .action((options: PublishCommandOptions) => publishCommand(options));
}

function addServing(add: Add): void {
  const common = [port(), host(), database(), folder(), json()];
  add('serve', 'the whole service on one port', ...common)
    .option('--no-downloads', 'leave the files under downloads/ as they are')
    .option('--publish', 'publish to Netlify what changes while it runs')
    .addOption(
      new Option('--publish-every <seconds>', 'seconds between two publishes, at least')
        .default(20)
        .argParser(wholeNumber(20, 86_400)),
    )
    .action((options: ServeCommandOptions) => serveCommands.serve(options));
  add('start', 'what "npm start" runs: sample if there is no record, build, serve', ...common).action(
    (options: ServeCommandOptions) => serveCommands.start(options),
  );
}

function addKeys(add: Add): void {
  const common = [database(), json()];
  add('create', 'make a key and show it, this once', ...common)
    .argument('<name>', 'what to call it: letters, digits, ".", "_" and "-"')
    .action((name: string, options: CommandOptions) => keyCommands.create(name, options));
  add('list', 'list all keys: when each was made and last used, and whether it is revoked', ...common).action(
    (options: CommandOptions) => keyCommands.list(options),
  );
  add('revoke', 'end a key for good', ...common)
    .argument('<name>', 'what it is called')
    .action((name: string, options: CommandOptions) => keyCommands.revoke(name, options));
}

function addDoctor(add: Add): void {
  add(
    'doctor',
    'look at everything the service needs, and say what to do; exit code 1 if something is wrong',
    port(),
    host(),
    database(),
    folder(),
    json(),
  ).action(async (options: DoctorOptions) => {
    const { doctorCommand } = await import('./doctor/command.ts');
    await doctorCommand(options);
  });
}

async function main(): Promise<number> {
  try {
    await program().parseAsync();
    return typeof process.exitCode === 'number' ? process.exitCode : exitCode.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
    process.stderr.write(`${coloured('red', 'awards:', process.stderr)} ${complaintOf(error)}\n`);
    // The full cause is for whoever looks for it.
    if (process.env.AWARDS_DEBUG) process.stderr.write(`${(error as Error).stack ?? ''}\n`);
    return exitCode.failed;
  }
}

/** What went wrong, for a person to read. */
function complaintOf(error: unknown): string {
  if (error instanceof UserError) return error.message;
  const { message, syscall } = error as NodeJS.ErrnoException;
  // What the system refuses, such as a folder that may not be written to, says so itself.
  return syscall === undefined ? `something went wrong: ${message ?? error}` : message;
}

// Whoever closed the pipe, like "head", has read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// A time-out that nothing else waits for does not keep the process alive: it would end in silence, its work half done.
const alive = setInterval(() => {}, 2 ** 30);
process.exitCode = await main();
clearInterval(alive);
