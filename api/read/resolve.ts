/**
 * The resolver: every GET of the interface as a function of the request and the snapshot. It uses web
 * standards only and reads all bytes through a Source, so it gives the same answers on every runtime.
 */
import { type Asked, matchRoute, methodsOf, readAsked, type RouteMatch } from '../contract/routes.ts';
import type { Target } from '../contract/target.ts';
import {
  type Answer,
  conditional,
  failureAnswer,
  faultsAnswer,
  type Found,
  foundAnswer,
  foundHeaders,
  methodNotAllowed,
  noSuchRecord,
  nothingThere,
  preflight,
  problemAnswer,
  responseOf,
  withoutBody,
} from './answer.ts';
import { AnswerCache, type AnswerCacheState } from './answer-cache.ts';
import { ChangesGone, changesSince } from './changes.ts';
import { documentAt, isOfSnapshot } from './addresses.ts';
import { bytesOf, type Document, headersOf, type Turn } from './documents.ts';
import { Reader, type ReaderOptions } from './reader.ts';
import type { Snapshot } from './snapshot.ts';
import type { Source } from './source.ts';

/** The part of a request that an answer depends on. */
export interface ReadRequest extends Target {
  method: string;
  ifNoneMatch?: string | null | undefined;
}

export interface ResolverOptions extends ReaderOptions {
  /** Bytes of answers cached in memory, 0 for none. Default 8 MiB. */
  answerBytes?: number;
  /** Whether the same addresses accept writes, so that `Allow` names POST, PATCH and DELETE. Default true. */
  writable?: boolean;
  /**
   * Waits until the next part of an export may be made, so that others are answered meanwhile. By default for
   * the next task of the event loop.
   */
  turn?: Turn;
  /** Called with every failure that is answered with 500 or 503. */
  onError?: (error: unknown) => void;
}

/**
 * Answers every GET of the API from the files of a snapshot. Reads the manifest once; refresh() looks for a
 * newer one.
 * @example
 * const resolver = new Resolver(fetchSource('https://awards.example/'));
 * const response = await resolver.fetch(new Request('https://awards.example/api/movies/360'));
 */
export class Resolver {
  readonly #reader: Reader;
  readonly #onError: (error: unknown) => void;
  readonly #answers: AnswerCache;
  readonly #isWritable: boolean;
  readonly #turn: Turn;

  constructor(source: Source, options: ResolverOptions = {}) {
    this.#reader = new Reader(source, options);
    this.#onError = options.onError ?? (() => {});
    this.#answers = new AnswerCache(options.answerBytes ?? 8 * 1024 * 1024);
    this.#isWritable = options.writable ?? true;
    this.#turn = options.turn ?? nextTask;
  }

  /**
   * Reads the manifest again, to take up a newer snapshot. Never rejects: after a failure, answers go on
   * coming from the snapshot that is loaded. @returns whether the manifest could be read
   */
  async refresh(): Promise<boolean> {
    try {
      await this.#reader.reload();
      return true;
    } catch (error) {
      this.#onError(error);
      return false;
    }
  }

  /** The current snapshot. @throws SnapshotUnavailable */
  snapshot(): Promise<Snapshot> {
    return this.#reader.current();
  }

  /** Answers from one snapshot; from a newer one if its files are gone. @throws SnapshotUnavailable */
  answered<T>(answer: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.#reader.answered(answer);
  }

  /** How full the answer cache is, and how often it was used. */
  get answerCache(): AnswerCacheState {
    return this.#answers.state;
  }

  /** Answers a web Request as answer() does. */
  async fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const answer = await this.answer({
      method: request.method,
      path: pathname,
      queryString: search.slice(1),
      ifNoneMatch: request.headers.get('If-None-Match'),
    });
    return responseOf(answer);
  }

  /**
   * Answers a request. Never rejects: a failure is answered with a problem document. An answer in memory is
   * there at once, without a promise.
   * @example
   * const { status, headers, body } = await resolver.answer({ method: 'GET', path: '/api/movies',
   * queryString: 'title=sun' });
   */
  answer(request: ReadRequest): Answer | Promise<Answer> {
    if (request.method === 'HEAD') return this.#headersOnly(request);
    const { loaded } = this.#reader;
    const kept = loaded && request.method === 'GET' ? this.#answers.get(loaded, request) : undefined;
    return kept ? conditional(kept, request.ifNoneMatch) : this.#respond(request);
  }

  /** HEAD has the headers of GET, of a refusal too, whose text names the method. */
  async #headersOnly(request: ReadRequest): Promise<Answer> {
    return withoutBody(await this.answer({ ...request, method: 'GET' }));
  }

  async #respond(request: ReadRequest): Promise<Answer> {
    const match = matchRoute(request.path);
    if (match === undefined) return nothingThere(request.path);
    if (!methodsOf(match.route, false).includes(request.method)) {
      const allowed = methodsOf(match.route, this.#isWritable);
      // An id that is not an integer is 404 for every method that records have.
      if (match.route.kind === 'record' && match.id === undefined && allowed.includes(request.method))
        return noSuchRecord(request.path);
      return methodNotAllowed(request.method, allowed);
    }
    if (request.method === 'OPTIONS') return preflight(methodsOf(match.route, this.#isWritable));
    try {
      return await this.#resolve(request, match);
    } catch (error) {
      if (error instanceof ChangesGone) return problemAnswer('changes-gone', error.message);
      this.#onError(error);
      return failureAnswer(error);
    }
  }

  async #resolve(request: ReadRequest, match: RouteMatch): Promise<Answer> {
    const asked = readAsked(match, request.queryString);
    if (Array.isArray(asked)) return faultsAnswer(asked);
    const found = asked && (await this.#reader.answered((snapshot) => this.#find(snapshot, asked, request)));
    if (found) return conditional(found, request.ifNoneMatch);
    return match.route.kind === 'document' ? nothingThere(request.path) : noSuchRecord(request.path);
  }

  /** The answer of a snapshot, which is kept in memory; undefined for no record. */
  async #find(snapshot: Snapshot, asked: Asked, request: ReadRequest): Promise<Found | undefined> {
    const found = await this.#make(snapshot, asked, request);
    // Where the query string is ignored, any would be one more.
    const isNamed = request.queryString === '' || 'parameters' in asked.route;
    return found && isNamed ? this.#answers.keep(snapshot, request, found) : found;
  }

  async #make(snapshot: Snapshot, asked: Asked, request: ReadRequest): Promise<Found | undefined> {
    if (asked.route.kind === 'document') {
      const file = await this.#reader.siteFile(request.path.slice(1));
      return file && foundAnswer(file.body, file.hash);
    }
    const document = isOfSnapshot(asked)
      ? await documentAt(snapshot, asked)
      : await this.#changes(snapshot.id, asked.query.since);
    if (document === undefined) return undefined;
    const body = await bytesOf(document, this.#turn);
    const headers = { ...foundHeaders, ...headersOf(document, request) };
    return foundAnswer(body, await this.#reader.hash(body), headers);
  }

  async #changes(snapshot: string, since: string | undefined): Promise<Document> {
    const json = await changesSince(snapshot, since, (path) => this.#reader.file(path));
    return { json, next: json.next };
  }
}

/** A runtime without timers has no other reader. */
const nextTask = async () => {
  if (typeof setTimeout === 'function') await new Promise<void>((resolve) => setTimeout(resolve));
};
