/**
 * A fake of Netlify's API and CDN on loopback: one site, digest deploys that go live as a whole, and faults on demand. It records
 * every request that a correct client never sends.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { sha1 } from '../../build/publish/netlify-target.ts';
import { type Loopback, listen } from './loopback.ts';
import { Choices } from '../records/random.ts';

export const faultNames = [
  '500',
  'drop before the request is handled',
  'drop after the request is handled',
  'drop within the answer',
  'no answer',
] as const;
type Fault = (typeof faultNames)[number];

/** The fault of the next request to a path. */
type Faults = (path: string) => Fault | undefined;

/** @param share of the requests that fail @param count failing requests in total */
export function randomFaults(seed: number, share: number, count: number): Faults {
  const choices = new Choices(seed);
  let left = count;
  return () => {
    if (left === 0 || !choices.chance(share)) return undefined;
    left -= 1;
    return choices.pick(faultNames);
  };
}

interface Reply {
  status: number;
  json: unknown;
}

const refused = (status: number, message: string): Reply => ({
  status,
  json: { code: status, message },
});

export const token = 'token-of-an-editor';
const site = '8c5ad5e2-0000-4000-8000-film00awards';

interface Deploy {
  id: string;
  title: string;
  state: 'new' | 'preparing' | 'prepared' | 'uploading' | 'processing' | 'ready' | 'error';
  /** Path → SHA-1. */
  files: Map<string, string>;
  /** SHA-1 of the contents to upload. */
  required: Set<string>;
  begunAt: number;
  message: string;
}

const deployJson = ({ id, title, state, required, message }: Deploy, origin: string) => ({
  id,
  site_id: site,
  title,
  state,
  required: [...required],
  error_message: message || null,
  deploy_ssl_url: `${origin}/at/${id}`,
});

export class DeployApi {
  readonly deploys = new Map<string, Deploy>();
  readonly blobs = new Map<string, Buffer>();
  /** In order. */
  readonly uploads: { deploy: string; path: string; digest: string }[] = [];
  readonly requests: { method: string; path: string; status: number }[] = [];
  /** Requests that no correct client sends; must be empty. */
  readonly offences: string[] = [];
  /** Files of deploys that were read at their public addresses. */
  readonly filesRead: string[] = [];
  /** Status of these answers. */
  siteStatus = 200;
  /** Files whose next request is answered with 404, as of a host that has just taken a deploy. */
  readonly missedOnce = new Set<string>();
  /** Ids of the deploys that went live, in order. */
  readonly published: string[] = [];
  faults: Faults | undefined;
  /** Milliseconds of comparing files in the background, and of making a deploy ready. */
  delays = { preparing: 0, processing: 0 };
  /** No deploy becomes ready before it. */
  held: Promise<void> = Promise.resolve();
  /** Status of the answers to all requests of the API. */
  refuseWith: number | undefined;
  /** No deploy goes live. */
  locked = false;
  onUpload: (path: string) => void = () => {};
  #loopback!: Loopback;
  #live: Deploy | undefined;

  private constructor() {}

  static async start(): Promise<DeployApi> {
    const api = new DeployApi();
    api.#loopback = await listen(
      createServer({ keepAliveTimeout: 60_000 }, (request, response) => void api.#serve(request, response)),
    );
    return api;
  }

  stop(): Promise<void> {
    return this.#loopback.stop();
  }

  get account(): { api: string; site: string; token: string } {
    return { api: `${this.#loopback.origin}/api/v1`, site, token };
  }

  get environment(): Record<string, string> {
    const { api } = this.account;
    return { NETLIFY_API_URL: api, NETLIFY_SITE_ID: site, NETLIFY_AUTH_TOKEN: token };
  }

  /** The public files: path → bytes; undefined before the first deploy is live. */
  live(): Map<string, Buffer> | undefined {
    return (
      this.#live && new Map([...this.#live.files].map(([path, digest]) => [path, this.blobs.get(digest)!]))
    );
  }

  /** Makes a deploy of another client live. */
  publishElsewhere(title: string, files: ReadonlyMap<string, Buffer>): void {
    const deploy = this.#newDeploy(title);
    for (const [path, bytes] of files) {
      const digest = sha1(bytes);
      this.blobs.set(digest, bytes);
      deploy.files.set(path, digest);
    }
    this.#publish(deploy);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.split('?')[0]!;
    const [, deploy, file] = /^\/at\/([^/]+)\/(.+)$/.exec(path) ?? [];
    if (deploy !== undefined) return this.#sendFile(response, deploy, file!);
    const fault = this.faults?.(path);
    // A client that is killed ends the connection within its request.
    const body = await buffer(request).catch(() => undefined);
    if (!body || fault === 'no answer') return;
    if (fault === 'drop before the request is handled') return void request.socket.destroy();
    const failed = refused(500, 'Internal Server Error');
    const { status, json } = fault === '500' ? failed : this.#answer(request, path, body);
    this.requests.push({ method: request.method!, path, status });
    if (fault === 'drop after the request is handled') return void request.socket.destroy();
    const content = Buffer.from(JSON.stringify(json));
    const headers = { 'content-type': 'application/json', 'content-length': content.length };
    response.writeHead(status, headers);
    if (fault === 'drop within the answer')
      response.write(content.subarray(0, content.length / 2), () => request.socket.destroy());
    else response.end(content);
  }

