/**
 * The environment variables of the command line: the one table that options, --help and all code that reads
 * them share; and the accounts at the services of others, which stand in variables.
 */
import { commonsFilesOrigin, commonsOrigin } from '../../api/contract/enrichment.ts';
import { isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { filesPerRead, readsPerMinute, searchesPerRead, writesPerMinute } from '../../api/contract/limits.ts';
import { UserError } from '../../data/system/messages.ts';

/** The value of a text. @throws InvalidArgumentError with a sentence that says what it must be */
type Parse = (value: string) => unknown;

export interface Variable {
  use: string;
  /** The option that wins over the variable, as commander writes it. */
  option?: string;
  default?: string | number;
  parse?: Parse;
}

/** In the order of the documentation. */
export const commandVariables = {
  PORT: { use: 'port to listen on', option: '--port <number>', default: 3000, parse: wholeNumber(0, 65535) },
  HOST: { use: 'address to listen on', option: '--host <address>', default: '127.0.0.1', parse: notEmpty },
  AWARDS_DB: { use: 'the database', option: '--db <file>', default: 'data/awards.db', parse: notEmpty },
  AWARDS_DIST: { use: 'folder of the snapshot', option: '--out <dir>', default: 'dist', parse: notEmpty },
  AWARDS_API_KEY: {
    use: 'one more key for writing, besides those in the database; at least 20 characters',
    parse: writeKey,
  },
  AWARDS_RATE_LIMIT: {
    use: `GETs of the API per minute and client; files and pages: ${filesPerRead} times as many, those with a search ${searchesPerRead} times; 0: no limit`,
    default: readsPerMinute,
    parse: wholeNumber(0, 999_999_999),
  },
  AWARDS_WRITE_RATE_LIMIT: {
    use: 'writes per minute and key; 0: no limit',
    default: writesPerMinute,
    parse: wholeNumber(0, 999_999_999),
  },
  AWARDS_TRUSTED_PROXIES: {
    use: 'addresses or CIDR ranges of trusted proxies, whose X-Forwarded-For is read, separated by commas',
    parse: addressRanges,
  },
  AWARDS_PROXY_SECRET: {
    use: 'secret of a CDN that forwards writes, the same as its WRITE_SECRET',
    parse: headerText,
  },
  AWARDS_LOG_LEVEL: {
    use: 'level of the log on stderr, in JSON lines',
    option: '--log-level <level>',
    default: 'warn',
  },
  AWARDS_METRICS: {
    use: 'serve metrics for Prometheus on this [host:]port',
    option: '--metrics <address>',
    parse: listenAddress,
  },
  AWARDS_IMAGE_ORIGINS: {
    use: 'other hosts whose posters the site may show, separated by commas',
    option: '--image-origins <list>',
    parse: imageOrigins,
  },
  AWARDS_ORIGIN: {
    use: 'the address of the published site, for the links in feeds, pages and the sitemap',
    option: '--origin <url>',
    parse: webOrigin,
  },
  AWARDS_DEBUG: { use: 'any value: print the stack trace of an error' },
  NO_COLOR: { use: 'any value: no colours on a terminal' },
  NETLIFY_AUTH_TOKEN: { use: 'access token for publishing to Netlify', parse: headerText },
  NETLIFY_SITE_ID: {
    use: 'id of the Netlify site to publish to; "publish --site" wins over it',
    parse: siteId,
  },
  NETLIFY_API_URL: { use: 'another address of the Netlify API, for tests', parse: serviceAddress },
  TMDB_TOKEN: { use: 'token for the TMDB API, for "enrich tmdb"', parse: headerText },
  TMDB_API_URL: { use: 'another address of the TMDB API, for tests', parse: serviceAddress },
} as const satisfies Record<string, Variable>;

export type CommandVariable = keyof typeof commandVariables;

// An empty variable is unset. Commander reads process.env itself.
for (const name of Object.keys(commandVariables)) if (process.env[name] === '') delete process.env[name];

/**
 * The values of this process. All code of the command line reads them here, so that none is missing in the
 * table.
 */
export const environment: Readonly<Partial<Record<CommandVariable, string>>> = process.env;

/** The message where AWARDS_ORIGIN is not set. */
export const noOrigin =
  'the address of the site is not given, so lists have relative addresses, and "serve" has no sitemap';

/** The type of the value of a variable: what its `parse` returns, else a text. */
type Setting<N extends CommandVariable> = (typeof commandVariables)[N] extends {
  parse: (value: string) => infer T;
}
  ? T
  : string;
/** The value where a variable is not set. */
type Unset<N extends CommandVariable> = (typeof commandVariables)[N] extends { default: infer D }
  ? D
  : undefined;

/**
 * The values of variables that have no option. A command calls it before its first side effect.
 * @throws UserError that names a variable with a value that cannot be used
 */
export function readSettings<N extends CommandVariable>(
  ...names: readonly N[]
): { readonly [name in N]: Setting<name> | Unset<name> } {
  const read = (name: N) => {
    const { default: usual, parse = String }: Variable = commandVariables[name];
    const value = environment[name];
    if (!value) return usual;
    const fault = faultIn(name, value);
    if (fault !== undefined) throw new UserError(fault);
    return parse(value);
  };
  return Object.fromEntries(names.map((name) => [name, read(name)])) as never;
}

/** Why a variable cannot have a value; undefined if it can. The value itself may be secret. */
export function faultIn(name: CommandVariable, value: string): string | undefined {
  const { parse }: Variable = commandVariables[name];
  try {
    parse?.(value);
    return undefined;
  } catch (error) {
    return `${name}: ${(error as Error).message}`;
  }
}

/**
 * The account for publishing to Netlify, from NETLIFY_AUTH_TOKEN, NETLIFY_SITE_ID and NETLIFY_API_URL.
 * @param siteOption instead of NETLIFY_SITE_ID
 * @throws UserError naming the variable that is missing or invalid
 */
export function netlifyAccount(siteOption?: string) {
  const {
    NETLIFY_AUTH_TOKEN: token,
    NETLIFY_API_URL: api = 'https://api.netlify.com/api/v1',
    NETLIFY_SITE_ID: site = siteOption,
  } = readSettings('NETLIFY_AUTH_TOKEN', 'NETLIFY_API_URL', 'NETLIFY_SITE_ID');
  if (token === undefined)
    throw new UserError(
      'NETLIFY_AUTH_TOKEN is not set; make a token under User settings, Applications, New access token',
    );
  if (site === undefined)
    throw new UserError(
      'NETLIFY_SITE_ID is not set; it is the project id, under Project configuration (or use --site)',
    );
  return { site: siteOption ?? site, token, api };
}

/** The account for the TMDB API. @throws UserError as netlifyAccount() does */
export function tmdbAccount() {
  const { TMDB_TOKEN: token, TMDB_API_URL: api = 'https://api.themoviedb.org' } = readSettings(
    'TMDB_TOKEN',
    'TMDB_API_URL',
  );
  if (token === undefined)
    throw new UserError('TMDB_TOKEN is not set; it is the "API Read Access Token" under Settings, API');
  return { token, api };
}

/** Shorter keys can be guessed. */
const minKeyLength = 20;

/** Reads a key that is sent in the header `x-api-key`. */
function writeKey(value: string): string {
  const key = headerText(value);
  if (key.length >= minKeyLength) return key;
  throw new InvalidArgumentError(`It has ${key.length} characters; it needs at least ${minKeyLength}.`);
}

/**
 * Reads a text that is sent in a header. The error of fetch() for an invalid one would not name the variable.
 */
function headerText(value: string): string {
  const text = value.trim();
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError('It must be printable ASCII without spaces, as it is sent in a header.');
}

/** Reads the id of a site, or its domain. */
export function siteId(value: string): string {
  const id = value.trim();
  if (/^[A-Za-z0-9.-]+$/.test(id)) return id;
  throw new InvalidArgumentError('It must be the id of a site: letters, digits, "." and "-".');
}

/** Reads the address of a service of others. Every request carries the token. */
function serviceAddress(value: string): string {
  if (/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/])/.test(value) && URL.canParse(value))
    return value;
  throw new InvalidArgumentError('It must be an https address.');
}

