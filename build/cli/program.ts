/**
 * The table of commands, and the commander program that it makes. Each command loads its code when it runs.
 */
import { readFileSync } from 'node:fs';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { defaultReleases } from '../../api/contract/history.ts';
import {
  type CommandVariable,
  commandVariables,
  notEmpty,
  oneLine,
  siteId,
  type Variable,
  webOrigin,
  wholeNumber,
} from './environment.ts';

export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

interface Row {
  /** With that of its parent, such as "keys create". */
  name: string;
  about: string;
  argument?: Argument;
  options: readonly Option[];
  examples: readonly string[];
  /** Loads the function that runs the command. It gets the argument, if there is one, and the options. */
  load: () => Promise<unknown>;
}

/** The option of a variable, as the table of variables describes it. */
function optionOf(name: CommandVariable): Option {
  const { use, option, default: usual, parse }: Variable = commandVariables[name];
  const made = new Option(option!, use).default(usual).env(name);
  return parse ? made.argParser(parse) : made;
}

const file = (name: string, about: string) => new Argument(name, about).argParser(notEmpty);
const number = (flags: string, about: string, minimum: number, maximum: number) =>
  new Option(flags, about).argParser(wholeNumber(minimum, maximum));

function scale(value: string): number {
  if (/^[0-9]+(\.[0-9]+)?$/.test(value) && Number(value) > 0 && Number(value) <= 100) return Number(value);
  throw new InvalidArgumentError('It must be a number above 0, at most 100.');
}

const db = optionOf('AWARDS_DB');
const out = optionOf('AWARDS_DIST');
const json = new Option('--json', 'print one machine-readable line instead of the summary');
const noDownloads = new Option('--no-downloads', 'leave the files under downloads/ as they are');
const layers = [
  new Option('--include-restricted', 'include values in the downloads that may not be passed on'),
  optionOf('AWARDS_IMAGE_ORIGINS'),
  optionOf('AWARDS_ORIGIN'),
];
const releases = number(
  '--releases <number>',
  'dated downloads that a publish keeps; of older ones it keeps the first of each month. 0: none',
  0,
  1000,
).default(defaultReleases);
const serving = [
  optionOf('PORT'),
  optionOf('HOST'),
  db,
  out,
  json,
  optionOf('AWARDS_LOG_LEVEL').choices(['silent', 'error', 'warn', 'info', 'debug']),
  optionOf('AWARDS_METRICS'),
];
const filling = (limited: string) => [
  new Option('--refresh', 'also renew values that this source wrote and that have not changed since'),
  new Option('--dry-run', 'report what would be filled, and change nothing'),
  number('--limit <number>', limited, 1, 1e9),
  db,
  json,
];
/** What is said of a source that the program does not know. */
const stating = [
  new Option(
    '--title <text>',
    'name of the source in what is published; without it and the next two: oscar_data for its address and for files called oscars.csv, else the file or address',
  ).argParser(oneLine),
  new Option('--licence <text>', 'its licence, such as CC-BY-4.0').argParser(oneLine),
  new Option('--holder <text>', 'whom its licence says to name').argParser(oneLine),
];

