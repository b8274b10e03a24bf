/** Requests of the editor: it loads records, writes them and reads the receipts. */
import type { BatchResult, ReceiptDocument, ReceiptList } from '../../../api/contract/answers.ts';
import { defaultOf, detailSchemas } from '../../../api/contract/bodies.ts';
import type { ResourceName, WritableResource } from '../../../api/contract/names.ts';
import type { PointerFault } from '../../../api/contract/problems.ts';
import { batchPath, listPath, receiptPath, receiptsPath, recordPath } from '../../../api/contract/routes.ts';
import { keyHeader } from '../shared/key.ts';
import { answerOf, type Refused } from './answers.ts';
import { freeId } from './candidates.ts';
import { type FieldValue, fieldNamesOf, isSame, type Values } from './fields.ts';

/** One version of a record. */
export interface Loaded {
  values: Values;
  /** For If-Match. */
  etag: string | undefined;
  /** Reference field → name of its record. */
  names: Readonly<Record<string, string>>;
}

export interface Saved extends Loaded {
  kind: 'saved';
  id: number;
  /** Address of the receipt; undefined if nothing changed. */
  receipt: string | undefined;
  /** Whether the snapshot could not be built, so that no page shows the write yet. */
  isPending: boolean;
}

const isPending = (headers: Headers): boolean => headers.has('Snapshot-Pending');

/** A receipt with the details of a nomination as fields of their own. */
export interface FlatReceipt extends Omit<ReceiptDocument, 'before' | 'after' | 'files'> {
  before: Values | null;
  after: Values | null;
  /** Missing in a list. */
  files?: ReceiptDocument['files'];
}

type Json = Record<string, unknown>;

const send = (path: string, init: RequestInit): Promise<Response | undefined> =>
  fetch(path, init).catch(() => undefined);

/** The editor shows nothing until the answer, or until this time is over. */
const maxWaitMs = 2000;

/** Whether the service takes writes; true if it does not say so in time. */
export async function takesWrites(): Promise<boolean> {
  const response = await send(listPath('movies'), {
    method: 'OPTIONS',
    signal: AbortSignal.timeout(maxWaitMs),
  });
  const allowed = response?.headers.get('Allow') ?? response?.headers.get('Access-Control-Allow-Methods');
  return allowed?.includes('POST') ?? true;
}

/** @throws Refused */
export async function load(resource: WritableResource, id: number): Promise<Loaded> {
  const address = `${recordPath(resource, id)}${resource === 'nominations' ? '?include=details' : ''}`;
  const outcome = await outcomeOf(resource, await send(address, { cache: 'no-cache' }));
  if (outcome.kind === 'refused') throw outcome;
  return outcome;
}

/** Creates a record, or changes one. @param etag the version that the change is based on */
export async function write(
  resource: WritableResource,
  id: number | undefined,
  body: Values,
  key: string,
  etag: string | undefined,
): Promise<Saved | Refused> {
  const headers: Record<string, string> = { ...keyHeader(key), 'Content-Type': 'application/json' };
  if (etag !== undefined) headers['If-Match'] = etag;
  const [path, method] =
    id === undefined ? [listPath(resource), 'POST'] : [recordPath(resource, id), 'PATCH'];
  return outcomeOf(
    resource,
    await send(path, { method, headers, body: JSON.stringify(bodyOf(resource, body)) }),
  );
}

/** Deletes a record. @param etag the version that the editor saw */
export async function remove(
  resource: WritableResource,
  id: number,
  key: string,
  etag: string | undefined,
): Promise<Saved | Refused> {
  const headers = { ...keyHeader(key), ...(etag !== undefined && { 'If-Match': etag }) };
  return outcomeOf(resource, await send(recordPath(resource, id), { method: 'DELETE', headers }));
}

/** A new record that another new record refers to. */
export interface Companion {
  /** Field of the other record. */
  reference: string;
  resource: WritableResource;
  values: Values;
}