  /** A file of a deploy, which stays at an address of its own. */
  #sendFile(response: ServerResponse, deploy: string, path: string): void {
    const digest = this.deploys.get(deploy)?.files.get(path);
    this.filesRead.push(path);
    const isMissed = this.missedOnce.delete(path);
    response
      .writeHead(digest === undefined || isMissed ? 404 : this.siteStatus)
      .end(isMissed ? undefined : digest && this.blobs.get(digest));
  }

  #answer(request: IncomingMessage, path: string, body: Buffer): Reply {
    const endpoint = path.replace('/api/v1', '');
    if (this.refuseWith !== undefined) return refused(this.refuseWith, 'as the test has it');
    if (request.headers.authorization !== `Bearer ${token}`) return refused(401, 'Access Denied');
    const { method } = request;
    if (endpoint === '/sites' && method === 'POST') return { status: 201, json: this.#site() };
    if (endpoint === `/sites/${site}` && method === 'GET') return { status: 200, json: this.#site() };
    if (endpoint === `/sites/${site}/files` && method === 'GET') {
      const files = [...(this.#live?.files ?? [])];
      return { status: 200, json: files.map(([path, sha]) => ({ path: `/${path}`, sha })) };
    }
    if (endpoint === `/sites/${site}/deploys` && method === 'GET')
      return {
        status: 200,
        json: [...this.deploys.values()].reverse().map((deploy) => deployJson(deploy, this.#loopback.origin)),
      };
    if (endpoint === `/sites/${site}/deploys` && method === 'POST') {
      const title = new URL(request.url!, this.#loopback.origin).searchParams.get('title') ?? '';
      return this.#setFiles(this.#newDeploy(title), body);
    }
    const [, id, rest = ''] = new RegExp(`^(?:/sites/${site})?/deploys/([^/]+)(/.*)?$`).exec(endpoint) ?? [];
    const deploy = this.deploys.get(id ?? '');
    if (deploy === undefined) return refused(404, 'Not Found');
    if (rest === '' && method === 'GET')
      return { status: 200, json: deployJson(deploy, this.#loopback.origin) };
    if (rest === '/cancel' && method === 'POST') return this.#cancel(deploy);
    if (rest.startsWith('/files/') && method === 'PUT')
      return this.#upload(deploy, decodeURIComponent(rest.slice('/files/'.length)), body);
    return this.#offend(405, `${method} ${endpoint}`);
  }

  #site() {
    const live = this.#live && { ...deployJson(this.#live, this.#loopback.origin), locked: this.locked };
    return { id: site, ssl_url: 'https://awards.example/live', published_deploy: live ?? null };
  }

  #newDeploy(title: string): Deploy {
    const own = { id: randomUUID(), title, begunAt: Date.now(), message: '', state: 'new' } as const;
    const deploy: Deploy = { ...own, files: new Map(), required: new Set() };
    this.deploys.set(deploy.id, deploy);
    return deploy;
  }

  #setFiles(deploy: Deploy, body: Buffer): Reply {
    const { files, async: inBackground } = JSON.parse(body.toString()) as {
      files: Record<string, string>;
      async?: boolean;
    };
    deploy.files = new Map(Object.entries(files));
    for (const [path, digest] of deploy.files)
      if (/^\/|[#?]/.test(path) || !/^[0-9a-f]{40}$/.test(digest))
        return this.#offend(422, `a file ${path} ${digest}`);
    const compare = () => {
      if (deploy.state !== 'new' && deploy.state !== 'preparing') return;
      deploy.required = new Set([...deploy.files.values()].filter((digest) => !this.blobs.has(digest)));
      deploy.state = 'prepared';
      this.#finish(deploy);
    };
    if (deploy.state === 'new' && inBackground) {
      deploy.state = 'preparing';
      setTimeout(compare, this.delays.preparing);
      return { status: 200, json: deployJson(deploy, this.#loopback.origin) };
    }
    compare();
    return { status: 200, json: deployJson(deploy, this.#loopback.origin) };
  }

  #upload(deploy: Deploy, path: string, body: Buffer): Reply {
    const digest = deploy.files.get(path);
    if (digest === undefined) return this.#offend(404, `upload of ${path}, which is not part of the deploy`);
    if (sha1(body) !== digest) return this.#offend(422, `upload of ${path} with other bytes than announced`);
    if (deploy.state === 'error') return refused(422, 'the deploy was cancelled');
    // After a lost answer the client sends a file again, and Netlify accepts it.
    const isKnown = this.blobs.has(digest);
    if (!isKnown && !deploy.required.has(digest))
      return this.#offend(422, `upload of ${path}, which was not required`);
    if (isKnown && !this.faults) this.offences.push(`second upload of ${path}`);
    this.blobs.set(digest, body);
    this.uploads.push({ deploy: deploy.id, path, digest });
    deploy.required.delete(digest);
    if (deploy.state === 'prepared') deploy.state = 'uploading';
    this.onUpload(path);
    this.#finish(deploy);
    return { status: 200, json: { path, sha: digest } };
  }

  #cancel(deploy: Deploy): Reply {
    if (deploy === this.#live || deploy.state === 'ready')
      return this.#offend(422, 'cancelling a deploy that is ready');
    deploy.state = 'error';
    deploy.message = 'Canceled';
    return { status: 200, json: deployJson(deploy, this.#loopback.origin) };
  }

  #finish(deploy: Deploy): void {
    if (deploy.required.size > 0 || !['prepared', 'uploading'].includes(deploy.state)) return;
    deploy.state = 'processing';
    setTimeout(async () => {
      await this.held;
      if (deploy.state === 'processing') this.#publish(deploy);
    }, this.delays.processing);
  }

  #publish(deploy: Deploy): void {
    for (const [path, digest] of deploy.files)
      if (!this.blobs.has(digest)) this.offences.push(`${path} went live without its bytes`);
    deploy.state = 'ready';
    if (this.locked) return;
    this.#live = deploy;
    this.published.push(deploy.id);
  }

  #offend(status: number, what: string): Reply {
    this.offences.push(what);
    return refused(status, what);
  }
}
