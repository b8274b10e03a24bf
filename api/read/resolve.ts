/**
 * The resolver: every GET of the interface as a function of the request and the snapshot. One for all runtimes; only web
 * standards, and nothing here knows where the snapshot's bytes come from.
 */
import { matchesWeakly } from '../contract/etag.ts';
import { nameOf } from '../contract/parameters.ts';
import { summaryOf } from '../contract/problems.ts';
import { matchRoute, type RouteMatch, readMethods, routes } from '../contract/routes.ts';
import {
  type Answer,
  commonHeaders,
  type Methods,
  methodsToRead,
  methodsToReadAndWrite,
  problemAnswer,
  withoutBody,
} from './answer.ts';
import { AnswerCache, type PreparedAnswer } from './answer-cache.ts';
import type { Pagination } from './documents.ts';
import { type Hash, hashBy } from './hashing.ts';
import { type PrecomputedDocument, pageNameOf, readPage } from './precomputed.ts';
import { answerQuestion, type Question, readQuestion } from './question.ts';
import { Reader, type ReaderOptions } from './reader.ts';
import type { Snapshot } from './snapshot.ts';
import { SnapshotUnavailable, type Source } from './source.ts';

/** What of a request an answer depends on. */
export interface ReadRequest {
  method: string;
  /** As sent, percent-encoding untouched. */
  path: string;
  /** Without the leading `?`; empty for none. */
  queryString: string;
  ifNoneMatch?: string | null | undefined;
}

export interface ResolverOptions extends ReaderOptions {
  /** Bytes of answers kept in memory, 0 for none. Default 8 MiB. */
  answerBytes?: number;
  /** Whether a service behind the same addresses takes writes, so that answers name its methods. Default true. */
  writable?: boolean;
  /** Told of every failure that is answered with 500 or 503. */
  onError?: (error: unknown) => void;
}

export class Resolver {
  readonly #reader: Reader;
  readonly #hash: Hash;
  readonly #onError: (error: unknown) => void;
  readonly #answers: AnswerCache;
  readonly #methods: Methods;

  constructor(source: Source, options: ResolverOptions = {}) {
    this.#reader = new Reader(source, options);
    this.#hash = hashBy(options);
    this.#onError = options.onError ?? (() => {});
    this.#answers = new AnswerCache(options.answerBytes ?? 8 * 1024 * 1024);
    this.#methods = (options.writable ?? true) ? methodsToReadAndWrite : methodsToRead;
  }

  /** Looks at the manifest again; call it when the snapshot may have changed. Never rejects: a missing one shows on reading. */
  async refresh(): Promise<void> {
    await this.#reader.reload().catch(this.#onError);
  }

  /** The snapshot in force. @throws SnapshotUnavailable */
  snapshot(): Promise<Snapshot> {
    return this.#reader.current();
  }

