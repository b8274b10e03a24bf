/** What the editor asks the service: records from its snapshot, writes as batches, and receipts. */
import type { BatchResult, ListOf, ReceiptList } from '../../../api/contract/answers.ts';
import { detailSchemas } from '../../../api/contract/bodies.ts';
import { categoryNamed, categoryNames } from '../../../api/contract/category-names.ts';
import { actingCategories, entryKey } from '../../../api/contract/entries.ts';
import type { ResourceName, WritableResource } from '../../../api/contract/names.ts';
import * as routes from '../../../api/contract/routes.ts';
import { fold, tokens } from '../../../api/contract/text.ts';
import { fetchSource } from '../../../api/read/source.ts';
import { Resolver } from '../../../api/read/resolve.ts';
import { joined, span, together } from '../shared/format.ts';

/** A record as a list shows it, of a nomination with the details as members of their own. */
export type Values = Readonly<Record<string, unknown>>;

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** `control` is the id of the control at fault. */
export type Fault = { control: string; message: string };

/** An answer that is no success, or what is wrong before anything is sent. The status 0 is no answer. */
export type Refusal = Error & { status: number; faults: readonly Fault[] };
const refusal = (status: number, detail = `Status ${status}.`, faults: Fault[] = []): Refusal =>
  Object.assign(new Error(detail), { status, faults });

/** What an answer that is no success can have. */
type Problem = { detail?: string; errors?: { pointer?: string; message: string }[] };

/** Reads the shards: a night needs more lookups than the rate limit of the API admits. */
const resolver = new Resolver(fetchSource('/'), { writable: false });

async function read<T>(path: string, queryString: string): Promise<{ document: T; etag: string }> {
  const { status, headers, body } = await resolver.answer({ method: 'GET', path, queryString });
  const document = JSON.parse(new TextDecoder().decode(body ?? undefined)) as T;
  if (status !== 200) throw refusal(status, (document as Problem).detail);
  return { document, etag: headers.ETag! };
}

/** The records of a list, in its order. @param filters such as `&ids=1` @param pages of 100 records */
export async function list<R extends ResourceName>(resource: R, filters = '', pages = 1e6) {
  const found: Listed<R>[] = [];
  for (let page = 1; ; page += 1) {
    const path = routes.listPath(resource);
    const { document } = await read<ListOf[R]>(path, `limit=100&page=${page}${filters}`);
    found.push(...document.data);
    if (!('pagination' in document) || !document.pagination.hasNextPage || page === pages) return found;
  }
}
type Listed<R extends ResourceName> = ListOf[R]['data'][number];

/** Members with the name of a record, and with what tells it from others of its name. */
const nameOrder = ['title', 'name', 'original_title', 'show_title', 'category_name', 'recipients'];
const noteOrder = ['known_for_department', 'artist_names', 'category_group', 'category', 'ceremony_year'];

function describe(record: Values): [label: string, note: string] {
  const text = (member: string) => (record[member] ? String(record[member]) : undefined);
  const years = ((record.nominations ?? []) as Listed<'nominations'>[]).map((one) => one.ceremony_year);
  const nominated = years.length > 0 ? `nominated ${span(Math.min(...years), Math.max(...years))}` : '';
  const other = record.nominee ? `${record.nominee}, ${record.movie}` : `Ceremony of ${record.ceremony_year}`;
  const label = nameOrder.map(text).find((name) => name !== undefined) ?? other;
  return [label, joined(text('release_date')?.slice(0, 4), ...noteOrder.map(text), nominated)];
}

/** What a record is called; a nomination with its category and year. */
export const titleOf = (values: Values): string =>
  describe(values)
    .slice(0, values.nominee ? 2 : 1)
    .join(', ');

/** The collections whose records need only a name → its member. */
const nameMembers = { movies: 'title', nominees: 'name', songs: 'original_title' } as const;
export const isNamed = (resource: ResourceName): resource is keyof typeof nameMembers =>
  Object.hasOwn(nameMembers, resource);

/** The parameter that finds records by words. Lists without one are short. */
const byWords: { [R in ResourceName]?: string } = { ...nameMembers, songs: 'title', nominations: 'nominee' };

/**
 * Records whose text has these words, exact names first. Categories have common names, too; a number may be
 * an id.
 * @param pages of 100 records with the words
 */