const rows: readonly Row[] = [
  {
    name: 'sample',
    about: 'fill an empty database with the sample that ships with the project',
    options: [db, json],
    examples: ['awards sample', 'awards sample --db /tmp/try.db'],
    load: async () => (await import('./fill-commands.ts')).sample,
  },
  {
    name: 'import',
    about:
      'read the public award record; a second import updates records, adds none twice, and removes what the record no longer has',
    argument: file('<source>', 'file or http(s) address of the public award record (tab-separated)'),
    options: [
      db,
      json,
      new Option('--dry-run', 'report what would change or be removed, and change nothing'),
      new Option('--force', 'also remove more than 2 % of a resource, and read a source that is unchanged'),
      ...stating,
    ],
    examples: [
      'awards import oscars.csv',
      'awards import https://example.org/oscars.csv --dry-run',
      'awards import awards.tsv --title "Our awards" --licence CC-BY-4.0 --holder "© 2026 Ann"',
    ],
    load: async () => (await import('./fill-commands.ts')).importSource,
  },
  {
    name: 'generate',
    about: 'fill an empty database with invented records, every field set; in a checkout only',
    options: [
      new Option('--scale <number>', 'multiple of the size of the real record').default(1).argParser(scale),
      number('--seed <number>', 'the same seed gives the same records', 0, 2 ** 32 - 1).default(1),
      db,
      json,
    ],
    examples: ['awards generate --scale 10 --seed 7 --db /tmp/big.db'],
    load: async () => (await import('./fill-commands.ts')).generate,
  },
  {
    name: 'enrich wikidata',
    about: 'fill unset fields from results of the query service of Wikidata',
    argument: new Argument('<files...>', 'files, plain or gzip; "-" is standard input'),
    options: filling('stop after this many changed records'),
    examples: ['awards enrich wikidata queries/*.json', 'awards enrich wikidata queries/*.json --dry-run'],
    load: async () => (await import('./enrich-commands.ts')).wikidata,
  },
  {
    name: 'enrich tmdb',
    about: 'fill unset fields from the TMDB API, with your own token in TMDB_TOKEN',
    options: [
      new Option(
        '--cache <file>',
        'file of the answers, so that a later run continues (default: tmdb-cache.db beside the database)',
      ).argParser(notEmpty),
      ...filling('ask TMDB about this many records at most'),
    ],
    examples: ['TMDB_TOKEN=… awards enrich tmdb --limit 1000', 'awards enrich tmdb --refresh'],
    load: async () => (await import('./enrich-commands.ts')).tmdb,
  },
  {
    name: 'enrich queries',
    about: 'write the SPARQL queries for Wikidata, in parts, with the ids of the record',
    argument: file('<folder>', 'folder for the queries'),
    options: [
      number('--size <number>', 'ids in a query', 1, 10_000).default(300),
      new Option('--all', 'also ask about records that lack nothing, for --refresh'),
      db,
      json,
    ],
    examples: ['awards enrich queries queries'],
    load: async () => (await import('./enrich-commands.ts')).queries,
  },
  {
    name: 'build',
    about: 'bring the snapshot up to date with the database; writes only what changed',
    options: [
      db,
      out,
      json,
      new Option('--full', 'build everything and check every file'),
      new Option('--explain', 'say of each stage what was built, and why'),
      noDownloads,
      ...layers,
    ],
    examples: ['awards build', 'awards build --full --out /var/www/awards'],
    load: async () => (await import('./build-commands.ts')).build,
  },
  {
    name: 'verify',
    about: 'compare every byte of the snapshot with a clean build in memory; exit code 1 if any differs',
    options: [db, out, json, ...layers],
    examples: ['awards verify'],
    load: async () => (await import('./build-commands.ts')).verify,
  },
  {
    name: 'publish',
    about: 'upload the snapshot to Netlify, or copy it to another folder; only what changed',
    options: [
      db,
      out,
      json,
      new Option('--to <dir>', 'copy to this folder instead of Netlify').argParser(notEmpty),
      new Option(
        '--live <url>',
        'with --to: go on with the history of the site at this address, where the folder is a new one, as in CI',
      ).argParser(webOrigin),
      new Option('--site <id>', 'the site, instead of NETLIFY_SITE_ID').argParser(siteId).conflicts('to'),
      new Option('--dry-run', 'list what would be sent, or count what would be copied, and do nothing'),
      new Option(
        '--pages <which>',
        'precomputed pages to send; "lists" leaves out those of single records. The host computes the other answers',
      )
        .choices(['all', 'lists', 'none'])
        .default('all'),
      releases,
      optionOf('AWARDS_ORIGIN'),
      new Option('--by-imdb', 'send the file of each IMDb id (default: with --to and all pages)'),
      new Option('--no-by-imdb', 'leave these files out'),
      new Option(
        '--force',
        'publish even if the live snapshot is newer, of unknown age or damaged, or has edge functions that are missing here',
      ),
    ],
    examples: ['awards publish --dry-run', 'awards publish', 'awards publish --to /var/www/awards'],
    load: async () => (await import('./publish-command.ts')).publishCommand,
  },
  {
    name: 'serve',
    about: 'run the whole service on one port',
    options: [
      ...serving,
      noDownloads,
      ...layers,
      new Option('--publish', 'publish changes to Netlify while it runs'),
      number('--publish-every <seconds>', 'minimum seconds between two publishes', 20, 86_400).default(20),
      releases,
    ],
    examples: [
      'awards serve --port 8080 --host 0.0.0.0',
      'awards serve --log-level info --metrics 9464',
      'AWARDS_RATE_LIMIT=0 awards serve --no-downloads',
    ],
    load: async () => (await import('./serve-command.ts')).serve,
  },
  {
    name: 'start',
    about:
      'what "npm start" runs: import the source, or fill an empty database with the sample; build, print a first key to a terminal, serve',
    argument: file(
      '[source]',
      'file or http(s) address of the public award record; it replaces an unchanged sample',
    ),
    options: [...serving, ...layers],
    examples: ['awards start', 'awards start oscars.csv'],
    load: async () => (await import('./start-command.ts')).start,
  },
  {
    name: 'keys create',
    about: 'create a key and print it; it cannot be printed again',
    argument: new Argument('<name>', 'name of the key: letters, digits, ".", "_" and "-"'),
    options: [db, json],
    examples: ['awards keys create editor'],
    load: async () => (await import('./record-commands.ts')).create,
  },
  {
    name: 'keys list',
    about: 'list all keys: created, last used, revoked',
    options: [db, json],
    examples: ['awards keys list'],
    load: async () => (await import('./record-commands.ts')).list,
  },
  {
    name: 'keys revoke',
    about: 'revoke a key for good',
    argument: new Argument('<name>', 'name of the key'),
    options: [db, json],
    examples: ['awards keys revoke editor'],
    load: async () => (await import('./record-commands.ts')).revoke,
  },
  {
    name: 'backup',
    about: 'copy the database to one checked file, also while a service writes',
    argument: file('<file>', 'the backup'),
    options: [db, json, new Option('--force', 'replace an existing file')],
    examples: ['awards backup /backups/latest.db --force'],
    load: async () => (await import('./record-commands.ts')).backup,
  },
  {
    name: 'restore',
    about: 'check a backup and put it in the place of the database, which is kept beside it',
    argument: file('<file>', 'the backup'),
    options: [db, json],
    examples: ['awards restore /backups/awards-2026-11-22.db && awards build'],
    load: async () => (await import('./record-commands.ts')).restore,
  },
  {
    name: 'doctor',
    about:
      'check the database, the snapshot, keys and terms, and say how to fix them; exit code 1 if something is wrong',
    options: [db, out, json],
    examples: ['awards doctor'],
    load: async () => (await import('./doctor.ts')).doctor,
  },
];