/** Sends writes that are carried out all or not at all. */
export async function writeBatch(
  writes: readonly object[],
  key: string,
): Promise<(BatchResult & Pick<Saved, 'isPending'>) | Refused> {
  const headers = { ...keyHeader(key), 'Content-Type': 'application/json' };
  const response = await send(batchPath, { method: 'POST', headers, body: JSON.stringify(writes) });
  const answer = await answerOf<BatchResult>(response);
  if (answer.kind === 'refused') return answer;
  return { ...answer.document, isPending: isPending(answer.headers) };
}

const maxIdAttempts = 3;

/** What a form has sent to create a record: the same record is never created twice. */
export interface Attempts {
  /** The ids of the new records: of companions by their reference, of the record itself by "". */
  ids: Map<string, number>;
  /** Whether an answer was lost, so that the record may be there. */
  hasLostAnswer: boolean;
}

/**
 * Creates a record and the records it refers to, all or none.
 * @param attempts of the form so far
 * @returns a refusal whose pointers to fields of a companion begin with the name of its reference
 */
export async function create(
  resource: WritableResource,
  body: Values,
  companions: readonly Companion[],
  key: string,
  attempts: Attempts,
): Promise<Saved | Refused> {
  const { ids } = attempts;
  const typedId = body.id ?? undefined;
  for (let attempt = 1; ; attempt += 1) {
    if (typedId === undefined && !ids.has('')) ids.set('', await freeId(resource));
    for (const companion of companions)
      if (!ids.has(companion.reference)) ids.set(companion.reference, await freeId(companion.resource));
    const references = Object.fromEntries(
      companions.map(({ reference }) => [reference, ids.get(reference)!]),
    );
    const values: Values = { ...body, ...references, id: typedId ?? ids.get('')! };
    const outcome = await sendCreation(resource, values, companions, key, ids);
    if (outcome.kind === 'refused' && isLost(outcome.status)) attempts.hasLostAnswer = true;
    if (outcome.kind === 'saved' || outcome.status !== 409) return outcome;
    const created = attempts.hasLostAnswer
      ? await load(resource, Number(values.id)).catch(() => undefined)
      : undefined;
    if (created && contains(created.values, values))
      return { kind: 'saved', id: Number(values.id), receipt: undefined, isPending: false, ...created };
    // Another editor created a record meanwhile.
    ids.clear();
    const isTypedIdTaken = outcome.faults.some(({ pointer }) => pointer === '/id') || companions.length === 0;
    if (attempt === maxIdAttempts || (typedId !== undefined && isTypedIdTaken)) return outcome;
  }
}

/** Whether the write may have happened: a server between the editor and the service answers with 5xx, too. */
const isLost = (status: number): boolean => status === 0 || status >= 500;

const contains = (stored: Values, sent: Values): boolean =>
  Object.entries(sent).every(([name, value]) => isSame(value, stored[name] ?? null));

async function sendCreation(
  resource: WritableResource,
  values: Values,
  companions: readonly Companion[],
  key: string,
  ids: ReadonlyMap<string, number>,
): Promise<Saved | Refused> {
  if (companions.length === 0) return write(resource, undefined, values, key, undefined);
  const writes = companions.map((companion) => ({
    method: 'POST',
    path: listPath(companion.resource),
    body: { id: ids.get(companion.reference)!, ...companion.values },
  }));
  const main = { method: 'POST', path: listPath(resource), body: bodyOf(resource, values) };
  const outcome = await writeBatch([...writes, main], key);
  if (!('data' in outcome))
    return { ...outcome, faults: outcome.faults.map((fault) => ofForm(fault, companions)) };
  const { record, etag, receipt } = outcome.data.at(-1)!;
  const path = receipt === null ? undefined : receiptPath(receipt);
  return savedFrom(resource, record, etag ?? undefined, path, outcome.isPending);
}

