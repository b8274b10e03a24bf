/** Commands and options. Each command loads its code when it runs. Importing this module does nothing. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { ownPackage, type CommandOptions } from './command.ts';
import { type BuildCommandOptions, commands } from './commands.ts';
import { type CommandVariable, commandVariables, type Variable } from './environment.ts';
import { enrichCommands } from './enrich-commands.ts';
import { backupCommands, keyCommands } from './record-commands.ts';
import { publishCommand } from './publish-command.ts';
import { type ListenAddress, serveCommands } from './serve-commands.ts';

export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** The option of a variable, as the table of variables describes it. */
function optionOf(name: CommandVariable): Option {
  const { use, option, default: usual }: Variable = commandVariables[name];
  return new Option(option!, use).default(usual).env(name);
}

const database = () => optionOf('AWARDS_DB').argParser(notEmpty);
const folder = () => optionOf('AWARDS_DIST').argParser(notEmpty);
const json = () => new Option('--json', 'print one machine-readable line instead of the summary');
const port = () => optionOf('PORT').argParser(wholeNumber(0, 65535));
const host = () => optionOf('HOST').argParser(notEmpty);
const layerOptions = () => [
  new Option('--include-restricted', 'include values in the downloads that may not be passed on'),
  optionOf('AWARDS_IMAGE_ORIGINS').argParser(origins),
  optionOf('AWARDS_ORIGIN').argParser(webOrigin),
];
const noDownloads = () => new Option('--no-downloads', 'leave the files under downloads/ as they are');
const logLevel = () => optionOf('AWARDS_LOG_LEVEL').choices(['silent', 'error', 'warn', 'info', 'debug']);
const metrics = () => optionOf('AWARDS_METRICS').argParser(listenAddress);

