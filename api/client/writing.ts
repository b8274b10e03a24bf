/** Adding and changing records. Over HTTP only: a snapshot cannot be written to, and says so with the code `method-not-allowed`. */
import type { WritableResource } from '../contract/names.ts';
import type { RecordOf } from '../contract/resources.ts';
import { listPath, recordPath } from '../contract/routes.ts';
import { send, withEtag } from './documents.ts';
import type { Transport } from './transport.ts';

/** Collection → the fields without which there is no new record. */
export interface RequiredFieldOf {
  nominations: 'id' | 'ceremony_id' | 'category_id' | 'movie_id' | 'nominee_id';
  ceremonies: 'ceremony_year';
  movies: 'title';
  nominees: 'name';
  songs: 'original_title';
}

/** What a new record must and may have. */
export type NewRecord<R extends WritableResource> = Pick<
  RecordOf[R],
  RequiredFieldOf[R] & keyof RecordOf[R]
> &
  Partial<RecordOf[R]>;

/** Fields to change; null takes a value away. */
export type RecordChange<R extends WritableResource> = {
  readonly [F in keyof RecordOf[R]]?: RecordOf[R][F] | null;
};

export interface WriteOptions {
  signal?: AbortSignal | undefined;
  /** The ETag that the record must still have: `etagOf` the page that was read, or `etag` of the last write. */
  ifMatch?: string | undefined;
}

export interface Written<T> {
  /** The record as it is now. */
  record: T;
  /** The ETag that its page has now; undefined while no snapshot holds the write. */
  etag: string | undefined;
  /** The number of the receipt; undefined where nothing was changed. */
  receipt: number | undefined;
  /** The snapshot that holds the write; undefined while there is none. */
  snapshot: string | undefined;
}

/** Adds a record. @throws ApiProblem */
export function create<R extends WritableResource>(
  transport: Transport,
  resource: R,
  record: NewRecord<R>,
  options: Pick<WriteOptions, 'signal'> = {},
): Promise<Written<RecordOf[R]>> {
  return write(transport, 'POST', listPath(resource), record, options);
}

/** Changes a record. @throws ApiProblem with the code `precondition-failed` where it is not what `ifMatch` says */
export function update<R extends WritableResource>(
  transport: Transport,
  resource: R,
  id: number,
  change: RecordChange<R>,
  options: WriteOptions = {},
): Promise<Written<RecordOf[R]>> {
  return write(transport, 'PATCH', recordPath(resource, id), change, options);
}

async function write<T extends object>(
  transport: Transport,
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
  { signal, ifMatch }: WriteOptions,
): Promise<Written<T>> {
  const { answer, document } = await send<T>(transport, {
    method,
    path,
    queryString: '',
    headers: { 'Content-Type': 'application/json', ...(ifMatch !== undefined && { 'If-Match': ifMatch }) },
    body: JSON.stringify(body),
    secured: true,
    signal,
  });
  const receipt = answer.header('Receipt');
  return {
    record: withEtag(document!, answer),
    etag: answer.header('ETag') ?? undefined,
    receipt: receipt === null ? undefined : Number(receipt.slice(receipt.lastIndexOf('/') + 1)),
    snapshot: answer.header('Snapshot') ?? undefined,
  };
}