/** Commands that only have commands of their own. */
const parents = {
  enrich: 'fill unset fields of films and people from other sources',
  keys: 'create, list and revoke keys for writing',
} as const;

/** The command `awards`; `parseAsync` runs it, and throws CommanderError after help and wrong usage. */
export function program(): Command {
  // In a checkout, and where the program is installed.
  const own = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(own) as { version: string };
  const awards = new Command('awards')
    .usage('COMMAND [options]')
    .description(
      'Film awards: a record in SQLite, its snapshot as static files, and the service that answers from it.',
    )
    .version(version, '--version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('(--help lists commands and options)')
    .exitOverride()
    .addHelpText('after', examplesText(['awards sample && awards build && awards serve']))
    .addHelpText('after', environmentText);
  for (const { name, about, argument, options, examples, load } of rows) {
    const [first = '', second] = name.split(' ');
    const command = (second ? parentOf(awards, first as keyof typeof parents) : awards)
      .command(second ?? first)
      .description(about)
      .addHelpText('after', examplesText(examples))
      .action(async (...values: unknown[]) => {
        const run = (await load()) as (...values: readonly unknown[]) => Promise<void>;
        // Commander adds itself as the last one.
        await run(...values.slice(0, -1));
      });
    if (argument) command.addArgument(argument);
    for (const option of options) command.addOption(option);
  }
  return awards;
}

function parentOf(awards: Command, name: keyof typeof parents): Command {
  const found = awards.commands.find((command) => command.name() === name);
  if (found) return found;
  const examples = rows.filter((row) => row.name.startsWith(`${name} `)).map((row) => row.examples[0]!);
  return awards
    .command(name)
    .description(parents[name])
    .usage('COMMAND [options]')
    .helpCommand(false)
    .addHelpText('after', examplesText(examples));
}

const examplesText = (lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;

/** What each variable is for, its default, and the option that wins over it; and the exit codes. */
function environmentText(): string {
  const lines = Object.entries<Variable>(commandVariables).map(([name, { use, option, default: usual }]) => {
    const notes = [use, option && `as ${option.split(' ')[0]}`, usual !== undefined && `default ${usual}`];
    return `  ${name.padEnd(23)}  ${notes.filter(Boolean).join('; ')}`;
  });
  const codes = `${exitCodes.done}: done; ${exitCodes.failed}: the command failed, or "verify" or "doctor" found something wrong; ${exitCodes.usage}: wrong usage`;
  return `\nEnvironment:\n${lines.join('\n')}\n\nExit codes:\n  ${codes}`;
}