/** The command `awards`; `parseAsync` runs it, and throws CommanderError after help and wrong usage. */
export function program(): Command {
  const awards = new Command('awards')
    .usage('COMMAND [options]')
    .description(
      'Film awards: a record in SQLite, its snapshot as static files, and the service that answers from it.',
    )
    .version(ownPackage().version, '--version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('(--help lists commands and options)')
    .exitOverride();
  const add = addTo(awards);
  addFilling(add);
  addEnriching(addParent(add, 'enrich', 'fill unset fields of films and people from other sources'));
  addBuilding(add);
  addPublishing(add);
  addServing(add);
  addKeys(addParent(add, 'keys', 'create, list and revoke keys for writing'));
  addBackups(add);
  addDoctor(add);
  addExamples(awards);
  return awards;
}

type Add = (name: string, description: string, ...options: Option[]) => Command;

/** @returns adds a command below the parent, with the parent's settings for help and errors */
function addTo(parent: Command): Add {
  return (name, description, ...options) => {
    const command = parent.command(name).description(description);
    for (const option of options) command.addOption(option);
    return command;
  };
}

/** Adds a command that has commands of its own. @returns adds one of those */
const addParent = (add: Add, name: string, description: string): Add =>
  addTo(add(name, description).usage('COMMAND [options]').helpCommand(false));

function addFilling(add: Add): void {
  add(
    'sample',
    'fill an empty database with the sample that ships with the project',
    database(),
    json(),
  ).action(commands.sample);
  add(
    'import',
    'read the public award record; a second import updates records, adds none twice, and removes what the record no longer has',
    database(),
    json(),
    new Option('--dry-run', 'report what would change, list what would be removed, and change nothing'),
    new Option('--force', 'also remove more than 2 % of a resource'),
  )
    .argument('<source>', 'file or http(s) address of the public award record (tab-separated)', notEmpty)
    .action(commands.import);
  add(
    'generate',
    'fill an empty database with invented records, every field set',
    new Option('--scale <number>', 'multiple of the size of the real record')
      .default(1)
      .argParser(scaleNumber),
    new Option('--seed <number>', 'the same seed gives the same records')
      .default(1)
      .argParser(wholeNumber(0, 2 ** 32 - 1)),
    database(),
    json(),
  ).action(commands.generate);
}

function addEnriching(add: Add): void {
  const filling = (limited: string) => [
    new Option('--refresh', 'also renew values that this source wrote and that have not changed since'),
    new Option('--dry-run', 'report what would be filled, and change nothing'),
    new Option('--limit <number>', limited).argParser(wholeNumber(1, 1e9)),
    database(),
    json(),
  ];
  add(
    'wikidata',
    'fill unset fields from results of the query service of Wikidata',
    ...filling('stop after this many changed records'),
  )
    .argument('<files...>', 'files, plain or gzip; "-" is standard input')
    .action(enrichCommands.wikidata);
  add(
    'tmdb',
    'fill unset fields from the TMDB API, with your own token in TMDB_TOKEN',
    new Option(
      '--cache <file>',
      'file of the answers, so that a later run continues (default: tmdb-cache.db beside the database)',
    ).argParser(notEmpty),
    ...filling('ask TMDB about this many records at most'),
  ).action(enrichCommands.tmdb);
  add(
    'queries',
    'write the SPARQL queries for Wikidata, in parts, with the ids of the record',
    new Option('--size <number>', 'ids in a query').default(300).argParser(wholeNumber(1, 10_000)),
    new Option('--all', 'also ask about records that lack nothing, for --refresh'),
    database(),
    json(),
  )
    .argument('<folder>', 'folder for the queries', notEmpty)
    .action(enrichCommands.queries);
}

function addBuilding(add: Add): void {
  const common = [database(), folder(), json()];
  add(
    'build',
    'bring the snapshot up to date with the database; writes only what changed',
    ...common,
    new Option('--full', 'build everything and check every file'),
    new Option('--explain', 'say of each stage what was built, and why'),
    noDownloads(),
    ...layerOptions(),
  ).action((options: BuildCommandOptions) => commands.build(options));
  add(
    'verify',
    'compare every byte of the snapshot with a clean build in memory; exit code 1 if any differs',
    ...common,
    ...layerOptions(),
  ).action(commands.verify);
}

function addPublishing(add: Add): void {
  add(
    'publish',
    'upload the snapshot to Netlify, or copy it to another folder; only what changed',
    database(),
    folder(),
    json(),
    new Option('--to <dir>', 'copy to this folder instead of Netlify').argParser(notEmpty),
    new Option('--site <id>', 'the site, instead of NETLIFY_SITE_ID').argParser(notEmpty).conflicts('to'),
    new Option('--dry-run', 'list what would be sent, or count what would be copied, and do nothing'),
    new Option(
      '--pages <which>',
      'precomputed pages to send; "lists" leaves out those of single records. The host computes the other answers',
    )
      .choices(['all', 'lists', 'none'])
      .default('all'),
    new Option('--force', 'publish even if the live snapshot is newer or of unknown age'),
  ).action(publishCommand);
}

function addServing(add: Add): void {
  const common = [port(), host(), database(), folder(), json(), logLevel(), metrics()];
  add(
    'serve',
    'run the whole service on one port',
    ...common,
    noDownloads(),
    ...layerOptions(),
    new Option('--publish', 'publish changes to Netlify while it runs'),
    new Option('--publish-every <seconds>', 'minimum seconds between two publishes')
      .default(20)
      .argParser(wholeNumber(20, 86_400)),
  ).action(serveCommands.serve);
  add(
    'start',
    'what "npm start" runs: import the source, or fill an empty database with the sample; build, create a first key, serve',
    ...common,
    ...layerOptions(),
  )
    .argument(
      '[source]',
      'file or http(s) address of the public award record; it replaces an unchanged sample',
      notEmpty,
    )
    .action(serveCommands.start);
}

function addKeys(add: Add): void {
  const common = [database(), json()];
  add('create', 'create a key and print it; it cannot be printed again', ...common)
    .argument('<name>', 'name of the key: letters, digits, ".", "_" and "-"')
    .action(keyCommands.create);
  add('list', 'list all keys: created, last used, revoked', ...common).action(keyCommands.list);
  add('revoke', 'revoke a key for good', ...common)
    .argument('<name>', 'name of the key')
    .action(keyCommands.revoke);
}

function addBackups(add: Add): void {
  const common = [database(), json()];
  add('backup', 'copy the database to one checked file, also while a service writes', ...common)
    .argument('<file>', 'the backup', notEmpty)
    .option('--force', 'replace an existing file')
    .action(backupCommands.backup);
  add('restore', 'check a backup and put it in the place of the database, which is kept beside it', ...common)
    .argument('<file>', 'the backup', notEmpty)
    .action(backupCommands.restore);
}

function addDoctor(add: Add): void {
  add(
    'doctor',
    'check the database, the snapshot, keys and terms, and say how to fix them; exit code 1 if something is wrong',
    database(),
    folder(),
    json(),
  ).action(async (options: CommandOptions & { out: string }) => {
    const { doctor } = await import('./doctor.ts');
    await doctor(options);
  });
}

/** Reads a list such as "https://image.tmdb.org, https://upload.wikimedia.org". @returns the origins, or the first that is none */
export function readImageOrigins(text: string): readonly string[] | { fault: string } {
  const origins = text.split(/[\s,]+/).filter((origin) => origin !== '');
  const fault = origins.find((origin) => !isHttpsOrigin(origin));
  return fault === undefined ? [...new Set(origins)] : { fault };
}

const isHttpsOrigin = (text: string): boolean =>
  /^https:\/\/[a-z0-9.:-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

export function origins(value: string): readonly string[] {
  const read = readImageOrigins(value);
  if ('fault' in read)
    throw new InvalidArgumentError(`"${read.fault}" is not an origin such as https://image.tmdb.org.`);
  return read;
}

export function notEmpty(value: string): string {
  if (value === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

export function webOrigin(value: string): string {
  const { origin, protocol } = URL.canParse(value) ? new URL(value) : { origin: '', protocol: '' };
  if (!/^https?:$/.test(protocol) || ![origin, `${origin}/`].includes(value))
    throw new InvalidArgumentError(
      'It must be an http or https address without a path, such as https://awards.example.',
    );
  return origin;
}

export function wholeNumber(minimum: number, maximum: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^[0-9]+$/.test(value) || number < minimum || number > maximum)
      throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
    return number;
  };
}

/** The host is 127.0.0.1 where none is given. */
export function listenAddress(value: string): ListenAddress {
  const [, ipv6, host = ipv6 ?? '127.0.0.1', port = ''] =
    /^(?:\[([0-9a-fA-F:.]+)\]:|([^:[\]]+):)?([0-9]{1,5})$/.exec(value) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw new InvalidArgumentError('It must be a port, or a host and a port, such as 127.0.0.1:9464.');
  return { host, port: Number(port) };
}

export function scaleNumber(value: string): number {
  const number = Number(value);
  if (!/^[0-9]+(\.[0-9]+)?$/.test(value) || !(number > 0) || number > 100)
    throw new InvalidArgumentError('It must be a number above 0, at most 100.');
  return number;
}

/** Command, with its parent → complete command lines. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  awards: [
    'awards sample && awards build && awards serve',
    'awards import oscars.csv && awards build --explain',
    'awards generate --scale 10 --seed 7 --db /tmp/big.db && awards build --db /tmp/big.db --out /tmp/big',
    'awards verify --json',
    'awards keys create editor && awards keys list',
    'awards publish --dry-run && awards publish',
    'awards enrich queries queries && awards enrich wikidata queries/*.json',
    'awards doctor',
  ],
  sample: ['awards sample', 'awards sample --db /tmp/try.db'],
  import: [
    'awards import oscars.csv',
    'awards import oscars.csv --dry-run',
    'awards import https://example.org/oscars.csv --db /var/lib/awards.db',
  ],
  enrich: ['awards enrich queries queries', 'awards enrich wikidata queries/*.json', 'awards enrich tmdb'],
  'enrich wikidata': [
    'awards enrich wikidata queries/*.json',
    'awards enrich wikidata queries/*.json --dry-run',
  ],
  'enrich tmdb': ['TMDB_TOKEN=… awards enrich tmdb --limit 1000', 'awards enrich tmdb --refresh'],
  'enrich queries': ['awards enrich queries queries'],
  generate: [
    'awards generate --scale 0.1 --db /tmp/small.db',
    'awards generate --scale 10 --seed 7 --db /tmp/big.db',
  ],
  build: ['awards build', 'awards build --explain', 'awards build --full --out /var/www/awards'],
  verify: ['awards verify', 'awards verify --json'],
  publish: ['awards publish --dry-run', 'awards publish', 'awards publish --to /var/www/awards'],
  serve: [
    'awards serve',
    'awards serve --port 8080 --host 0.0.0.0',
    'awards serve --log-level info --metrics 9464',
    'AWARDS_RATE_LIMIT=0 awards serve --no-downloads',
  ],
  start: ['awards start', 'awards start oscars.csv', 'awards start --port 8080'],
  doctor: ['awards doctor', 'awards doctor --json'],
  keys: ['awards keys create editor', 'awards keys list', 'awards keys revoke editor'],
  'keys create': ['awards keys create editor'],
  'keys list': ['awards keys list', 'awards keys list --json'],
  'keys revoke': ['awards keys revoke editor'],
  backup: ['awards backup /backups/awards-2026-11-22.db', 'awards backup /backups/latest.db --force --json'],
  restore: ['awards restore /backups/awards-2026-11-22.db && awards build'],
};

/** What a variable is for, its default, and the option that wins over it. */
const useOf = ({ use, option, default: usual }: Variable): string =>
  [use, option && `as ${option.split(' ')[0]}`, usual !== undefined && `default ${usual}`]
    .filter(Boolean)
    .join('; ');

function environmentText(): string {
  const width = Math.max(...Object.keys(commandVariables).map((name) => name.length));
  const lines = Object.entries(commandVariables).map(
    ([name, variable]) => `  ${name.padEnd(width)}  ${useOf(variable)}`,
  );
  return `\nEnvironment:\n${lines.join('\n')}`;
}

/** Adds the examples to the help of a command and its subcommands, and the environment to that of the program. */
export function addExamples(command: Command, name = ''): void {
  const lines = examples[name || command.name()] ?? [];
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  if (name === '') command.addHelpText('after', environmentText());
  for (const sub of command.commands) addExamples(sub, `${name} ${sub.name()}`.trim());
}
