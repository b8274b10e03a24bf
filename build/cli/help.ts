/** What --help says below the options: examples of each command, and the environment; and how help looks on a terminal. */
import { styleText } from 'node:util';
import type { Command, HelpConfiguration } from 'commander';

/** Name of a command, with that of the one above it → lines that can be typed as they are. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  awards: [
    'awards sample && awards build && awards serve',
    'awards import oscars.csv && awards build --explain',
    'awards generate --scale 10 --seed 7 --db /tmp/big.db && awards build --db /tmp/big.db --out /tmp/big',
    'awards verify --json',
    'awards keys create editor && awards keys list',
    'awards publish --dry-run && awards publish',
    'awards doctor',
  ],
  sample: ['awards sample', 'awards sample --db /tmp/try.db'],
  import: [
    'awards import oscars.csv',
    'awards import https://example.org/oscars.csv --db /var/lib/awards.db',
  ],
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
    'AWARDS_RATE_LIMIT=0 awards serve --no-downloads',
  ],
  start: ['awards start', 'awards start --port 8080'],
  doctor: ['awards doctor', 'awards doctor --port 8080 --json'],
  keys: ['awards keys create editor', 'awards keys list', 'awards keys revoke editor'],
  'keys create': ['awards keys create editor'],
  'keys list': ['awards keys list', 'awards keys list --json'],
  'keys revoke': ['awards keys revoke editor'],
};

const environment = `
Environment:
  AWARDS_DB, AWARDS_DIST    defaults of --db and --out
  NETLIFY_AUTH_TOKEN        whose right to publish with
  NETLIFY_SITE_ID           the site to publish to
  AWARDS_API_KEY            a further key for writing, besides those in the database
  AWARDS_RATE_LIMIT         GETs per minute and client (default 100, 0 turns it off)
  AWARDS_WRITE_RATE_LIMIT   writes per minute and key (default 100, 0 turns it off)
  AWARDS_TRUSTED_PROXIES    addresses or CIDR ranges whose X-Forwarded-For counts, separated by commas
  AWARDS_PROXY_SECRET       what a CDN shows that hands writes through: its WRITE_SECRET
  NO_COLOR                  no colours on a terminal either`;

/** Commander leaves them out where the output is no terminal, or NO_COLOR is set. */
export const helpStyle: HelpConfiguration = {
  styleTitle: (title) => styleText('bold', title),
  styleCommandText: (text) => styleText('cyan', text),
  styleSubcommandText: (text) => styleText('cyan', text),
  styleOptionText: (text) => styleText('cyan', text),
};

/** Adds the examples to the help of a command and of all below it, and the environment to that of the whole. */
export function addExamples(command: Command, name = ''): void {
  const lines = examples[name || command.name()] ?? [];
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  if (name === '') command.addHelpText('after', environment);
  for (const below of command.commands) addExamples(below, `${name} ${below.name()}`.trim());
}
