/** @jsxRuntime automatic @jsxImportSource preact */
/** The rows of lists of records. */
import type { ComponentChildren } from 'preact';
import type { ResourceName } from '../../../../api/contract/names.ts';
import type {
  FilmYears,
  Movie,
  Nomination,
  RecordOf,
  Song,
  StoredCeremony,
} from '../../../../api/contract/resources.ts';
import {
  ceremonyTitle,
  count,
  date,
  filmsOf,
  honorTitle,
  joined,
  nominationsText,
  span,
  summaryParts,
  titleCased,
  together,
} from '../../shared/format.ts';
import { hrefOf } from '../addresses.ts';
import { isShown, Portrait, Poster } from '../cards.tsx';
import { isInOrderOfText, withLetters } from '../letters.ts';
import { NominationTable } from '../nominations.tsx';
import { type Row, Rows, type Visit } from '../parts.tsx';
import {
  filmNotes,
  type FilmNote,
  type Nominated,
  nominatedYears,
  talliesOf,
  type Tally,
  withEntries,
} from '../record.ts';

/**
 * What a list of nominations counts: "105 nominations (1 not official) in 162 rows, …".
 * @param tally undefined where it is not known
 */
export function rowsText(rows: number, tally?: Omit<Tally, 'years'>): string {
  const counted = tally && nominationsText(tally);
  if (tally && tally.nominations + tally.unofficial === rows) return counted!;
  if (rows === 1 && !tally) return '1 nomination';
  const inRows = `${counted ? `${counted} in ` : ''}${count(rows, 'row')}`;
  return `${inRows}, one for each person and film of a nomination`;
}

/** The records of a list. */
export async function rowsOf(
  visit: Visit,
  resource: ResourceName,
  data: readonly never[],
): Promise<ComponentChildren> {
  if (resource === 'nominations') return nominationRows(visit, data);
  const ids = (data as readonly { id: number }[]).map(({ id }) => id);
  const more: More = {
    years: resource === 'nominees' ? await nominatedYears(visit.snapshot, ids) : [],
    films: resource === 'movies' ? await filmNotes(visit.snapshot, ids) : [],
    tallies:
      resource === 'movies' || resource === 'nominees' ? await talliesOf(visit.snapshot, resource, ids) : [],
  };
  const rows = data.map((record, at) => describe[resource](record, visit, more, at));
  return <Rows rows={isInOrderOfText(visit) ? withLetters(rows) : rows} />;
}

export const nominationRows = async (visit: Visit, data: readonly Nomination[]) => (
  <NominationTable
    caption="Nominations"
    nominations={await withEntries(visit.snapshot, data)}
    shown={['year', 'category', 'film', 'nominees', 'outcome']}
    isSplit
  />
);

/** What is known of the records besides their fields, in their order. */
interface More {
  years: readonly ([number, number] | undefined)[];
  films: readonly FilmNote[];
  tallies: readonly Omit<Tally, 'years'>[];
}

type RowResource = Exclude<ResourceName, 'nominations'>;
type ListedRecords = RecordOf & {
  movies: Movie & FilmYears;
  ceremonies: StoredCeremony;
  songs: Nominated<Song>;
};

const describe: {
  [R in RowResource]: (record: ListedRecords[R], visit: Visit, more: More, at: number) => Row;
} = {
  movies: (film, visit, { films, tallies }, at) => {
    const { directors, wonBestPicture } = films[at]!;
    const by = directors.length > 0 ? `directed by ${together(directors)}` : '';
    return {
      href: hrefOf('movies', film),
      label: film.title,
      mark: wonBestPicture ? 'Best Picture' : undefined,
      detail: joined(film.film_years, by, film.genres.join(', ')),
      numbers: summaryParts(tallies[at]!),
      filmYears: film.film_years ?? undefined,
      picture: isShown(visit, film.poster_path) && <Poster visit={visit} address={film.poster_path} />,
    };
  },
  nominees: (person, visit, { years, tallies }, at) => ({
    href: hrefOf('nominees', person),
    label: person.name,
    detail: joined(person.known_for_department, years[at] && span(...years[at])),
    numbers: summaryParts(tallies[at]!),
    picture: isShown(visit, person.profile_path) && <Portrait visit={visit} address={person.profile_path} />,
  }),
  songs: (song) => {
    const [first] = song.nominations;
    const film = joined(first?.movie, first && String(first.ceremony_year));
    return {
      href: hrefOf('songs', song),
      label: `“${song.original_title}”`,
      detail: song.artist_names ?? '',
      numbers: [film, song.nominations.some(({ winner }) => winner) ? ' · won' : ''],
    };
  },
  honors: (honor) => ({
    href: hrefOf('honors', honor),
    label: honorTitle(honor),
    detail: joined(
      titleCased(honor.category),
      String(honor.ceremony_year),
      (honor.class === 'Competitive' || !honor.winner) && (honor.winner ? 'won' : 'nominated'),
    ),
  }),
  categories: (category) => ({
    href: hrefOf('categories', category),
    label: category.category_name,
    detail: joined(category.category_group, category.era),
  }),
  ceremonies: (ceremony) => {
    const held = ceremony.date ? date(ceremony.date) : String(ceremony.ceremony_year);
    return {
      href: hrefOf('ceremonies', ceremony),
      label: ceremonyTitle(ceremony),
      detail: joined(held, filmsOf(ceremony)),
    };
  },
};
