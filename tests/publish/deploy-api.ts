/**
 * A stand-in for Netlify's API and CDN on loopback: one site, digest deploys that show whole or not at all, and, by a seed,
 * everything that goes wrong between two machines. It keeps a list of what no client may do.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Faults, noFaults } from './faults.ts';
import { bodyOf, type Deploy, failureOf, type Reply, refused, sha1, shown, site } from './replies.ts';

export const token = 'token-of-an-editor';

export interface Asked {
  method: string;
  path: string;
  status: number;
}

export class DeployApi {
  readonly deploys = new Map<string, Deploy>();
  readonly blobs = new Map<string, Buffer>();
  /** What was uploaded, in order. */
  readonly uploads: { deploy: string; path: string; digest: string }[] = [];
  readonly asked: Asked[] = [];
  /** What no client may do; must be empty. */
  readonly offences: string[] = [];
  /** Ids of the deploys that went live, in order. */
  readonly published: string[] = [];
  faults: Faults = noFaults;
  /** Milliseconds for comparing a proposal in the background, for making a deploy ready, and for the CDN to show it. */
  delays = { preparing: 0, processing: 0, showing: 0 };
  /** Answers to every request of the API, in place of what was asked for. */
  refuseWith: number | undefined;
  /** No deploy goes live by itself. */
  locked = false;
  /** Called when an upload is there. */
  onUpload: (path: string) => void = () => {};
  /** Milliseconds spent between the arrival of a request and the end of its answer, while any was under way. */
  busy = 0;
  readonly #server: Server;
  #live: Deploy | undefined;
  #shown: Deploy | undefined;
  #underWay = 0;
  #busySince = 0;

  private constructor() {
    this.#server = createServer(
      { keepAliveTimeout: 60_000 },
      (request, response) => void this.#serve(request, response),
    );
  }

  static async start(): Promise<DeployApi> {
    const api = new DeployApi();
    await new Promise<void>((resolve) => api.#server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What the command line and publish() need to know. */
  get account(): { api: string; site: string; token: string } {
    return { api: `${this.origin}/api/v1`, site, token };
  }

  get environment(): Record<string, string> {
    return {
      NETLIFY_API_URL: `${this.origin}/api/v1`,
      NETLIFY_SITE_ID: site,
      NETLIFY_AUTH_TOKEN: token,
    };
  }

  /** What readers see: path → bytes; undefined while nothing was ever published. */
  live(): Map<string, Buffer> | undefined {
    return (
      this.#shown && new Map([...this.#shown.files].map(([path, digest]) => [path, this.blobs.get(digest)!]))
    );
  }

  /** Has something else made a deploy, such as another tool or a publisher elsewhere. */
  publishElsewhere(title: string, files: ReadonlyMap<string, Buffer>): void {
    const deploy = this.#newDeploy(title);
    for (const [path, bytes] of files) {
      const digest = sha1(bytes);
      this.blobs.set(digest, bytes);
      deploy.files.set(path, digest);
    }
    this.#publish(deploy);
  }

  /** Number of requests of a method to paths that match. */
  count(method: string, path: RegExp): number {
    return this.asked.filter((it) => it.method === method && path.test(it.path)).length;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.split('?')[0]!;
    const trouble = this.faults.next(path);
    const body = await bodyOf(request, trouble === 'half');
    if (body === undefined) return;
    if (this.#underWay === 0) this.#busySince = performance.now();
    this.#underWay += 1;
    response.once('close', () => {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.busy += performance.now() - this.#busySince;
    });
    if (trouble === 'drop' || trouble === 'half') return void request.socket.destroy();
    if (trouble === 'silence') return;
    const failure = trouble && failureOf(trouble);
    const { status, json, bytes } = failure ?? this.#answer(request, path, body);
    this.asked.push({ method: request.method!, path, status });
    if (trouble === 'lost') return void request.socket.destroy();
    const content = bytes ?? Buffer.from(json === undefined ? '' : JSON.stringify(json));
    const type = bytes ? 'application/octet-stream' : 'application/json';
    response.writeHead(status, {
      'content-type': failure && !json ? 'text/html' : type,
      'content-length': content.length,
      ...failure?.headers,
    });
    if (trouble === 'cut') {
      response.write(content.subarray(0, content.length / 2), () => request.socket.destroy());
      return;
    }
    response.end(content);
  }

  #answer(request: IncomingMessage, path: string, body: Buffer): Reply {
    const way = /^\/api\/v1(\/.*)$/.exec(path)?.[1];
    if (way === undefined) return this.#file(path);
    if (this.refuseWith !== undefined) return refused(this.refuseWith, 'as the test has it');
    if (request.headers.authorization !== `Bearer ${token}`) return refused(401, 'Access Denied');
    const { method } = request;
    if (way === `/sites/${site}` && method === 'GET') return { status: 200, json: this.#site() };
    if (way === `/sites/${site}/deploys` && method === 'POST') {
      const title = new URL(request.url!, this.origin).searchParams.get('title') ?? '';
      return { status: 200, json: shown(this.#newDeploy(title)) };
    }
    const [, id, rest = ''] = new RegExp(`^(?:/sites/${site})?/deploys/([^/]+)(/.*)?$`).exec(way) ?? [];
    const deploy = this.deploys.get(id ?? '');
    if (deploy === undefined) return refused(404, 'Not Found');
    if (rest === '' && method === 'GET') return { status: 200, json: shown(deploy) };
    if (rest === '' && method === 'PUT') return this.#propose(deploy, body);
    if (rest === '/cancel' && method === 'POST') return this.#cancel(deploy);
    if (rest.startsWith('/files/') && method === 'PUT')
      return this.#upload(deploy, decodeURIComponent(rest.slice('/files/'.length)), body);
    return this.#offend(405, `${method} ${way}`);
  }

  #site() {
    const live = this.#live && { ...shown(this.#live), locked: this.locked };
    return {
      id: site,
      name: 'film-awards',
      url: `${this.origin}/live`,
      ssl_url: `${this.origin}/live`,
      published_deploy: live ?? null,
    };
  }

  #newDeploy(title: string): Deploy {
    const id = randomUUID();
    const deploy: Deploy = {
      id,
      title,
      state: 'new',
      files: new Map(),
      required: new Set(),
      begunAt: Date.now(),
      message: '',
    };
    this.deploys.set(id, deploy);
    return deploy;
  }

  #propose(deploy: Deploy, body: Buffer): Reply {
    if (deploy.state === 'error' || deploy.state === 'ready')
      return this.#offend(422, `proposal to a deploy that is ${deploy.state}`);
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
      // Known of the real one: in the background it may answer with nothing at all.
      return { status: 200 };
    }
    compare();
    return { status: 200, json: shown(deploy) };
  }

  #upload(deploy: Deploy, path: string, body: Buffer): Reply {
    const digest = deploy.files.get(path);
    if (digest === undefined) return this.#offend(404, `upload of ${path}, which is not part of the deploy`);
    if (sha1(body) !== digest) return this.#offend(422, `upload of ${path} with other bytes than announced`);
    if (deploy.state === 'error') return refused(422, 'the deploy was cancelled');
    // Sent again because the answer was lost: the real one takes it too.
    const before = this.blobs.has(digest);
    if (!before && !deploy.required.has(digest))
      return this.#offend(422, `upload of ${path}, which was not required`);
    if (before && !this.faults.any) this.offences.push(`upload of ${path}, which was there`);
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
    return { status: 200, json: shown(deploy) };
  }

  #finish(deploy: Deploy): void {
    if (deploy.required.size > 0 || !['prepared', 'uploading'].includes(deploy.state)) return;
    deploy.state = 'processing';
    setTimeout(() => {
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
    setTimeout(() => {
      this.#shown = deploy;
    }, this.delays.showing);
    if (this.delays.showing === 0) this.#shown = deploy;
  }

  #file(path: string): Reply {
    const digest = path.startsWith('/live/')
      ? this.#shown?.files.get(path.slice('/live/'.length))
      : undefined;
    return digest === undefined ? refused(404, 'Not Found') : { status: 200, bytes: this.blobs.get(digest)! };
  }

  #offend(status: number, what: string): Reply {
    this.offences.push(what);
    return refused(status, what);
  }
}
