/** What the editor asks the service with its key: batches of writes, and receipts. */
import type { BatchResult, ReceiptList } from '../../../api/contract/answers.ts';
import { detailSchemas } from '../../../api/contract/bodies.ts';
import { maxNoteLength } from '../../../api/contract/limits.ts';
import type { ResourceName } from '../../../api/contract/names.ts';
import * as routes from '../../../api/contract/routes.ts';
import { titleOf } from './naming.ts';
import { list, refresh, type Stored, type Values, withoutDetails } from './reading.ts';
import { refusal } from './refusal.ts';

/** A write of a batch. */
export interface Write {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: Values;
  if_match?: string | undefined;
  /** The control of a member of the body; without it, that of the same name. */
  controlOf?: (member: string) => string;
}

/** A change of one record. */
export type Receipt = Omit<ReceiptList['data'][number], 'before' | 'after'> &
  Record<'before' | 'after', Values> & { /** What the record is called. */ title: string };

/**
 * The record after the last write, and the receipts, newest first: none if nothing changed, or if they cannot
 * be read.
 */
export type Outcome = { last: Stored; receipts: Receipt[] };

/**
 * The body of a write. With `details`, even without members, the answer for a nomination has details, too.
 */
export function bodyOf(resource: ResourceName, values: Values): Values {
  if (resource !== 'nominations') return values;
  const entries = Object.entries(values);
  const part = (isDetail: boolean) =>
    Object.fromEntries(entries.filter(([name]) => name in detailSchemas === isDetail));
  return { ...part(false), details: part(true) };
}

/** What an answer that is no success can have. */
type Problem = { detail?: string; errors?: { pointer?: string; message: string }[] };

async function ask<T>(path: string, key: string, writes?: readonly Write[]) {
  // Browsers send no header with other characters; with a replaced one the service refuses the key.
  const headers = { 'x-api-key': key.replaceAll(/[^\x20-\x7e]/g, '?'), 'Content-Type': 'application/json' };
  const init = writes ? { method: 'POST', headers, body: JSON.stringify(writes) } : { headers };
  const response = await fetch(path, init).catch(() => undefined);
  // An answer that breaks off counts as no answer. A server between the editor and the service answers with
  // HTML.
  const document: unknown = await response?.json().catch(() => undefined);
  if (response?.ok && document !== undefined) return { document: document as T, headers: response.headers };
  if (response === undefined || response.ok) throw refusal(0);
  const { detail, errors = [] } = (document ?? {}) as Problem;
  const faults = errors.map(({ pointer = '', message }) => {
    const [, position, name = ''] = /^\/(\d+)\/body(?:\/details)?\/([^/]+)/.exec(pointer) ?? [];
    return { control: writes?.[Number(position)]?.controlOf?.(name) ?? name, message };
  });
  throw refusal(response.status, detail, faults);
}

/** The key of the editor, and a note for the receipts. The note may be empty. */
export type Signature = { key: string; note: string };

/** Carries out a batch, all or none; from then on reads show what was written. @throws Refusal */
export async function send(writes: readonly Write[], { key, note }: Signature): Promise<Outcome> {
  const text = note.trim().slice(0, maxNoteLength);
  const noted = text ? writes.map((write) => ({ ...write, note: text })) : writes;
  const { group, data } = (await ask<BatchResult>(routes.batchPath, key, noted)).document;
  await refresh();
  const { record, etag } = data.at(-1)!;
  const found = await findReceipts(`group=${group ?? 0}`, key).catch(() => undefined);
  const last = { values: withoutDetails(record), etag: etag ?? undefined };
  return { last, receipts: found?.receipts ?? [] };
}

/** The name of a key. @throws Refusal of a wrong key */
export async function nameOfKey(key: string): Promise<string> {
  return (await ask<ReceiptList>(`${routes.receiptsPath}?limit=1`, key)).document.editor;
}

/** A page of receipts, newest first; all of a batch. @param query without the leading `?` @throws Refusal */
export async function findReceipts(query: string, key: string) {
  const receipts: Receipt[] = [];
  for (let before = ''; ; before = `&before=${receipts.at(-1)!.id}`) {
    const { document, headers } = await ask<ReceiptList>(`${routes.receiptsPath}?${query}${before}`, key);
    for (const one of document.data) {
      // The receipt of a change has the changed fields alone.
      const [current] = one.action === 'update' ? await list(one.resource, `&ids=${one.record_id}`) : [];
      const record = one.action === 'update' ? current : (one.after ?? one.before);
      const title = record ? titleOf(record) : `${one.resource} ${one.record_id}`;
      const [before, after] = [withoutDetails(one.before ?? {}), withoutDetails(one.after ?? {})];
      receipts.push({ ...one, before, after, title });
    }
    const hasMore = headers.has('Link');
    // `editor` is the name of the key.
    if (!hasMore || !query.startsWith('group=')) return { receipts, hasMore, editor: document.editor };
  }
}
