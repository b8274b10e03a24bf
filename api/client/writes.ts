/** One function per write of the service, and a batch of writes. */
import type { BatchResult } from '../contract/answers.ts';
import type { Batch } from '../contract/bodies.ts';
import type { WritableResource } from '../contract/names.ts';
import type { Details, RecordOf } from '../contract/resources.ts';
import { batchPath, listPath, recordPath, type WriteMethod } from '../contract/routes.ts';
import { type ClientAnswer, etagIn, send, type Transport, withEtag } from './requests.ts';

/** Resource → the required fields of a new record. */
export interface RequiredFieldOf {
  nominations: 'id' | 'ceremony_id' | 'category_id' | 'movie_id' | 'nominee_id';
  ceremonies: 'ceremony_year';
  movies: 'title';
  nominees: 'name';
  songs: 'original_title';
}

/** Only nominations have details. */
type DetailsOf<R extends WritableResource, D> = R extends 'nominations' ? { readonly details?: D } : unknown;

/** The fields of a new record: the required ones, and any others. */
export type NewRecord<R extends WritableResource> = Pick<
  RecordOf[R],
  RequiredFieldOf[R] & keyof RecordOf[R]
> &
  Partial<RecordOf[R]> &
  DetailsOf<R, Partial<Details> | null>;

/** A record as a write returns it: with details if the write has some. */
export type WrittenRecord<R extends WritableResource> = RecordOf[R] & DetailsOf<R, Details>;

/** The fields to change. null removes a value. */
export type RecordChange<R extends WritableResource> = {
  readonly [F in keyof RecordOf[R]]?: RecordOf[R][F] | null;
} & DetailsOf<R, { readonly [F in keyof Details]?: Details[F] | null } | null>;

export interface WriteOptions {
  signal?: AbortSignal | undefined;
  /** The write fails unless the record still has this ETag: `etagOf` its page, or `etag` of the last write. */
  ifMatch?: string | undefined;
}

export interface Written<T> {
  /** The record after the write, or the one that is gone. */
  record: T;
  /** The ETag of the record's page; undefined until a snapshot contains the write, and after a deletion. */
  etag: string | undefined;
  /** The id of the receipt; undefined if the write changed nothing. */
  receipt: number | undefined;
  /** The snapshot that contains the write; undefined until it exists. */
  snapshot: string | undefined;
}

/** Adds a record. @throws ApiProblem */
export const create = <R extends WritableResource>(
  transport: Transport,
  resource: R,
  record: NewRecord<R>,
  options: Pick<WriteOptions, 'signal'> = {},
) => write<WrittenRecord<R>>(transport, 'POST', listPath(resource), record, options);

/** Changes a record. @throws ApiProblem with the code `precondition-failed` if the ETag is not `ifMatch` */
export const update = <R extends WritableResource>(
  transport: Transport,
  resource: R,
  id: number,
  change: RecordChange<R>,
  options: WriteOptions = {},
) => write<WrittenRecord<R>>(transport, 'PATCH', recordPath(resource, id), change, options);

/** Deletes a record that no other refers to. @returns the record that is gone. @throws ApiProblem */
export const remove = <R extends WritableResource>(
  transport: Transport,
  resource: R,
  id: number,
  options: WriteOptions = {},
) => write<RecordOf[R]>(transport, 'DELETE', recordPath(resource, id), undefined, options);

/** A write of a batch: a new record, a change, or a deletion. */
export type BatchWrite = {
  [R in WritableResource]:
    | { readonly create: R; readonly record: NewRecord<R> }
    | {
        readonly update: R;
        readonly id: number;
        readonly change: RecordChange<R>;
        readonly ifMatch?: string | undefined;
      }
    | { readonly remove: R; readonly id: number; readonly ifMatch?: string | undefined };
}[WritableResource];

export interface WrittenBatch {
  /** Number of the group of receipts; undefined if nothing changed. */
  group: number | undefined;
  /** The snapshot that contains the batch; undefined until it exists. */
  snapshot: string | undefined;
  /** The outcome of each write, in the order of the batch. */
  writes: Omit<Written<BatchResult['data'][number]['record']>, 'snapshot'>[];
}

/** Carries out all writes, at most 200, or none. @throws ApiProblem whose pointers begin with the position of the write */
export async function batch(
  transport: Transport,
  writes: readonly BatchWrite[],
  { signal }: Pick<WriteOptions, 'signal'> = {},
): Promise<WrittenBatch> {
  const body = writes.map((one): Batch[number] => {
    if ('create' in one) return { method: 'POST', path: listPath(one.create), body: one.record };
    const condition = one.ifMatch === undefined ? {} : { if_match: one.ifMatch };
    return 'remove' in one
      ? { method: 'DELETE', path: recordPath(one.remove, one.id), ...condition }
      : { method: 'PATCH', path: recordPath(one.update, one.id), body: one.change, ...condition };
  });
  const { answer, document } = await sendWrite<BatchResult>(transport, 'POST', batchPath, body, { signal });
  return {
    group: document.group ?? undefined,
    snapshot: answer.header('Snapshot') ?? undefined,
    writes: document.data.map(({ record, etag, receipt }) => ({
      record: withEtag(record, etag ?? undefined),
      etag: etag ?? undefined,
      receipt: receipt ?? undefined,
    })),
  };
}

async function write<T extends object>(
  transport: Transport,
  method: WriteMethod,
  path: string,
  body: object | undefined,
  options: WriteOptions,
): Promise<Written<T>> {
  const { answer, document } = await sendWrite<T>(transport, method, path, body, options);
  const receiptAddress = answer.header('Receipt');
  const etag = etagIn(answer);
  return {
    record: withEtag(document, etag),
    etag,
    receipt: receiptAddress === null ? undefined : Number(receiptAddress.split('/').at(-1)),
    snapshot: answer.header('Snapshot') ?? undefined,
  };
}

async function sendWrite<T extends object>(
  transport: Transport,
  method: WriteMethod,
  path: string,
  body: object | undefined,
  { signal, ifMatch }: WriteOptions,
): Promise<{ answer: ClientAnswer; document: T }> {
  const { answer, document } = await send<T>(transport, {
    method,
    path,
    queryString: '',
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    },
    ...(body && { body: JSON.stringify(body) }),
    secured: true,
    signal,
  });
  return { answer, document: document! };
}