export async function candidates(resource: ResourceName, text: string, pages?: number) {
  const words = fold(text.trim());
  if (words === '') return [];
  const parameter = byWords[resource];
  const filter = parameter ? `&${parameter}=${encodeURIComponent(words)}` : '';
  const include = isNamed(resource) ? '&include=nominations' : '';
  const asked = tokens(words).join(' ').replace('best ', '');
  const withId = /^[1-9]\d{0,14}$/.test(words) ? await list(resource, `&ids=${words}${include}`) : [];
  const withWords = await list(resource, filter + include, resource === 'nominations' ? 1 : pages);
  const found = [...withId, ...withWords].map((record, i) => {
    const [label, note] = describe({ ...record });
    const names = resource === 'categories' ? (categoryNames[label] ?? []) : [];
    const isExact = fold(label) === words || (names.length > 0 && categoryNamed(words) === label);
    const isMeant = `${fold(label)} ${note}`.includes(words) || names.some((name) => name.includes(asked));
    return { resource, id: record.id, label, note, isExact, isMeant: isMeant || i < withId.length };
  });
  const isFirst = (id: number, i: number) => found.findIndex((own) => own.id === id) === i;
  const meant = found.filter(({ id, isMeant }, i) => isMeant && isFirst(id, i));
  return meant.sort(exactFirst).slice(0, 8);
}
export const exactFirst = (a: { isExact: boolean }, b: { isExact: boolean }) => +b.isExact - +a.isExact;

/**
 * What a typed name may mean. `chosen` is an id, 0 for a new record, or undefined if the editor must choose.
 */
export async function meaningOf(resource: ResourceName, name: string) {
  const found = await candidates(resource, name);
  const same = found.filter(({ isExact }) => isExact);
  if (!isNamed(resource)) return { options: found, chosen: found[0]?.id };
  if (same.length === 0) return { options: found, chosen: 0 };
  return { options: same, chosen: same.length === 1 ? same[0]!.id : undefined };
}

/** What the press counts as one nomination. */
export type CeremonyEntry = { key: string; label: string; nominations: Listed<'nominations'>[] };

/**
 * The entries of a ceremony, by ascending category and nomination.
 * @param filter such as `&category_ids=1`
 */
export async function entriesOf(ceremony: number, filter: string): Promise<CeremonyEntry[]> {
  await resolver.refresh();
  const nominations = await list('nominations', `&ceremony_ids=${ceremony}&include=details${filter}`);
  const acting = actingCategories(await list('categories'));
  const entries = new Map<string, CeremonyEntry>();
  for (const one of nominations.sort((a, b) => a.category_id - b.category_id || a.id - b.id)) {
    const key = entryKey({ ...one, entry: one.details!.entry }, acting.has(one.category_id));
    const own = [...(entries.get(key)?.nominations ?? []), one];
    const people = together(new Set(own.map(({ nominee }) => nominee)));
    const films = together(new Set(own.map(({ movie }) => movie)));
    // The film first, but for an actor the person.
    const parts = acting.has(one.category_id) ? [people, films] : [films, people];
    const label = (one.song_title === null ? parts : [`“${one.song_title}”`, ...parts]).join(', ');
    entries.set(key, { key, label, nominations: own });
  }
  return [...entries.values()];
}

/** One version of a record; its ETag is for if_match. */
export type Stored = { values: Values; etag: string | undefined };
export const noRecord: Stored = { values: {}, etag: undefined };

const flat = ({ details, ...own }: Values): Values => ({ ...own, ...(details as Values | undefined) });

/** The newest version of a record. @throws Refusal */
export async function load(resource: ResourceName, id: number): Promise<Stored> {
  await resolver.refresh();
  const details = resource === 'nominations' ? '&include=details' : '';
  const { etag } = await read(routes.recordPath(resource, id), details.slice(1));
  const [record] = await list(resource, `&ids=${id}${details}`);
  return { values: flat(record!), etag };
}

/** The newest version of a record; undefined if there is none. @throws Refusal */
export const loadIfThere = (resource: ResourceName, id: number): Promise<Stored | undefined> =>
  load(resource, id).catch((error: Refusal) => {
    if (error.status !== 404) throw error;
    return undefined;
  });

/** The ids of the nominations that refer to a record. @throws Refusal */
export async function nominationsOf(resource: ResourceName, id: number): Promise<number[]> {
  if (resource === 'nominations') return [];
  const { document } = await read<{ nominations?: { id: number }[] }>(routes.recordPath(resource, id), '');
  // The page of a ceremony has none.
  const found = document.nominations ?? (await list('nominations', `&ceremony_ids=${id}`));
  return found.map((one) => one.id);
}

