/** What the editor reads of the record: from the snapshot of the service, with the resolver of the API. */
import type { ListOf } from '../../../api/contract/answers.ts';
import { actingCategories, entryKey } from '../../../api/contract/entries.ts';
import { requestedFields } from '../../../api/contract/fields.ts';
import type { ResourceName } from '../../../api/contract/names.ts';
import * as routes from '../../../api/contract/routes.ts';
import { Resolver } from '../../../api/read/resolve.ts';
import { fetchSource } from '../../../api/read/source.ts';
import { together } from '../shared/format.ts';
import { type Refusal, refusal } from './refusal.ts';

/** A record as a list shows it, of a nomination with the details as members of their own. */
export type Values = Readonly<Record<string, unknown>>;
export type Listed<R extends ResourceName> = ListOf[R]['data'][number];

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Reads the shards: a night needs more lookups than the rate limit of the API admits. */
const resolver = new Resolver(fetchSource('/'), { writable: false });

/** Takes up the newest snapshot. */
export const refresh = (): Promise<boolean> => resolver.refresh();

/** The snapshot that is read. @throws SnapshotUnavailable */
export const currentSnapshot = () => resolver.snapshot();

/** The document at an address of the API. @param queryString without the leading `?` @throws Refusal */
export async function read<T>(path: string, queryString = ''): Promise<{ document: T; etag: string }> {
  const { status, headers, body } = await resolver.answer({ method: 'GET', path, queryString });
  const document = JSON.parse(new TextDecoder().decode(body ?? undefined)) as T & { detail?: string };
  if (status !== 200) throw refusal(status, document.detail);
  return { document, etag: headers.ETag! };
}

/** The records of a list, in its order. @param filters such as `&ids=1` @throws Refusal */
export async function list<R extends ResourceName>(resource: R, filters = ''): Promise<Listed<R>[]> {
  const found: Listed<R>[] = [];
  for (let page = 1; ; page += 1) {
    const query = `limit=100&page=${page}${filters}`;
    const { document } = await read<ListOf[R]>(routes.listPath(resource), query);
    found.push(...document.data);
    if (!('pagination' in document) || !document.pagination.hasNextPage) return found;
  }
}

/** One version of a record; its ETag is for if_match. */
export type Stored = { values: Values; etag: string | undefined };
export const noRecord: Stored = { values: {}, etag: undefined };

/** A record with its details as members of their own. */
export const withoutDetails = ({ details, ...own }: Values): Values => ({
  ...own,
  ...(details as Values | undefined),
});

/** The newest version of a record. @throws Refusal */
export async function load(resource: ResourceName, id: number): Promise<Stored> {
  await refresh();
  const details = resource === 'nominations' ? 'include=details' : '';
  const { etag } = await read(routes.recordPath(resource, id), details);
  const requested = details || `include=${requestedFields[resource] ?? ''}`;
  const [record] = await list(resource, `&ids=${id}${requested.endsWith('=') ? '' : `&${requested}`}`);
  return { values: withoutDetails(record!), etag };
}

/** The newest version of a record; undefined if there is none. @throws Refusal */
export const loadIfThere = (resource: ResourceName, id: number): Promise<Stored | undefined> =>
  load(resource, id).catch((error: Refusal) => {
    if (error.status !== 404) throw error;
    return undefined;
  });

/** The parameter that finds the nominations of a record. */
const nominationFilters: Partial<Record<ResourceName, string>> = {
  movies: 'movie_ids',
  nominees: 'nominee_ids',
  ceremonies: 'ceremony_ids',
  categories: 'category_ids',
};

/** The nominations that refer to a record, with their details. @throws Refusal */
export async function nominationsOf(resource: ResourceName, id: number): Promise<Listed<'nominations'>[]> {
  const parameter = nominationFilters[resource];
  if (parameter) return list('nominations', `&include=details&${parameter}=${id}`);
  if (resource !== 'songs') return [];
  const { document } = await read<{ nominations: { id: number }[] }>(routes.recordPath(resource, id));
  const ids = document.nominations.map((one) => one.id).join();
  return ids === '' ? [] : list('nominations', `&include=details&ids=${ids}`);
}

/** What the press counts as one nomination. */
export type CeremonyEntry = { key: string; label: string; nominations: Listed<'nominations'>[] };

/** The entries of a ceremony, by ascending category and nomination. @param category undefined for all */
export async function entriesOf(ceremony: number, category?: number): Promise<CeremonyEntry[]> {
  await refresh();
  const filter = category === undefined ? '' : `&category_ids=${category}`;
  const nominations = await list('nominations', `&ceremony_ids=${ceremony}&include=details${filter}`);
  const acting = actingCategories(await list('categories'));
  const entries = new Map<string, CeremonyEntry>();
  for (const one of nominations.sort((a, b) => a.category_id - b.category_id || a.id - b.id)) {
    const isActing = acting.has(one.category_id);
    const key = entryKey({ ...one, entry: one.details!.entry }, isActing);
    const ofEntry = [...(entries.get(key)?.nominations ?? []), one];
    entries.set(key, { key, label: labelOf(ofEntry, isActing), nominations: ofEntry });
  }
  return [...entries.values()];
}

/** An entry in words: the film first, but for an actor the person. */
function labelOf(nominations: readonly Listed<'nominations'>[], isActing: boolean): string {
  const people = together(new Set(nominations.map(({ nominee }) => nominee)));
  const films = together(new Set(nominations.map(({ movie }) => movie)));
  const parts = isActing ? [people, films] : [films, people];
  const song = nominations[0]!.song_title;
  return (song === null ? parts : [`“${song}”`, ...parts]).join(', ');
}

export const hasWon = ({ nominations }: CeremonyEntry): boolean => nominations.some(({ winner }) => winner);
