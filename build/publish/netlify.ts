/**
 * Netlify's API through its official client, one request per call. The client would repeat some failures by itself after fixed
 * pauses, deaf to Retry-After; so each request is watched, and ended as soon as it fails: what to do then is decided elsewhere.
 */
import type { ReadStream } from 'node:fs';
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { NetlifyAPI } from '@netlify/api';
import { UserError } from '../../data/user-error.ts';
import { TransientError } from './failure.ts';
import { retryTime, temporaryStatus } from './retry-time.ts';

export interface Site {
  /** For people. */
  name: string;
  /** Where it is live, without a slash at the end. */
  address: string;
  /** undefined while nothing was ever published. */
  live: { id: string; title: string; locked: boolean } | undefined;
}

export interface Deploy {
  id: string;
  /** new → preparing → prepared or uploading → uploaded → processing → ready; or error. */
  state: string;
  /** SHA-1 of each file to upload. */
  required: readonly string[];
  /** What the host says went wrong. */
  message: string;
}

/** Answered, but not with what was asked for, and asking again will not help. */
export class Refused extends UserError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** How many requests are under way at a time, at most. */
const connections = 8;

export class Netlify {
  readonly #client: NetlifyAPI;
  readonly #agent: HttpAgent;
  readonly #site: string;

  /** @param address of the API, with its path, such as https://api.netlify.com/api/v1 */
  constructor(address: string, token: string, site: string) {
    const { protocol, host, pathname } = new URL(address);
    this.#site = site;
    const Agent = protocol === 'https:' ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#client = new NetlifyAPI(token, {
      scheme: protocol.slice(0, -1),
      host,
      pathPrefix: pathname.replace(/\/$/, ''),
      userAgent: 'film-awards',
    });
  }

  async site(signal: AbortSignal): Promise<Site> {
    const site = await this.#call(signal, (options) => this.#client.getSite({ siteId: this.#site }, options));
    const address = text(site.ssl_url) || text(site.url);
    if (!/^https?:/.test(address)) throw new TransientError('the answer about the site has no address in it');
    const live = site.published_deploy as
      | { id?: unknown; title?: unknown; locked?: unknown }
      | null
      | undefined;
    return {
      name: text(site.name) || this.#site,
      address: address.replace(/\/+$/, ''),
      live: live?.id
        ? { id: text(live.id), title: text(live.title), locked: live.locked === true }
        : undefined,
    };
  }

  /** Begins a deploy, which is empty until files are proposed. @returns its id */
  async create(title: string, signal: AbortSignal): Promise<string> {
    const made = await this.#call(signal, (options) =>
      this.#client.createSiteDeploy({ siteId: this.#site, title, body: { draft: false } }, options),
    );
    if (text(made.id) === '') throw new TransientError('the answer to a new deploy has no id in it');
    return text(made.id);
  }

  /** Tells which files a deploy consists of. @param files path → SHA-1, all of them */
  async propose(
    deploy: string,
    files: Readonly<Record<string, string>>,
    inBackground: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const body = { files, async: inBackground };
    await this.#call(signal, (options) =>
      this.#client.updateSiteDeploy({ siteId: this.#site, deployId: deploy, body }, options),
    ).catch((error: unknown) => {
      // In the background it may answer with nothing at all; what comes of it is asked for separately.
      if (!(error instanceof TransientError && error.carriedOut)) throw error;
    });
  }

  async deploy(id: string, signal: AbortSignal): Promise<Deploy> {
    const deploy = await this.#call(signal, (options) =>
      this.#client.getSiteDeploy({ siteId: this.#site, deployId: id }, options),
    );
    if (text(deploy.state) === '') throw new TransientError('the answer about a deploy has no state in it');
    const { required } = deploy as { required?: unknown };
    return {
      id,
      state: text(deploy.state),
      required: Array.isArray(required) ? required.map(text) : [],
      message: text(deploy.error_message),
    };
  }

  async upload(deploy: string, path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    // The client's types know streams alone; bytes can be sent again, and their length is known.
    const body = bytes as unknown as ReadStream;
    await this.#call(signal, (options) =>
      this.#client.uploadDeployFile({ deployId: deploy, path: encodeURI(path), body }, options),
    );
  }

  async cancel(deploy: string, signal: AbortSignal): Promise<void> {
    await this.#call(signal, (options) => this.#client.cancelSiteDeploy({ deployId: deploy }, options));
  }

  /** Closes idle connections. */
  close(): void {
    this.#agent.destroy();
  }

  /** @throws TransientError where another try may help; Refused where not */
  async #call<T>(signal: AbortSignal, send: (options: RequestOptions) => Promise<T>): Promise<T> {
    const ended = new AbortController();
    const end = () => ended.abort();
    signal.throwIfAborted();
    signal.addEventListener('abort', end, { once: true });
    let seen: TransientError | undefined;
    const agent = watched(this.#agent, (trouble) => {
      seen ??= trouble;
      ended.abort();
    });
    try {
      return await send({ agent, signal: ended.signal });
    } catch (error) {
      throw seen ?? explained(error as ClientError);
    } finally {
      signal.removeEventListener('abort', end);
    }
  }
}

type RequestOptions = Extract<Parameters<NetlifyAPI['getSite']>[1], object>;

/** What Node's agents have besides what their types say. */
interface Adding {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

/** An agent that sends its requests through another one, and tells of failures before anybody else hears of them. */
function watched(agent: HttpAgent, failed: (trouble: TransientError) => void): HttpAgent {
  const addRequest: Adding['addRequest'] = (request, ...rest) => {
    request.once('response', (response: IncomingMessage) => {
      if (temporaryStatus(response.statusCode!))
        failed(
          new TransientError(`answer ${response.statusCode}`, {
            notBefore: response.statusCode === 429 ? retryTime(response.headers, Date.now()) : undefined,
          }),
        );
    });
    request.once('error', (error) => failed(new TransientError(error.message, { cause: error })));
    (agent as HttpAgent & Adding).addRequest(request, ...rest);
  };
  return Object.assign(Object.create(agent) as HttpAgent, { addRequest });
}

/** What the client throws. */
interface ClientError extends Error {
  status?: number;
  json?: { message?: unknown };
  data?: unknown;
}

/** The error itself goes no further: it holds the request with the token. */
function explained(error: ClientError): Error {
  const { status } = error;
  if (status === undefined && error.name !== 'FetchError') return error;
  // No answer, half of one, or one that is no JSON.
  if (status === undefined || status < 400)
    return new TransientError(error.message || 'an answer that makes no sense', {
      carriedOut: status !== undefined && status < 300,
    });
  const said = text(error.json?.message) || text(error.data) || error.message;
  return new Refused(status, said.replace(/\s+/g, ' ').trim().slice(0, 200));
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
