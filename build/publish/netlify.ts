/** What a publish needs of Netlify: the account, the endpoints of the API, and the configuration that a deploy contains. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { byCodeUnit } from '../../api/contract/text.ts';
import { readIfPresent } from '../../api/read/node-source.ts';
import { requestText, serviceAddress, tokenFrom } from '../system/requests.ts';
import { type RetryPolicy, TransientError } from '../system/retry-policy.ts';
import { UserError } from '../system/user-error.ts';

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
  const token = tokenFrom(
    environment,
    'NETLIFY_AUTH_TOKEN',
    'make a token under User settings, Applications, New access token',
  );
  const id = site ?? environment.NETLIFY_SITE_ID?.trim();
  if (!id)
    throw new UserError(
      'NETLIFY_SITE_ID is not set; it is the project id, under Project configuration (or use --site)',
    );
  if (!/^[A-Za-z0-9.-]+$/.test(id)) throw new UserError(`"${id}" is not the id of a site`);
  return { site: id, token, api: serviceAddress(environment, 'NETLIFY_API_URL', netlifyApi) };
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

/** Netlify refused the request, and would refuse a retry. The message gives advice. */
export class NetlifyError extends UserError {
  readonly status: number;

  constructor(status: number, answer: string, site: string) {
    super(advice[status]?.(site) ?? `Netlify refuses (${status}): ${answer}`);
    this.status = status;
  }
}

const advice: Readonly<Record<number, (site: string) => string>> = {
  401: () =>
    'Netlify does not accept the token in NETLIFY_AUTH_TOKEN (401); make a new one under User settings, Applications',
  403: (site) =>
    `the token in NETLIFY_AUTH_TOKEN may not publish to site ${site} (403); use one of an owner of the site`,
  404: (site) =>
    `Netlify knows no site ${site}, or the token may not see it (404); NETLIFY_SITE_ID is its project id, under Project configuration`,
};

/** netlify-cli has the same limit. */
const maxForegroundFiles = 100;

type Answer = Record<string, unknown>;

/** Every method throws NetlifyError if a retry would not help, and RetryLaterError when the retries are used up. */
export class Netlify {
  readonly #account: Account;
  readonly #retry: RetryPolicy;

  constructor(account: Account, retry: RetryPolicy) {
    this.#account = { ...account, api: account.api.replace(/\/+$/, '') };
    this.#retry = retry;
  }

  async site(): Promise<Site> {
    const site = await this.#request('asking about the site', 'url', 'GET', this.#sitePath);
    const live = site.published_deploy as Answer | null | undefined;
    return {
      name: text(site.name) || this.#account.site,
      address: (text(site.ssl_url) || text(site.url)).replace(/\/+$/, ''),
      live: live?.id
        ? { id: text(live.id), title: text(live.title), locked: live.locked === true }
        : undefined,
    };
  }

  /**
   * Creates a deploy without files. If the answer is lost, a retry creates another one; the first never goes live.
   * @returns its id
   */
  async createDeploy(title: string): Promise<string> {
    const path = `${this.#sitePath}/deploys?title=${encodeURIComponent(title)}`;
    const deploy = await this.#request('beginning a deploy', 'id', 'POST', path, { draft: false });
    return text(deploy.id);
  }

  /** Sets the files of a deploy. @param files path → SHA-1, all of them */
  async setFiles(id: string, files: ReadonlyMap<string, string>): Promise<void> {
    const path = `${this.#sitePath}/deploys/${id}`;
    const body = { files: Object.fromEntries(files), async: files.size > maxForegroundFiles };
    let isRetry = false;
    await this.#retry.run('sending the list of files', async (signal) => {
      // The first attempt may have succeeded without an answer; Netlify takes no second list then.
      const { state } = isRetry ? await this.#send('GET', path, signal) : { state: 'new' };
      if (state === undefined) throw new TransientError('the answer has no state');
      if (state !== 'new') return;
      isRetry = true;
      await this.#send('PUT', path, signal, body);
    });
  }

  async deploy(id: string): Promise<Deploy> {
    const path = `${this.#sitePath}/deploys/${id}`;
    const { state, required, error_message } = await this.#request(
      'asking about the deploy',
      'state',
      'GET',
      path,
    );
    return {
      id,
      state: text(state),
      required: Array.isArray(required) ? required.map(text) : [],
      message: text(error_message),
    };
  }

  async upload(id: string, path: string, bytes: Uint8Array): Promise<void> {
    const address = `/deploys/${id}/files/${encodeURI(path)}`;
    await this.#request(`uploading ${path}`, undefined, 'PUT', address, bytes);
  }

  async cancel(id: string): Promise<void> {
    await this.#request('cancelling a deploy', undefined, 'POST', `/deploys/${id}/cancel`);
  }

  get #sitePath(): string {
    return `/sites/${this.#account.site}`;
  }

  /** @param what for messages @param member an answer without this text is retried */
  #request(
    what: string,
    member: string | undefined,
    method: string,
    path: string,
    body?: Uint8Array | object,
  ): Promise<Answer> {
    return this.#retry.run(what, async (signal) => {
      const answer = await this.#send(method, path, signal, body);
      if (member === undefined || text(answer[member]) !== '') return answer;
      throw new TransientError(`the answer has no ${member}`);
    });
  }

  /** @param body bytes to upload, or an object to send as JSON @throws TransientError, NetlifyError */
  async #send(
    method: string,
    path: string,
    signal: AbortSignal,
    body?: Uint8Array | object,
  ): Promise<Answer> {
    const { api, token, site } = this.#account;
    const isBinary = body instanceof Uint8Array;
    const { response, content } = await requestText(`${api}${path}`, {
      method,
      signal,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': isBinary ? 'application/octet-stream' : 'application/json',
      },
      ...(body && { body: isBinary ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    });
    const { status, ok } = response;
    const answer = parseObject(content);
    if (ok) return answer;
    const message = (text(answer.message) || content || response.statusText).replace(/\s+/g, ' ');
    throw new NetlifyError(status, message.trim().slice(0, 200), site);
  }
}

/** Netlify reads manifest.json and the *.eszip bundles of the edge functions here. */
const edgeFolder = '.netlify/internal/edge-functions';
/** `netlify build` writes them to the first; a folder that is laid out like a deploy has the second. */
const builtEdgeFolders = ['.netlify/edge-functions-dist', edgeFolder];
const configurationName = 'netlify.toml';

/** The configuration of the host and the bundles of the edge functions: path in the deploy → bytes. */
export function readConfiguration(project: string): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const folder = builtEdgeFolders.map((name) => join(project, name)).find((path) => existsSync(path));
  for (const name of folder === undefined ? [] : readdirSync(folder).sort(byCodeUnit))
    if (/^manifest\.json$|\.eszip$/.test(name))
      files.set(`${edgeFolder}/${name}`, readFileSync(join(folder!, name)));
  const toml = readIfPresent(join(project, configurationName));
  if (toml) files.set(configurationName, toml);
  return files;
}

/** Some answers are empty. */
function parseObject(json: string): Answer {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Answer) : {};
  } catch {
    return {};
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