  /** Answers a web request; a thin coat around `answer`. */
  async fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const { status, headers, body } = await this.answer({
      method: request.method,
      path: pathname,
      queryString: search.slice(1),
      ifNoneMatch: request.headers.get('If-None-Match'),
    });
    return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers });
  }

  /** Answers a request. Never rejects: what goes wrong is answered with a problem document. */
  async answer(request: ReadRequest): Promise<Answer> {
    const answer = await this.#respond(request);
    return request.method === 'HEAD' ? withoutBody(answer) : answer;
  }

  /** The answer to a GET if it is kept from an earlier one, at once; the same as answer() gives. */
  kept(request: ReadRequest): Answer | undefined {
    const { loaded } = this.#reader;
    const prepared = loaded && request.method === 'GET' ? this.#answers.get(loaded, request) : undefined;
    return prepared && this.#found(request, prepared);
  }

  async #respond(request: ReadRequest): Promise<Answer> {
    const match = matchRoute(request.path);
    if (match === undefined) return nothingThere(request);
    if (!(readMethods as readonly string[]).includes(request.method)) {
      const { allow } = this.#methods.get(match.route)!;
      // A method that records have is not told to stay away from an address that can be no record's.
      if (
        match.route.kind === 'record' &&
        match.id === undefined &&
        allow.split(', ').includes(request.method)
      )
        return noSuchRecord(request);
      return problemAnswer('method-not-allowed', `${request.method} is not allowed here`, { Allow: allow });
    }
    if (request.method === 'OPTIONS') return this.#methods.get(match.route)!.preflight;
    try {
      return await this.#resolve(request, match);
    } catch (error) {
      this.#onError(error);
      if (error instanceof SnapshotUnavailable)
        return problemAnswer('snapshot-unavailable', `the snapshot is incomplete: ${error.message}`, {
          'Retry-After': '5',
        });
      return problemAnswer('internal-error', 'the request could not be answered; it has been logged');
    }
  }

  async #resolve(request: ReadRequest, match: RouteMatch): Promise<Answer> {
    // The page of a record and a document are the same whatever the query string says.
    const address =
      match.route.kind === 'record' || match.route.kind === 'document'
        ? { path: request.path, queryString: '' }
        : request;
    const kept = this.#reader.loaded && this.#answers.get(this.#reader.loaded, address);
    if (kept) return this.#found(request, kept);
    const question = readQuestion(match, request.queryString);
    if (Array.isArray(question))
      return problemAnswer('invalid-parameters', summaryOf(question), {}, question);
    const found =
      question &&
      (await this.#withSnapshot(async (snapshot) => {
        const document = await this.#document(snapshot, question, request.path);
        return document && this.#answers.keep(snapshot, address, prepare(request, document));
      }));
    if (found) return this.#found(request, found);
    return match.route.kind === 'document' ? nothingThere(request) : noSuchRecord(request);
  }

  /** An answer comes from one snapshot; where that one is gone by now, from its successor. */
  async #withSnapshot<T>(answer: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    let snapshot = await this.#reader.current();
    for (let successors = 0; ; successors += 1) {
      try {
        return await answer(snapshot);
      } catch (error) {
        if (!(error instanceof SnapshotUnavailable) || successors === maxSuccessors) throw error;
        const successor = await this.#reader.reload();
        if (successor === snapshot) throw error;
        snapshot = successor;
      }
    }
  }

  /** What answers a question: its page where pages can be read and one is there, else what is computed; undefined for no record. */
  async #document(
    snapshot: Snapshot,
    question: Question,
    path: string,
  ): Promise<PrecomputedDocument | undefined> {
    const name = snapshot.hasPages || question.kind === 'document' ? pageNameOf(path, question) : undefined;
    const page = name && (await readPage(snapshot, name, question));
    // Every record has its page, and a document is nothing else.
    if (page || (name && question.kind !== 'query')) return page;
    const document = await answerQuestion(snapshot, question);
    if (document === undefined) return undefined;
    const { text, ...rest } = document;
    const body = encoder.encode(text);
    return { body, hash: await this.#hash(body), ...rest };
  }

  #found(request: ReadRequest, { etag, body, headers, withLength }: PreparedAnswer): Answer {
    if (matchesWeakly(request.ifNoneMatch, etag)) return { status: 304, headers, body: null };
    return { status: 200, headers: withLength, body };
  }
}

function prepare(request: ReadRequest, { body, hash, pagination }: PrecomputedDocument): PreparedAnswer {
  const etag = `"${hash}"`;
  const headers: Record<string, string> = {
    ...commonHeaders,
    'Cache-Control': 'public, max-age=0, must-revalidate',
    ETag: etag,
  };
  const link = pagination && linkHeader(request, pagination);
  if (link) headers.Link = link;
  return { etag, body, headers, withLength: { ...headers, 'Content-Length': String(body.length) } };
}

const encoder = new TextEncoder();
/** Characters of a Link header; some servers and clients stop reading headers at 8 KiB. */
const maxLinkLength = 4096;
/** Snapshots that may replace each other while one request is answered. */
const maxSuccessors = 5;
const addresses = [...routes.keys()].join(', ');

const nothingThere = ({ path }: ReadRequest): Answer =>
  problemAnswer('unknown-address', `there is nothing at ${path}; the addresses are ${addresses}`);
const noSuchRecord = ({ path }: ReadRequest): Answer =>
  problemAnswer('no-such-record', `there is no record at ${path}`);

/** RFC 8288 links to the other pages of a list, the other parameters as they were sent. */
function linkHeader(
  { path, queryString }: ReadRequest,
  { page, totalPages }: Pagination,
): string | undefined {
  const others = queryString.split('&').filter((part) => part !== '' && nameOf(part) !== 'page');
  const link = (number: number, relation: string) =>
    `<${path}?${[...others, `page=${number}`].join('&')}>; rel="${relation}"`;
  const last = Math.max(1, totalPages);
  const links = [link(1, 'first')];
  if (page > 1) links.push(link(Math.min(page - 1, last), 'prev'));
  if (page < totalPages) links.push(link(page + 1, 'next'));
  links.push(link(last, 'last'));
  const all = links.join(', ');
  // Past this, clients and proxies refuse the whole answer; what they would have linked to stands in `pagination`.
  return all.length > maxLinkLength ? undefined : all;
}
