/** The record as the editor reads it: records that typed words may mean, entries of a ceremony, free ids. */
import type { ListOf } from '../../../api/contract/answers.ts';
import { actingCategories, entryKey } from '../../../api/contract/entries.ts';
import type { ResourceName } from '../../../api/contract/names.ts';
import { parseId } from '../../../api/contract/query-string.ts';
import type { RecordOf } from '../../../api/contract/resources.ts';
import { listPath, recordPath, searchPath } from '../../../api/contract/routes.ts';
import { fold } from '../../../api/contract/text.ts';
import { Resolver } from '../../../api/read/resolve.ts';
import { fetchSource } from '../../../api/read/fetch-source.ts';
import { ApiError, everyPage, type List, readDocument } from '../shared/api.ts';
import { ceremonyTitle, honorTitle, joined, span, together } from '../shared/format.ts';

export interface Candidate {
  id: number;
  label: string;
  /** Tells records with the same label apart. */
  note: string;
}

const maxCandidates = 8;
const resolver = new Resolver(fetchSource('/'), { writable: false });

/** Reads the snapshot again after a write. */
export const refreshRecord = (): Promise<boolean> => resolver.refresh();

type Describe = { [R in ResourceName]: (record: RecordOf[R]) => [label: string, note: string] };

const describe: Describe = {
  movies: ({ title, release_date }) => [title, release_date?.slice(0, 4) ?? ''],
  nominees: ({ name, known_for_department }) => [name, known_for_department ?? ''],
  songs: ({ original_title, artist_names }) => [original_title, artist_names ?? ''],
  ceremonies: (ceremony) => [ceremonyTitle(ceremony), String(ceremony.ceremony_year)],
  categories: ({ category_name, category_group }) => [category_name, category_group ?? ''],
  honors: (honor) => [honorTitle(honor), honor.category],
  nominations: ({ nominee, movie, category, ceremony_year, winner }) => [
    `${nominee}, ${movie}`,
    `${category}, ${ceremony_year}${winner ? ', won' : ''}`,
  ],
};

/** The parameter that finds records of a list by words. Lists without one are short and filtered here. */
const wordParameters: Partial<Record<ResourceName, string>> = {
  movies: 'title',
  nominees: 'name',
  songs: 'title',
};

async function list<R extends ResourceName>(resource: R, address: string): Promise<Candidate[]> {
  const { data } = await readDocument<List<RecordOf[R]>>(resolver, address);
  return data.map((record) => {
    const [label, note] = describe[resource](record);
    return { id: record.id, label, note };
  });
}

const nominationReferences = { movies: 'movie_id', nominees: 'nominee_id' } as const;

/** The same candidates, films and people with the years of their nominations. */
async function withYears(resource: ResourceName, found: readonly Candidate[]): Promise<Candidate[]> {
  if (found.length === 0 || (resource !== 'movies' && resource !== 'nominees')) return [...found];
  const reference = nominationReferences[resource];
  const ids = found.map(({ id }) => id).join(',');
  const { data } = await readDocument<List<RecordOf['nominations']>>(
    resolver,
    `${listPath('nominations')}?${reference}s=${ids}&limit=100`,
  );
  return found.map((candidate) => {
    const years = data.filter((one) => one[reference] === candidate.id).map((one) => one.ceremony_year);
    const nominated = years.length === 0 ? '' : `nominated ${span(Math.min(...years), Math.max(...years))}`;
    return { ...candidate, note: joined(candidate.note, nominated) };
  });
}

/** The id that the service would give to the next record. Another editor can take it before it is used. */
export async function freeId(resource: ResourceName): Promise<number> {
  await refreshRecord();
  const page = (number: number) =>
    readDocument<List<{ id: number }> & { pagination?: { total: number } }>(
      resolver,
      `${listPath(resource)}?limit=1&page=${number}`,
    );
  const { data, pagination } = await page(1);
  // A list without pages is there as a whole.
  const last = pagination && pagination.total > 1 ? (await page(pagination.total)).data : data;
  return Math.max(0, ...last.map(({ id }) => id)) + 1;
}

/** Records of a collection with the same name, except for case and accents. */
export async function namesakes(resource: ResourceName, name: string): Promise<Candidate[]> {
  const found = await candidates(resource, name);
  return found.filter(({ label }) => fold(label.trim()) === fold(name.trim()));
}

