/**
 * The record as the pages see it: the resolver, in the browser, over the static files of the snapshot. No request goes to a
 * service that counts. Until the columns are loaded, what is precomputed is read; from then on computing costs less.
 */
import type { ResourceName } from '../../../api/contract/names.ts';
import { recordPageName } from '../../../api/contract/pages.ts';
import { matchRoute, recordPath } from '../../../api/contract/routes.ts';
import type { Manifest } from '../../../api/contract/snapshot.ts';
import { fetchSource } from '../../../api/read/fetch-source.ts';
import { webDigest } from '../../../api/read/hashing.ts';
import { pageNameOf } from '../../../api/read/precomputed.ts';
import { readQuestion } from '../../../api/read/question.ts';
import { Resolver } from '../../../api/read/resolve.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { Source } from '../../../api/read/source.ts';
import { viewOf } from './addresses.ts';

/** What a problem document tells of a fault. */
export interface Fault {
  parameter?: string;
  message: string;
}

/** The record gave no answer: there is no such thing, the question was wrong, or the files cannot be read. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  readonly status: number;
  readonly faults: readonly Fault[];
  constructor(status: number, message: string, faults: readonly Fault[] = []) {
    super(message);
    this.status = status;
    this.faults = faults;
  }
}

const files = fetchSource('/', (input, init) => fetch(input, init), '/pages/');
let early = pageOfAddress();
const withPages: Source = {
  ...files,
  file(path) {
    if (early?.path !== path) return files.file(path);
    const { bytes } = early;
    early = undefined;
    return bytes;
  },
};
const options = { asyncDigest: webDigest };
/** Reads what is precomputed, which is quick while nothing is loaded. */
const reading = new Resolver(withPages, options);
/** Computes everything from the columns, which is quick as soon as they are there. */
const computing = new Resolver({ ...files, readsPages: false }, options);
let isWarm = false;
const decoder = new TextDecoder();

/** The page of the record that a visitor comes for, asked for at once rather than when its hash is known. */
function pageOfAddress(): { path: string; bytes: Promise<Uint8Array | undefined> } | undefined {
  const view = viewOf(location.pathname);
  if (view.kind !== 'record') return undefined;
  const { path } = recordPageName(`/api/${view.resource}`, view.resource, view.id);
  const bytes = files.file(path);
  // Whether it failed matters only to whoever reads it.
  bytes.catch(() => {});
  return { path, bytes };
}

/** Whether the answer lies in the snapshot as a page. */
function isPrecomputed(path: string, queryString: string): boolean {
  const match = matchRoute(path);
  const question = match && readQuestion(match, queryString);
  if (question === undefined || Array.isArray(question) || question.kind === 'document') return false;
  return pageNameOf(path, question) !== undefined;
}

/** Answers an address of the interface, such as `/api/movies?genre=Drama`. @throws Unanswered */
export async function ask<T>(address: string): Promise<T> {
  const [path = '', queryString = ''] = address.split('?', 2);
  const request = { method: 'GET', path, queryString };
  const read = !isWarm && isPrecomputed(path, queryString) ? await reading.answer(request) : undefined;
  // A host that has the shards but not the pages, or a visit without a network: the shards answer everything.
  const { status, body } = read && read.status !== 503 ? read : await computing.answer(request);
  const document: unknown = JSON.parse(decoder.decode(body ?? new Uint8Array()));
  if (status === 200) return document as T;
  const { detail, errors } = document as { detail: string; errors?: Fault[] };
  throw new Unanswered(status, detail, errors);
}

/** The page of a record. @throws Unanswered */
export const askRecord = <T>(resource: ResourceName, id: number): Promise<T> =>
  ask<T>(recordPath(resource, id));

let warming: Promise<void> | undefined;

/** Loads the columns, once; the search needs them, and whatever counts. @throws SnapshotUnavailable */
export function warm(): Promise<void> {
  warming ??= loadColumns().catch((error: unknown) => {
    warming = undefined;
    throw error;
  });
  return warming;
}

async function loadColumns(): Promise<void> {
  const snapshot = await computing.snapshot();
  await snapshot.nominations();
  await snapshot.searchFields();
  isWarm = true;
}

/** The snapshot, of which every table is loaded when it is asked for. @throws SnapshotUnavailable */
export const snapshot = (): Promise<Snapshot> => computing.snapshot();

/** The snapshot with its columns loaded. @throws SnapshotUnavailable */
export async function columns(): Promise<Snapshot> {
  await warm();
  return computing.snapshot();
}

/** What loads the words of each group of terms, so that a search has nothing to wait for. @throws SnapshotUnavailable */
export async function searchGroups(): Promise<(() => Promise<unknown>)[]> {
  const own = await computing.snapshot();
  const { keys } = await own.directory('search');
  return keys.map((group) => async () => {
    const { hashes } = await own.termDirectory(String(group));
    return Promise.all(hashes.map((hash) => own.termShard(hash)));
  });
}

/** How many records of each kind there are. @throws SnapshotUnavailable */
export const counts = async (): Promise<Manifest['counts']> => (await reading.snapshot()).manifest.counts;

const listeners = new Set<() => void>();

/** Calls whenever another snapshot comes into force. @returns what ends that */
export function onChange(call: () => void): () => void {
  listeners.add(call);
  return () => void listeners.delete(call);
}

/** Looks whether the record has changed, and tells those who show it. */
export async function lookForChanges(): Promise<void> {
  const ids = () =>
    Promise.all(
      [reading, computing].map((resolver) =>
        resolver.snapshot().then(
          ({ id }) => id,
          () => undefined,
        ),
      ),
    );
  const before = await ids();
  await Promise.all([reading.refresh(), computing.refresh()]);
  const after = await ids();
  if (before.some((id, i) => id !== after[i])) for (const call of listeners) call();
}
