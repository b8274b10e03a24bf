/** The endpoints of Netlify's API that a publish needs. Every method sends one request; the caller decides about retries. */
import { UserError } from '../../data/user-error.ts';
import { TransientError } from './retry-policy.ts';

export interface Account {
  /** Id or name of the site. */
  site: string;
  token: string;
  /** Address of the API, such as https://api.netlify.com/api/v1. */
  api: string;
}

const netlifyApi = 'https://api.netlify.com/api/v1';

/**
 * The account from NETLIFY_AUTH_TOKEN, NETLIFY_SITE_ID and NETLIFY_API_URL.
 * @param site instead of NETLIFY_SITE_ID
 * @throws UserError naming the variable that is missing or invalid
 */
export function accountOf(environment: NodeJS.ProcessEnv, site: string | undefined): Account {
  const token = environment.NETLIFY_AUTH_TOKEN?.trim();
  if (!token)
    throw new UserError(
      'NETLIFY_AUTH_TOKEN is not set; make a token under User settings, Applications, New access token',
    );
  // The error of fetch() for an invalid header would not name the variable.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UserError('NETLIFY_AUTH_TOKEN is not a token: it contains blanks or control characters');
  const id = site ?? environment.NETLIFY_SITE_ID?.trim();
  if (!id)
    throw new UserError(
      'NETLIFY_SITE_ID is not set; it is the project id, under Project configuration (or use --site)',
    );
  if (!/^[A-Za-z0-9.-]+$/.test(id)) throw new UserError(`"${id}" is not the id of a site`);
  return { site: id, token, api: apiAddress(environment.NETLIFY_API_URL) };
}

function apiAddress(given: string | undefined): string {
  if (!given) return netlifyApi;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isLoopback = url && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname);
  // Every request carries the token.
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLoopback))
    throw new UserError(`NETLIFY_API_URL is "${given}"; it must be an https address`);
  return given;
}

export interface Site {
  name: string;
  /** Public address, without a slash at the end. */
  address: string;
  /** The deploy that the site shows; undefined before the first one. */
  live: { id: string; title: string; locked: boolean } | undefined;
}

export interface Deploy {
  id: string;
  /** new → preparing → prepared or uploading → uploaded → processing → ready; or error. */
  state: string;
  /** SHA-1 of each file to upload. */
  required: readonly string[];
  /** Netlify's error message. */
  message: string;
}

/** Netlify refused the request: a retry would be refused too. */
export class NetlifyError extends UserError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export class Netlify {
  readonly #account: Account;

  constructor(account: Account) {
    this.#account = { ...account, api: account.api.replace(/\/+$/, '') };
  }

  async site(signal: AbortSignal): Promise<Site> {
    const site = await this.#request('GET', this.#sitePath, signal);
    const address = text(site.ssl_url) || text(site.url);
    if (!/^https?:/.test(address)) throw new TransientError('the answer about the site has no address');
    const live = site.published_deploy as Record<string, unknown> | null | undefined;
    return {
      name: text(site.name) || this.#account.site,
      address: address.replace(/\/+$/, ''),
      live: live?.id
        ? { id: text(live.id), title: text(live.title), locked: live.locked === true }
        : undefined,
    };
  }

  /** Creates a deploy without files. @returns its id */
  async createDeploy(title: string, signal: AbortSignal): Promise<string> {
    const path = `${this.#sitePath}/deploys?title=${encodeURIComponent(title)}`;
    const { id } = await this.#request('POST', path, signal, { draft: false });
    if (text(id) === '') throw new TransientError('the answer to a new deploy has no id');
    return text(id);
  }

  /** Sets the files of a deploy. @param files path → SHA-1, all of them @param inBackground the answer does not wait for it */
  async setFiles(
    deploy: string,
    files: ReadonlyMap<string, string>,
    inBackground: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const body = { files: Object.fromEntries(files), async: inBackground };
    await this.#request('PUT', `${this.#sitePath}/deploys/${deploy}`, signal, body);
  }

  async deploy(id: string, signal: AbortSignal): Promise<Deploy> {
    const deploy = await this.#request('GET', `${this.#sitePath}/deploys/${id}`, signal);
    if (text(deploy.state) === '') throw new TransientError('the answer about a deploy has no state');
    return {
      id,
      state: text(deploy.state),
      required: Array.isArray(deploy.required) ? deploy.required.map(text) : [],
      message: text(deploy.error_message),
    };
  }

  async upload(deploy: string, path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#request('PUT', `/deploys/${deploy}/files/${encodeURI(path)}`, signal, bytes);
  }

  async cancel(deploy: string, signal: AbortSignal): Promise<void> {
    await this.#request('POST', `/deploys/${deploy}/cancel`, signal);
  }

  get #sitePath(): string {
    return `/sites/${this.#account.site}`;
  }

  /**
   * @param body bytes to upload, or an object to send as JSON
   * @returns the members of the answer; none where it is no JSON object: some answers are empty
   * @throws TransientError if a retry may succeed; NetlifyError if not
   */
  async #request(
    method: string,
    path: string,
    signal: AbortSignal,
    body?: Uint8Array | object,
  ): Promise<Record<string, unknown>> {
    const isBinary = body instanceof Uint8Array;
    const { response, answer } = await fetchText(`${this.#account.api}${path}`, {
      method,
      signal,
      headers: {
        authorization: `Bearer ${this.#account.token}`,
        'user-agent': 'film-awards',
        ...(body && { 'content-type': isBinary ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body && { body: isBinary ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    });
    const { status, headers } = response;
    if (isTemporary(status))
      throw new TransientError(
        `answer ${status}`,
        status === 429 ? retryTime(headers, Date.now()) : undefined,
      );
    const members = parseObject(answer);
    if (response.ok) return members;
    const message = text(members.message) || answer || response.statusText;
    throw new NetlifyError(status, message.replace(/\s+/g, ' ').trim().slice(0, 200));
  }
}

/** @throws TransientError if the connection fails; the reason of the signal if it is aborted */
async function fetchText(
  address: string,
  init: RequestInit,
): Promise<{ response: Response; answer: string }> {
  try {
    const response = await fetch(address, init);
    return { response, answer: await response.text() };
  } catch (error) {
    init.signal?.throwIfAborted();
    // fetch() itself says only "fetch failed"; its cause names the reason.
    const { message, cause } = error as Error;
    throw new TransientError((cause instanceof Error && cause.message) || message, undefined, {
      cause: error,
    });
  }
}

function parseObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Whether a retry of a request with this answer may succeed. */
export const isTemporary = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500;

/**
 * The time of the next request that the server asks for, in milliseconds since 1970: from Retry-After (seconds or a date), or
 * from X-RateLimit-Reset (seconds since 1970).
 */
export function retryTime(headers: Headers, now: number): number | undefined {
  const after = headers.get('retry-after') ?? '';
  const time = /^[0-9]+$/.test(after) ? now + Number(after) * 1000 : Date.parse(after);
  if (Number.isFinite(time)) return time;
  const reset = headers.get('x-ratelimit-reset') ?? '';
  return /^[0-9]{9,11}$/.test(reset) ? Number(reset) * 1000 : undefined;
}
