/** Writes and batches as they are sent, and what becomes of them. */
import type { RecordFields } from '../../data/validation.ts';
import type { JsonValue } from '../contract/bodies.ts';
import type { WritableResource } from '../contract/names.ts';
import type { PointerFault, ProblemCode } from '../contract/problems.ts';

/** A write whose key and syntax are checked. */
export interface WriteRequest {
  resource: WritableResource;
  /** The id in the address of a PATCH; undefined for a POST. */
  id: number | undefined;
  body: JsonValue;
  ifMatch: string | undefined;
  /** Name of the API key. */
  key: string;
}

export interface WriteError {
  problem: ProblemCode;
  detail: string;
  faults?: PointerFault[];
}

export interface WriteDone {
  created: boolean;
  resource: WritableResource;
  id: number;
  /** The record as the lists show it, with `details` if the body has some. */
  record: RecordFields;
  /** Id of the receipt; undefined if nothing changed. */
  receipt: number | undefined;
  /** The snapshot that holds the write; undefined if its build failed. */
  published: { snapshot: string; etag: string | undefined } | undefined;
}

export type WriteOutcome = WriteError | WriteDone;

/** What a write and a batch have in common. The If-Match of a batch is not that of its writes. */
export type SentWrite = Omit<WriteRequest, 'resource' | 'id'>;

export interface BatchDone {
  /** Number of the group of receipts; undefined if nothing changed. */
  group: number | undefined;
  /** In the order of the batch. */
  writes: WriteDone[];
}

export type BatchOutcome = WriteError | BatchDone;
