/** Records that some typed words may mean, found in the browser. */

import type { ResourceName } from '../../../api/contract/names.ts';
import type {
  Category,
  Ceremony,
  Movie,
  Nomination,
  Nominee,
  Song,
} from '../../../api/contract/resources.ts';
import { parseId, recordPath } from '../../../api/contract/routes.ts';
import { fold } from '../../../api/contract/text.ts';
import { ApiError, read } from './record.ts';

export interface Candidate {
  id: number;
  label: string;
  /** What tells it from others of the same label. */
  note: string;
}

/** Shown at a time: more are told apart by typing on. */
const most = 8;

interface List<T> {
  data: T[];
}

const query = (words: string) => `${encodeURIComponent(words)}&limit=${most}`;

const ofMovie = ({ id, title, release_date }: Movie): Candidate => ({
  id,
  label: title,
  note: release_date?.slice(0, 4) ?? '',
});
const ofNominee = ({ id, name, known_for_department }: Nominee): Candidate => ({
  id,
  label: name,
  note: known_for_department ?? '',
});
const ofSong = ({ id, original_title, artist_names }: Song): Candidate => ({
  id,
  label: original_title,
  note: artist_names ?? '',
});
const ofCeremony = ({ id, show_title, ceremony_year }: Ceremony): Candidate => ({
  id,
  label: show_title ?? `Ceremony of ${ceremony_year}`,
  note: String(ceremony_year),
});
const ofCategory = ({ id, category_name, category_group }: Category): Candidate => ({
  id,
  label: category_name,
  note: category_group ?? '',
});
const ofNomination = ({ id, nominee, movie, category, ceremony_year, winner }: Nomination): Candidate => ({
  id,
  label: `${nominee}, ${movie}`,
  note: `${category}, ${ceremony_year}${winner ? ', won' : ''}`,
});

const having = (words: string) => (candidate: Candidate) =>
  fold(`${candidate.label} ${candidate.note}`).includes(fold(words));

const search: Readonly<Record<ResourceName, (words: string) => Promise<Candidate[]>>> = {
  movies: async (words) => (await read<List<Movie>>(`/api/movies?title=${query(words)}`)).data.map(ofMovie),
  nominees: async (words) =>
    (await read<List<Nominee>>(`/api/nominees?name=${query(words)}`)).data.map(ofNominee),
  songs: async (words) => (await read<List<Song>>(`/api/songs?title=${query(words)}`)).data.map(ofSong),
  // All of these are one answer.
  ceremonies: async (words) =>
    (await read<List<Ceremony>>('/api/ceremonies')).data.map(ofCeremony).filter(having(words)).slice(0, most),
  categories: async (words) =>
    (await read<List<Category>>('/api/categories')).data.map(ofCategory).filter(having(words)).slice(0, most),
  nominations: async (words) =>
    words.length < 2
      ? []
      : (await read<List<Nomination>>(`/api/search?q=${query(words)}`)).data.map(ofNomination),
};

/** Records of a collection that have these words in what they are called; a number is also an id. */
export async function candidates(resource: ResourceName, words: string): Promise<Candidate[]> {
  const text = words.trim();
  if (text === '') return [];
  const [byId, byWords] = await Promise.all([candidateById(resource, text), orNone(search[resource](text))]);
  return [...byId, ...byWords.filter(({ id }) => id !== byId[0]?.id)].slice(0, most);
}

async function candidateById(resource: ResourceName, text: string): Promise<Candidate[]> {
  const id = parseId(text);
  if (id === undefined) return [];
  const list = recordPath(resource, id).replace(/\/[^/]*$/, '');
  const { data } = await read<List<never>>(`${list}?ids=${id}`);
  const describe = {
    movies: ofMovie,
    nominees: ofNominee,
    songs: ofSong,
    ceremonies: ofCeremony,
    categories: ofCategory,
    nominations: ofNomination,
  }[resource];
  return data.map(describe);
}

/** Words that nothing can be searched for, such as punctuation alone, find nothing. */
async function orNone(found: Promise<Candidate[]>): Promise<Candidate[]> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return [];
    throw error;
  }
}