/** A write of a batch. */
export interface Write {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: Values;
  if_match?: string | undefined;
  /** The control of a member of the body; without it, that of the same name. */
  controlOf?: (member: string) => string;
}

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

/** A change of one record. */
export type Receipt = Omit<ReceiptList['data'][number], 'before' | 'after'> &
  Record<'before' | 'after', Values> & { /** What the record is called. */ title: string };

/**
 * The record after the last write, and the receipts, newest first: none if nothing changed, or if they cannot
 * be read.
 */
export type Outcome = { last: Stored; receipts: Receipt[] };

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

/** Carries out writes, all or none; from then on reads show what was written. @throws Refusal */
export async function send(writes: readonly Write[], key: string): Promise<Outcome> {
  const { group, data } = (await ask<BatchResult>(routes.batchPath, key, writes)).document;
  await resolver.refresh();
  const { record, etag } = data.at(-1)!;
  const found = await findReceipts(`group=${group ?? 0}`, key).catch(() => undefined);
  return { last: { values: flat(record), etag: etag ?? undefined }, receipts: found?.receipts ?? [] };
}

/** A typed name, and the id that the editor chose for it: 0 for a new record. Without one, the name tells. */
export type Reference = { name: string; id?: number };

/** The writes of a form, while they are made. */
export class Making {
  readonly writes: Write[] = [];
  readonly faults: Fault[] = [];
  readonly #used = new Map<string, number>();

  /** Another free id each time. Another editor can take it before it is sent. */
  async freeId(resource: WritableResource): Promise<number> {
    const newest = resource === 'ceremonies' ? '' : 'sort=-id&limit=1';
    const { data } = (await read<ListOf['movies']>(routes.listPath(resource), newest)).document;
    const id = 1 + (this.#used.get(resource) ?? Math.max(0, ...data.map((one) => one.id)));
    this.#used.set(resource, id);
    return id;
  }

  /**
   * The id that a name stands for; null if it is empty. For a new record it adds the write, once for each
   * name.
   */
  async idOf(resource: ResourceName, { name, id }: Reference, control: string): Promise<unknown> {
    const text = name.trim();
    if (text === '') return null;
    const chosen = id ?? (await meaningOf(resource, text)).chosen;
    if (chosen === undefined) this.faults.push({ control, message: 'must name one record: choose which' });
    if (chosen !== 0 || !isNamed(resource)) return chosen;
    const [path, member] = [routes.listPath(resource), nameMembers[resource]];
    const isMade = (one: Write) => one.path === path && fold(String(one.body?.[member])) === fold(text);
    const made = this.writes.find(isMade)?.body;
    const body = made ?? { id: await this.freeId(resource), [member]: text };
    if (!made) this.writes.push({ method: 'POST', path, body, controlOf: () => control });
    return body.id;
  }
}

/**
 * Of a form: the writes whose answer was lost. They are sent again as they were, so that nothing is written
 * twice.
 */
type Attempt = { current: readonly Write[] | undefined };

/** Carries out the writes of a form, which may make records. @throws Refusal */
export async function sendOnce(attempt: Attempt, make: (making: Making) => Promise<unknown>, key: string) {
  const lost = attempt.current;
  const making = new Making();
  await resolver.refresh();
  if (!lost) await make(making);
  if (making.faults.length > 0) throw refusal(422, '', making.faults);
  const writes = lost ?? making.writes;
  attempt.current = undefined;
  try {
    return await send(writes, key);
  } catch (error) {
    const { status } = error as Refusal;
    // A wrong key says nothing about what was sent before.
    if (status === 0 || status >= 500 || (lost && (status === 401 || status === 429)))
      attempt.current = writes;
    if (!lost || status !== 409) throw error;
    const { path, body = {} } = writes.at(-1)!;
    const [, , resource, id = body.id] = path.split('/');
    const last = await load(resource as ResourceName, Number(id));
    const isStored = Object.entries(flat(body)).every(([name, value]) => isSame(value, last.values[name]));
    if (!isStored) throw error;
    return { last, receipts: [] };
  }
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
      receipts.push({ ...one, before: flat(one.before ?? {}), after: flat(one.after ?? {}), title });
    }
    const hasMore = headers.has('Link');
    if (!hasMore || !query.startsWith('group=')) return { receipts, hasMore };
  }
}