export function notEmpty(value: string): string {
  if (value === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

/** A text that is published. */
export function oneLine(value: string): string {
  if (/^[^\p{Cc}]{1,200}$/u.test(value) && value.trim() !== '') return value.trim();
  throw new InvalidArgumentError('It must be one line of at most 200 characters.');
}

export function wholeNumber(minimum: number, maximum: number) {
  return (value: string): number => {
    const number = Number(value);
    if (/^[0-9]+$/.test(value) && number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}

/** Reads a list such as "https://image.tmdb.org, https://commons.wikimedia.org". */
export function imageOrigins(value: string): readonly string[] {
  const origins = value.split(/[\s,]+/).filter((origin) => origin !== '');
  for (const origin of origins)
    if (
      !/^https:\/\/[a-z0-9.:-]+$/.test(origin) ||
      !URL.canParse(origin) ||
      new URL(origin).origin !== origin
    )
      throw new InvalidArgumentError(`"${origin}" is not an origin such as https://image.tmdb.org.`);
  // An address of an image at Wikimedia Commons leads to its other host.
  const all = origins.flatMap((origin) =>
    origin === commonsOrigin ? [origin, commonsFilesOrigin] : [origin],
  );
  return [...new Set(all)];
}

/** Reads the address of a site. */
export function webOrigin(value: string): string {
  const { origin, protocol } = URL.canParse(value) ? new URL(value) : { origin: '', protocol: '' };
  if (/^https?:$/.test(protocol) && [origin, `${origin}/`].includes(value)) return origin;
  throw new InvalidArgumentError(
    'It must be an http or https address without a path, such as https://awards.example.',
  );
}

/** Whether npx runs the program: npm says so to what it starts. */
export const isRunByNpx = (): boolean => process.env.npm_command === 'exec';

/** Reads a list such as "127.0.0.1, 10.0.0.0/8, 2001:db8::/32". */
export function addressRanges(value: string): readonly string[] {
  const ranges = value.split(/[\s,]+/).filter((range) => range !== '');
  for (const range of ranges) {
    const [, address = '', bits = '1'] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
    const maxBits = isIP(address) === 6 ? 128 : 32;
    // With 0 bits every client could name any address as its own.
    if (isIP(address) === 0 || Number(bits) < 1 || Number(bits) > maxBits)
      throw new InvalidArgumentError(`"${range}" is not an address or a CIDR range.`);
  }
  return ranges;
}

/** The host is 127.0.0.1 where none is given. */
function listenAddress(value: string): { host: string; port: number } {
  const [, ipv6, host = ipv6 ?? '127.0.0.1', port = ''] =
    /^(?:\[([0-9a-fA-F:.]+)\]:|([^:[\]]+):)?([0-9]{1,5})$/.exec(value) ?? [];
  if (port !== '' && Number(port) <= 65_535) return { host, port: Number(port) };
  throw new InvalidArgumentError('It must be a port, or a host and a port, such as 127.0.0.1:9464.');
}
