/** The parts of --help below the options: examples of each command, and environment variables. */
import { styleText } from 'node:util';
import type { Command, HelpConfiguration } from 'commander';
import { commandVariables, type Variable } from './environment.ts';

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
  start: ['awards start', 'awards start --port 8080'],
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

/** Commander strips the styles where the output is not a terminal or NO_COLOR is set. */
export const helpStyle: HelpConfiguration = {
  styleTitle: (title) => styleText('bold', title),
  styleCommandText: (text) => styleText('cyan', text),
  styleSubcommandText: (text) => styleText('cyan', text),
  styleOptionText: (text) => styleText('cyan', text),
};

/** Adds the examples to the help of a command and its subcommands, and the environment to that of the program. */
export function addExamples(command: Command, name = ''): void {
  const lines = examples[name || command.name()] ?? [];
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  if (name === '') command.addHelpText('after', environmentText());
  for (const sub of command.commands) addExamples(sub, `${name} ${sub.name()}`.trim());
}
