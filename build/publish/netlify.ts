/** What a publish needs of Netlify: the endpoints of the API, and the configuration that a deploy contains. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { byCodeUnit } from '../../api/contract/text.ts';
import { readIfPresent } from '../../api/read/node-source.ts';
import { type Requests, requestText } from '../system/requests.ts';
import { UserError } from '../system/messages.ts';

export interface Account {
  /** Id or name of the site. */
  site: string;
  token: string;
  /** Address of the API, such as https://api.netlify.com/api/v1. */
  api: string;
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

type Answer = Record<string, unknown>;
type Body = Uint8Array | object | undefined;

/** Every method throws NetlifyError if a retry would not help, and RetryLaterError when the retries are used up. */
export class Netlify {
  readonly #account: Account;
  readonly #requests: Requests;

  constructor(account: Account, requests: Requests) {
    this.#account = account;
    this.#requests = requests;
  }

  async site(): Promise<Site> {
    const site = await this.#request('asking about the site', 'GET', this.#sitePath);
    const live = site.published_deploy as Answer | null | undefined;
    return {
      name: text(site.name) || this.#account.site,
      address: (text(site.ssl_url) || text(site.url)).replace(/\/+$/, ''),
      live: live?.id
        ? { id: text(live.id), title: text(live.title), locked: live.locked === true }
        : undefined,
    };
  }

  /** Creates a deploy without files. If the answer is lost, a retry creates another one; the first never goes live. */
  async createDeploy(title: string): Promise<string> {
    const path = `${this.#sitePath}/deploys?title=${encodeURIComponent(title)}`;
    return text((await this.#request('beginning a deploy', 'POST', path, { draft: false })).id);
  }

  /** Sets the files of a deploy. @param files path → SHA-1, all of them */
  async setFiles(id: string, files: ReadonlyMap<string, string>): Promise<void> {
    const path = `${this.#sitePath}/deploys/${id}`;
    // netlify-cli has the same limit.
    const body = { files: Object.fromEntries(files), async: files.size > 100 };
    let isRetry = false;
    await this.#requests.run('sending the list of files', async (signal) => {
      // The first attempt may have succeeded without an answer; Netlify takes no second list then.
      if (isRetry && (await this.#send('GET', path, undefined, signal)).state !== 'new') return;
      isRetry = true;
      await this.#send('PUT', path, body, signal);
    });
  }

  async deploy(id: string): Promise<Deploy> {
    const answer = await this.#request('asking about the deploy', 'GET', `${this.#sitePath}/deploys/${id}`);
    const { state, required, error_message: message } = answer;
    const digests = Array.isArray(required) ? required.map(text) : [];
    return { id, state: text(state), required: digests, message: text(message) };
  }

  async upload(id: string, path: string, bytes: Uint8Array): Promise<void> {
    await this.#request(`uploading ${path}`, 'PUT', `/deploys/${id}/files/${encodeURI(path)}`, bytes);
  }

  async cancel(id: string): Promise<void> {
    await this.#request('cancelling a deploy', 'POST', `/deploys/${id}/cancel`);
  }

  get #sitePath(): string {
    return `/sites/${this.#account.site}`;
  }

  /** @param what for messages */
  #request(what: string, method: string, path: string, body?: Body): Promise<Answer> {
    return this.#requests.run(what, (signal) => this.#send(method, path, body, signal));
  }

  /** @param body bytes to upload, or an object to send as JSON @throws TransientError, NetlifyError */
  async #send(method: string, path: string, body: Body, signal: AbortSignal): Promise<Answer> {
    const { api, token, site } = this.#account;
    const isBinary = body instanceof Uint8Array;
    const type = isBinary ? 'application/octet-stream' : 'application/json';
    const { status, ok, statusText, content } = await requestText(`${api.replace(/\/+$/, '')}${path}`, {
      ...{ method, signal, headers: { authorization: `Bearer ${token}`, 'content-type': type } },
      ...(body && { body: isBinary ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    });
    const answer = parseObject(content);
    if (ok) return answer;
    const message = (text(answer.message) || content || statusText).replace(/\s+/g, ' ');
    throw new NetlifyError(status, message.trim().slice(0, 200), site);
  }
}

/** Some answers are empty. */
function parseObject(json: string): Answer {
  try {
    return { ...(JSON.parse(json) as Answer) };
  } catch {
    return {};
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Netlify reads manifest.json and the *.eszip bundles of the edge functions here. */
const edgeFolder = '.netlify/internal/edge-functions';
/** `netlify build` writes them to the first; a folder that is laid out like a deploy has the second. */
const builtEdgeFolders = ['.netlify/edge-functions-dist', edgeFolder];

/** The configuration of the host and the bundles of the edge functions: path in the deploy → bytes. */
export function readConfiguration(project: string): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const folder = builtEdgeFolders.map((name) => join(project, name)).find((path) => existsSync(path));
  for (const name of folder === undefined ? [] : readdirSync(folder).sort(byCodeUnit))
    if (/^manifest\.json$|\.eszip$/.test(name))
      files.set(`${edgeFolder}/${name}`, readFileSync(join(folder!, name)));
  const toml = readIfPresent(join(project, 'netlify.toml'));
  return toml ? files.set('netlify.toml', toml) : files;
}