/** A fault of a batch with a pointer into the form. */
function ofForm({ pointer, message }: PointerFault, companions: readonly Companion[]): PointerFault {
  const [, position, rest = ''] = /^\/(\d+)\/body(.*)$/.exec(pointer) ?? [];
  const companion = companions[Number(position)];
  return { pointer: companion ? `/${companion.reference}${rest}` : rest, message };
}

/** The body of a write. With `details`, even without members, the answer for a nomination has details too. */
export function bodyOf(resource: ResourceName, values: Values): object {
  if (resource !== 'nominations') return values;
  const isDetail = ([name]: [string, FieldValue]) => Object.hasOwn(detailSchemas, name);
  const entries = Object.entries(values);
  return {
    ...Object.fromEntries(entries.filter((entry) => !isDetail(entry))),
    details: Object.fromEntries(entries.filter(isDetail)),
  };
}

/** A document with the details as fields of their own. */
const flat = ({ details, ...own }: Json): Json => ({ ...own, ...(details as Json | undefined) });

const flatReceipt = (receipt: ReceiptDocument | ReceiptList['data'][number]): FlatReceipt => ({
  ...receipt,
  before: receipt.before && (flat(receipt.before) as Values),
  after: receipt.after && (flat(receipt.after) as Values),
});

/** Receipts, newest first. @param query of the address, without the leading `?` */
export async function findReceipts(
  query: string,
  key: string,
): Promise<{ receipts: FlatReceipt[]; hasMore: boolean } | Refused> {
  const response = await send(`${receiptsPath}?${query}`, { headers: keyHeader(key) });
  const answer = await answerOf<ReceiptList>(response);
  if (answer.kind === 'refused') return answer;
  return { receipts: answer.document.data.map(flatReceipt), hasMore: answer.headers.has('Link') };
}

const maxReceiptReads = 8;
const receiptPauseMs = 250;

/** The receipt, if possible with its files. undefined if the service does not answer. */
export async function readReceipt(path: string, key: string): Promise<FlatReceipt | undefined> {
  for (let read = 1; ; read += 1) {
    const response = await send(path, { headers: keyHeader(key) });
    if (!response?.ok) return undefined;
    const receipt = (await response.json().catch(() => undefined)) as ReceiptDocument | undefined;
    if (receipt === undefined) return undefined;
    if (receipt.files !== null || read === maxReceiptReads) return flatReceipt(receipt);
    await new Promise((resolve) => setTimeout(resolve, receiptPauseMs));
  }
}

async function outcomeOf(
  resource: WritableResource,
  response: Response | undefined,
): Promise<Saved | Refused> {
  const answer = await answerOf<Json>(response);
  if (answer.kind === 'refused') return answer;
  const header = (name: string) => answer.headers.get(name) ?? undefined;
  return savedFrom(resource, answer.document, header('ETag'), header('Receipt'), isPending(answer.headers));
}

/** @param receipt its address; undefined if nothing changed */
function savedFrom(
  resource: WritableResource,
  document: Json,
  etag: string | undefined,
  receipt: string | undefined,
  pending: boolean,
): Saved {
  const values = flat(document);
  return {
    kind: 'saved',
    id: document.id as number,
    values: Object.fromEntries(
      fieldNamesOf(resource).map((name) => [name, (values[name] ?? defaultOf(name)) as FieldValue]),
    ),
    etag,
    receipt,
    isPending: pending,
    names: namesIn(document),
  };
}

const nameFields = {
  movie: 'title',
  nominee: 'name',
  category: 'category_name',
  ceremony: 'show_title',
  song: 'original_title',
};

/** The names of the records that a nomination's page embeds. */
function namesIn(document: Json): Record<string, string> {
  const names: Record<string, string> = {};
  for (const [member, field] of Object.entries(nameFields)) {
    const name = (document[member] as Json | undefined)?.[field];
    if (typeof name === 'string') names[`${member}_id`] = name;
  }
  return names;
}