/** Nominations with these references. */
export async function nominationsOf(
  references: Readonly<Record<'ceremony_id' | 'category_id' | 'movie_id' | 'nominee_id', number>>,
): Promise<Candidate[]> {
  const query = Object.entries(references).map(([name, id]) => `${name}s=${id}`);
  return list('nominations', `${listPath('nominations')}?${query.join('&')}`);
}

async function byWords(resource: ResourceName, words: string): Promise<Candidate[]> {
  const query = `${encodeURIComponent(words)}&limit=${maxCandidates}`;
  if (resource === 'nominations') return words.length < 2 ? [] : list(resource, `${searchPath}?q=${query}`);
  const parameter = wordParameters[resource];
  if (parameter !== undefined) return list(resource, `${listPath(resource)}?${parameter}=${query}`);
  const all = await list(resource, listPath(resource));
  return all.filter(({ label, note }) => fold(`${label} ${note}`).includes(fold(words)));
}

async function byId(resource: ResourceName, text: string): Promise<Candidate[]> {
  const id = parseId(text);
  return id === undefined ? [] : list(resource, `${listPath(resource)}?ids=${id}`);
}

/** Records of a collection whose text has these words; a number may also be an id. */
export async function candidates(resource: ResourceName, words: string): Promise<Candidate[]> {
  const text = words.trim();
  if (text === '') return [];
  const [withId, withWords] = await Promise.all([
    byId(resource, text),
    byWords(resource, text).catch((error: unknown) => {
      // Punctuation alone is not searchable.
      if (error instanceof ApiError && error.status === 400) return [];
      throw error;
    }),
  ]);
  const found = [...withId, ...withWords.filter(({ id }) => id !== withId[0]?.id)].slice(0, maxCandidates);
  return withYears(resource, found);
}

/** An entry of a ceremony: what the press counts as one nomination. */
export interface CeremonyEntry {
  key: string;
  category: string;
  label: string;
  nominations: readonly { id: number; winner: boolean }[];
}

type ListedNomination = ListOf['nominations']['data'][number];

/** The entries of a ceremony by ascending category and nomination. */
export async function entriesOfCeremony(ceremony: number): Promise<CeremonyEntry[]> {
  await refreshRecord();
  const nominations = await everyPage<ListedNomination>(
    (address) => readDocument(resolver, address),
    `${listPath('nominations')}?ceremony_ids=${ceremony}&include=details`,
  );
  const { data: categories } = await readDocument<ListOf['categories']>(resolver, listPath('categories'));
  const acting = actingCategories(categories);
  const entries = new Map<string, ListedNomination[]>();
  for (const nomination of nominations.sort((a, b) => a.category_id - b.category_id || a.id - b.id)) {
    const isActing = acting.has(nomination.category_id);
    const key = entryKey({ ...nomination, entry: nomination.details!.entry }, isActing);
    entries.set(key, [...(entries.get(key) ?? []), nomination]);
  }
  return [...entries].map(([key, own]) => ({
    key,
    category: own[0]!.category,
    label: labelOf(own, acting.has(own[0]!.category_id)),
    nominations: own.map(({ id, winner }) => ({ id, winner })),
  }));
}

/** "Anora, Sean Baker": the film first, but for an actor the person. */
function labelOf(entry: readonly ListedNomination[], isActing: boolean): string {
  const nominees = together(new Set(entry.map(({ nominee }) => nominee)));
  const movies = together(new Set(entry.map(({ movie }) => movie)));
  const song = entry[0]!.song_title;
  return [
    ...(song === null ? [] : [`“${song}”`]),
    ...(isActing ? [nominees, movies] : [movies, nominees]),
  ].join(', ');
}

/** Whether a nomination won, with the ETag of its page. */
export async function currentWinner(id: number): Promise<{ winner: boolean; etag: string }> {
  const { headers, body } = await resolver.answer({
    method: 'GET',
    path: recordPath('nominations', id),
    queryString: '',
  });
  const { winner } = JSON.parse(new TextDecoder().decode(body!)) as { winner: boolean };
  return { winner, etag: headers.ETag! };
}
