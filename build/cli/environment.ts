/** The environment variables: the one table that options, --help, docs/cli.md and all code that reads them share. */
import { defaultOrigin } from '../../api/contract/layers.ts';
import { filesPerRead, readsPerMinute, writesPerMinute } from '../../api/contract/limits.ts';

export interface Variable {
  use: string;
  /** The option that wins over the variable, as commander writes it. */
  option?: string;
  default?: string | number;
}

/** Read by the command line, in the order of the documentation. */
export const commandVariables = {
  PORT: { use: 'port to listen on', option: '--port <number>', default: 3000 },
  HOST: { use: 'address to listen on', option: '--host <address>', default: '127.0.0.1' },
  AWARDS_DB: { use: 'the database', option: '--db <file>', default: 'data/awards.db' },
  AWARDS_DIST: { use: 'folder of the snapshot', option: '--out <dir>', default: 'dist' },
  AWARDS_API_KEY: {
    use: 'one more key for writing, besides those in the database; at least 20 characters',
  },
  AWARDS_RATE_LIMIT: {
    use: `GETs of the API per minute and client; files and pages: ${filesPerRead} times as many; 0: no limit`,
    default: readsPerMinute,
  },
  AWARDS_WRITE_RATE_LIMIT: { use: 'writes per minute and key; 0: no limit', default: writesPerMinute },
  AWARDS_TRUSTED_PROXIES: {
    use: 'addresses or CIDR ranges of trusted proxies, whose X-Forwarded-For is read, separated by commas',
  },
  AWARDS_PROXY_SECRET: { use: 'secret of a CDN that forwards writes, the same as its WRITE_SECRET' },
  AWARDS_LOG_LEVEL: {
    use: 'level of the log on stderr, in JSON lines',
    option: '--log-level <level>',
    default: 'warn',
  },
  AWARDS_METRICS: {
    use: 'serve metrics for Prometheus on this [host:]port',
    option: '--metrics <address>',
  },
  AWARDS_IMAGE_ORIGINS: {
    use: 'other hosts whose posters the site may show, separated by commas',
    option: '--image-origins <list>',
  },
  AWARDS_ORIGIN: {
    use: 'the address of the published site, for the links in feeds, pages and the sitemap',
    option: '--origin <url>',
    default: defaultOrigin,
  },
  AWARDS_DEBUG: { use: 'any value: print the stack trace of an error' },
  NO_COLOR: { use: 'any value: no colours on a terminal' },
  NETLIFY_AUTH_TOKEN: { use: 'access token for publishing to Netlify' },
  NETLIFY_SITE_ID: { use: 'id of the Netlify site to publish to; "publish --site" wins over it' },
  NETLIFY_API_URL: { use: 'another address of the Netlify API, for tests' },
  TMDB_TOKEN: { use: 'token for the TMDB API, for "enrich tmdb"' },
  TMDB_API_URL: { use: 'another address of the TMDB API, for tests' },
} as const satisfies Record<string, Variable>;

/** Read by the functions on Netlify and the Worker on Cloudflare. */
export const edgeVariables = {
  AWARDS_ORIGIN: {
    use: 'the address of the site, for the links in its pages; without it that of the host',
  },
  WRITE_ORIGIN: { use: 'address of the service that accepts writes; without it the host only reads' },
  WRITE_SECRET: { use: 'the AWARDS_PROXY_SECRET of that service' },
} as const satisfies Record<string, Variable>;

/** Read by the tests and the workflows of the project. */
export const developmentVariables = {
  TEST_SEED: { use: 'repeats the random cases of a failed run' },
  AWARDS_TEST_EFFORT: { use: 'multiplies the number of random cases', default: 0.1 },
  AWARDS_UPDATE_GOLDEN: { use: 'any value: writes the golden trees of the snapshot' },
  AWARDS_WRITE_EXAMPLES: { use: 'any value: writes the examples of the OpenAPI document' },
  AWARDS_KILLS: { use: 'how often "npm run kills" kills a service', default: 1000 },
  AWARDS_CUTS: { use: 'how often the test of power cuts cuts the power' },
  AWARDS_DAMAGES: { use: 'how often the test of damaged folders damages one' },
  AWARDS_NETLIFY_TOOLS: { use: 'folder of the tools of "npm run test:netlify"' },
  AWARDS_TEST_CLOCK: { use: 'the clock of a process, set by tests' },
  AWARDS_SOURCE: { use: 'the record that the workflow for publishing imports' },
  CHROMIUM: { use: 'path of the browser for tests' },
} as const satisfies Record<string, Variable>;

export type CommandVariable = keyof typeof commandVariables;

// An empty variable is unset. Commander reads process.env itself.
for (const name of Object.keys(commandVariables)) if (process.env[name] === '') delete process.env[name];

/** The values of this process. All code of the command line reads them here, so that none is missing in the table. */
export const environment: Readonly<Partial<Record<CommandVariable, string>>> = process.env;

/** Shorter keys can be guessed. */
const minKeyLength = 20;

/** Why a key cannot be used as AWARDS_API_KEY; undefined if it can, and without a key. */
export function environmentKeyFault(key: string | undefined): string | undefined {
  if (!key) return undefined;
  // It must fit into a header.
  if (!/^[\x21-\x7e]+$/.test(key))
    return 'AWARDS_API_KEY must be printable ASCII without spaces, as it is sent in a header';
  return key.length < minKeyLength
    ? `AWARDS_API_KEY has ${key.length} characters; it needs at least ${minKeyLength}`
    : undefined;
}
