/**
 * What a publish needs of Netlify: the endpoints of the API, and the configuration that a deploy contains.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { byCodeUnit } from '../../api/contract/text.ts';
import { readIfPresent } from '../../api/read/node-source.ts';
import type { Source } from '../../api/read/source.ts';
import { UserError } from '../../data/system/messages.ts';
import { type Requests, requestText } from '../../data/system/requests.ts';
import { siteSource } from './live-site.ts';

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
  /**
   * The deploy that the site shows, and an address that shows it for ever; undefined before the first one.
   */
  live: { id: string; title: string; locked: boolean; address: string } | undefined;
}

interface Deploy {
  id: string;
  title: string;
  /** preparing → prepared or uploading → uploaded → processing → ready; or error. */
  state: string;
  /** SHA-1 of each content to upload. */
  required: readonly string[];
  /** Netlify's error message. */
  message: string;
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

/**
 * Every method throws UserError if Netlify would refuse a retry too, and RetryLaterError when the retries are
 * used up.
 */
export class Netlify {
  readonly #account: Account;
  readonly #requests: Requests;
  readonly #site: string;

  constructor(account: Account, requests: Requests) {
    this.#account = account;
    this.#requests = requests;
    this.#site = `/sites/${account.site}`;
  }

  async site(): Promise<Site> {
    const site = (await this.#request('asking about the site', 'GET', this.#site)) as Answer;
    const live = site.published_deploy as Answer | null | undefined;
    const addressIn = (answer: Answer, ssl: string, plain: string) =>
      (text(answer[ssl]) || text(answer[plain])).replace(/\/+$/, '');
    const address = addressIn(site, 'ssl_url', 'url');
    return {
      name: text(site.name) || this.#account.site,
      address,
      live: live?.id
        ? {
            id: text(live.id),
            title: text(live.title),
            locked: live.locked === true,
            address: addressIn(live, 'deploy_ssl_url', 'deploy_url') || address,
          }
        : undefined,
    };
  }

  /** The files that the site shows: path → SHA-1. */
  async files(): Promise<Map<string, string>> {
    const files = await this.#request('asking about the files', 'GET', `${this.#site}/files`);
    return new Map((files as Answer[]).map(({ path, sha }) => [text(path).replace(/^\//, ''), text(sha)]));
  }

  /** Reads the files of a deploy at its address. See siteSource(). */
  source(address: string, force?: boolean): Source {
    return siteSource(address, this.#requests, force);
  }

  /** The deploys that are neither ready nor failed. */
  async unfinished(): Promise<Deploy[]> {
    return unfinishedIn(await this.#request('asking about deploys', 'GET', `${this.#site}/deploys`));
  }

  /**
   * Begins a deploy. It is live when its last content is there.
   * @param files path → SHA-1, all of them
   * @returns its id
   */
  begin(title: string, files: ReadonlyMap<string, string>): Promise<string> {
    const path = `${this.#site}/deploys`;
    // netlify-cli has the same limit.
    const body = { files: Object.fromEntries(files), draft: false, async: files.size > 100 };
    let isRetry = false;
    return this.#requests.run('beginning a deploy', async (signal) => {
      // The first attempt may have succeeded without an answer.
      const deploys = isRetry ? unfinishedIn(await this.#send('GET', path, undefined, signal)) : [];
      isRetry = true;
      const found = deploys.find((deploy) => deploy.title === title)?.id;
      const target = `${path}?title=${encodeURIComponent(title)}`;
      return found ?? text(((await this.#send('POST', target, body, signal)) as Answer).id);
    });
  }

  async deploy(id: string): Promise<Deploy> {
    return deployOf(await this.#request('asking about the deploy', 'GET', `${this.#site}/deploys/${id}`));
  }

  async upload(id: string, path: string, bytes: Uint8Array): Promise<void> {
    await this.#request(`uploading ${path}`, 'PUT', `/deploys/${id}/files/${encodeURI(path)}`, bytes);
  }

  async cancel(id: string): Promise<void> {
    await this.#request('cancelling a deploy', 'POST', `/deploys/${id}/cancel`);
  }

  /** @param what for messages */
  #request(what: string, method: string, path: string, body?: Uint8Array): Promise<unknown> {
    return this.#requests.run(what, (signal) => this.#send(method, path, body, signal));
  }

  /** @param body bytes to upload, or an object to send as JSON @throws TransientError, UserError */
  async #send(method: string, path: string, body: object | undefined, signal: AbortSignal): Promise<unknown> {
    const { api, token, site } = this.#account;
    const isBinary = body instanceof Uint8Array;
    const type = isBinary ? 'application/octet-stream' : 'application/json';
    const { status, ok, statusText, content } = await requestText(`${api.replace(/\/+$/, '')}${path}`, {
      method,
      signal,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      ...(body && { body: isBinary ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    });
    const answer = parse(content);
    if (ok) return answer;
    const message = (text((answer as Answer).message) || content || statusText).replace(/\s+/g, ' ');
    throw new UserError(
      advice[status]?.(site) ?? `Netlify refuses (${status}): ${message.trim().slice(0, 200)}`,
    );
  }
}

/** Some answers are empty. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json) ?? {};
  } catch {
    return {};
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function deployOf(answer: unknown): Deploy {
  const { id, title, state, required, error_message: message } = answer as Answer;
  const digests = Array.isArray(required) ? required.map(text) : [];
  return { id: text(id), title: text(title), state: text(state), required: digests, message: text(message) };
}

const unfinishedIn = (answer: unknown): Deploy[] =>
  (answer as unknown[]).map(deployOf).filter(({ state }) => state !== 'ready' && state !== 'error');

/** Netlify reads manifest.json and the *.eszip bundles of the edge functions here. */
const edgeFolder = '.netlify/internal/edge-functions';
/** Whether a file of a deploy is of a function that answers requests. */
export const isOfFunctions = (path: string): boolean =>
  path.startsWith(`${edgeFolder}/`) || /^\.netlify\/(internal\/)?functions\//.test(path);
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
