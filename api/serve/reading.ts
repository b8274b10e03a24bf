/** Answers reads of the API and pages of the explorer from the snapshot, in the encoding that the client takes. */
import type { IncomingMessage } from 'node:http';
import type { Encoding } from '../contract/etag.ts';
import type { LayerName } from '../contract/layers.ts';
import type { Target } from '../contract/target.ts';
import { fileSource, manifestChanges } from '../hosts/file-source.ts';
import { nodeDigest } from '../hosts/node-digest.ts';
import { type Answer, isWhole, problemAnswer, withoutBody } from '../read/answer.ts';
import { Resolver } from '../read/resolve.ts';
import { SnapshotUnavailable } from '../read/source.ts';
import { SnapshotWatch } from '../read/watch.ts';
import type { ClientKey } from './client-address.ts';
import { acceptedEncoding, EncodedForms, encodedHeaders } from './compression.ts';
import type { ServiceState } from './health.ts';
import type { PublicFiles } from './public-files.ts';
import { rateLimit } from './rate-limit.ts';
import { send, sendPieces } from './sending.ts';
import { ServedPages } from './served-pages.ts';
import type { ServeOptions } from './server.ts';
import type { ServiceResponse } from './service-response.ts';

/** What the resolver reads: the snapshot, and documents of the site. */
const damageable: readonly (LayerName | undefined)[] = [undefined, 'site'];
/** Milliseconds for which a look at the manifest is valid. */
const watchIntervalMs = 100;

export type Respond = (request: IncomingMessage, response: ServiceResponse, target: Target) => Promise<void>;

/** Answers reads from the snapshot. `refresh` loads a new snapshot at once. */
export function answering(
  options: ServeOptions,
  clientOf: ClientKey,
  files: PublicFiles,
): {
  answer: Respond;
  /** Answers at the address of a page of the explorer. @returns false if there is no site */
  answerPage: (...asked: Parameters<Respond>) => Promise<boolean>;
  refresh: () => Promise<void>;
  state: Pick<ServiceState, 'snapshot' | 'answerCache'>;
} {
  const { onError, onDamage, readLimit, answerBytes = 96 * 1024 * 1024, writing } = options;
  const resolver = new Resolver(fileSource(options.out), {
    digest: nodeDigest,
    onError(error) {
      onError(error);
      if (error instanceof SnapshotUnavailable) for (const layer of damageable) onDamage?.(layer);
    },
    answerBytes,
    writable: writing !== undefined,
  });
  const forms = new EncodedForms(answerBytes / 4, 'fast');
  const limit = rateLimit(readLimit);
  const refresh = () => resolver.refresh();
  const hasChanged = manifestChanges(options.out);
  const refreshIfChanged = () => (hasChanged() ? refresh() : undefined);
  const watch = new SnapshotWatch(refreshIfChanged, watchIntervalMs);
  const sendInEncoding = (
    request: IncomingMessage,
    response: ServiceResponse,
    found: Answer,
    headers?: Readonly<Record<string, string>>,
  ): void | Promise<void> => {
    const encoding = found.headers.ETag === undefined ? undefined : acceptedEncoding(request);
    const encoded = encoding && encodedForm(found, encoding, forms);
    if (encoded instanceof Promise) return encoded.then((form) => send(response, form ?? found, headers));
    send(response, encoded ?? found, headers);
  };
  const pages = new ServedPages(resolver, files, options);
  const answerPage: (...asked: Parameters<Respond>) => Promise<boolean> = async (
    request,
    response,
    target,
  ) => {
    await watch.check();
    const verdict = isCounted(request) ? limit?.count(clientOf(request)) : undefined;
    const found = await pages.answer(request, target, verdict?.allowed ?? true);
    if (found === undefined) return false;
    await sendInEncoding(request, response, found, verdict?.headers);
    return true;
  };
  const answer: Respond = async (request, response, { path, queryString }) => {
    // To await a settled value would cost as much as an answer from memory.
    const changing = watch.check();
    if (changing) await changing;
    const { method = 'GET' } = request;
    const verdict = isCounted(request) ? limit?.count(clientOf(request)) : undefined;
    if (verdict?.allowed === false) {
      const detail = `no more than ${readLimit} requests a minute; try again later`;
      send(response, problemAnswer('too-many-requests', detail), verdict.headers);
      return;
    }
    const ifNoneMatch = request.headers['if-none-match'];
    // The headers of HEAD are those of GET, also of an encoded form.
    const asked = { method: method === 'HEAD' ? 'GET' : method, path, queryString, ifNoneMatch };
    const found = resolver.cached(asked) ?? (await resolver.answerInPieces(asked));
    if (!isWhole(found)) {
      // Of an export that is only asked about, the first piece alone is made.
      if (method === 'HEAD') send(response, withoutBody(found), verdict?.headers);
      else await sendPieces(response, found, verdict?.headers);
      return;
    }
    const sending = sendInEncoding(request, response, found, verdict?.headers);
    if (sending) await sending;
  };
  const snapshot = async () => {
    // A look under way first, then one of now.
    await watch.check();
    await refreshIfChanged();
    return (await resolver.snapshot()).manifest.snapshot;
  };
  const answerCache = () => {
    const { bytes, ...rest } = resolver.answerCache;
    return { ...rest, bytes: bytes + forms.bytes };
  };
  return { answer, answerPage, refresh, state: { snapshot, answerCache } };
}

/** Whether the rate limit counts a request. */
const isCounted = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** An answer with an ETag in an encoding; undefined if it stays plain. Synchronous if the form is in memory. */
function encodedForm(
  { status, headers, body }: Answer,
  encoding: Encoding,
  forms: EncodedForms,
): Answer | undefined | Promise<Answer | undefined> {
  const etag = headers.ETag;
  if (body === null || etag === undefined) return undefined;
  const answerOf = (bytes: Buffer | undefined): Answer | undefined =>
    bytes && { status, headers: { ...headers, ...encodedHeaders(etag, encoding, bytes) }, body: bytes };
  const bytes = forms.of(etag, body, encoding);
  return bytes instanceof Promise ? bytes.then(answerOf) : answerOf(bytes);
}
