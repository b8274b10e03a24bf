/** What the search field shows for what was typed: the best of each kind of record, and the nominations they stand in. */
import type { Ceremony, Nomination } from '../../../api/contract/resources.ts';
import { tokens } from '../../../api/contract/text.ts';
import type { Pagination } from '../../../api/read/documents.ts';
import type { NominationTable } from '../../../api/read/tables.ts';
import { awardHref, recordHref } from './addresses.ts';
import { filmTally, nomineeTally, tallyTexts } from './counts.ts';
import { count, date, filmYears, number } from './format.ts';
import { ask, columns } from './record.ts';
import { type Found, findNamed, rowsWithWords } from './word-index.ts';

export interface Hit {
  href: string;
  label: string;
  detail: string;
  /** Whether it won, at least once. */
  won: boolean;
}
export interface HitGroup {
  title: string;
  hits: Hit[];
}
export interface SearchResult {
  groups: HitGroup[];
  /** How many nominations match in all. */
  nominations: number;
}

const most = { named: 5, nominations: 4, others: 3 };
/** The shortest search of the interface. */
const shortest = 2;

export const isSearch = (typed: string): boolean =>
  [...typed.trim()].length >= shortest && tokens(typed).length > 0;

/** @param typed of which isSearch is true @throws SnapshotUnavailable */
export async function search(typed: string): Promise<SearchResult> {
  const words = [...new Set(tokens(typed))];
  const snapshot = await columns();
  const query = new URLSearchParams({ q: typed.trim(), limit: String(most.nominations) });
  const [table, { films, nominees }, matching, { data: ceremonies }] = await Promise.all([
    snapshot.nominations(),
    findNamed(snapshot, words, most.named),
    ask<{ data: Nomination[]; pagination: Pagination }>(`/api/search?${query}`),
    ask<{ data: Ceremony[] }>('/api/ceremonies'),
  ]);
  const groups: HitGroup[] = [
    { title: 'Ceremonies', hits: ceremonyHits(ceremonies, words) },
    { title: 'People and companies', hits: nominees.map((found) => namedHit('nominees', found, table)) },
    { title: 'Films', hits: films.map((found) => namedHit('movies', found, table)) },
    { title: 'Categories', hits: categoryHits(table, words) },
    { title: 'Songs', hits: songHits(table, words) },
    { title: 'Nominations', hits: matching.data.map(nominationHit) },
  ];
  // What was typed whole stands first: a film of that very name before people who have one of its words.
  if (nominees[0] && films[0] && rank(films[0], words) > rank(nominees[0], words))
    groups.splice(1, 2, groups[2]!, groups[1]!);
  return { groups: groups.filter(({ hits }) => hits.length > 0), nominations: matching.pagination.total };
}

/** How much of a text was typed, in whole words. */
function rank({ text }: Found, words: readonly string[]): number {
  const own = tokens(text);
  return own.filter((word) => words.includes(word)).length / own.length;
}

function namedHit(resource: 'movies' | 'nominees', found: Found, table: NominationTable): Hit {
  const tally = (resource === 'movies' ? filmTally : nomineeTally)(table, found.nominations);
  return {
    href: recordHref(resource, found.id),
    label: found.text,
    detail: tallyTexts(tally).join(''),
    won: tally.wins > 0,
  };
}

/** By the year it was held, the year its films are from, or its number. */
function ceremonyHits(ceremonies: readonly Ceremony[], words: readonly string[]): Hit[] {
  const [word] = words;
  if (words.length !== 1 || !/^[0-9]{1,4}(st|nd|rd|th)?$/.test(word!)) return [];
  const number = String(Number.parseInt(word!, 10));
  return ceremonies
    .map((ceremony) => ({ ceremony, films: filmYears(ceremony.movies_eligible) }))
    .filter(
      ({ ceremony, films }) =>
        String(ceremony.ceremony_year) === number ||
        String(ceremony.id) === number ||
        films?.split('–').includes(number),
    )
    .slice(0, most.others)
    .map(({ ceremony, films }) => ({
      href: recordHref('ceremonies', ceremony.id),
      label: ceremony.show_title ?? `Ceremony of ${ceremony.ceremony_year}`,
      detail: [
        ceremony.date ? `held on ${date(ceremony.date)}` : `held in ${ceremony.ceremony_year}`,
        ...(films ? [`films of ${films}`] : []),
      ].join(' · '),
      won: false,
    }));
}

function categoryHits({ categories, category }: NominationTable, words: readonly string[]): Hit[] {
  return rowsWithWords(categories.tokens, words)
    .slice(0, most.others)
    .map((row) => ({
      href: recordHref('categories', categories.id(row)),
      label: categories.name.values[row]!,
      detail: count(category.postings.count(row), 'nomination'),
      won: false,
    }));
}

/** The words of song titles, worked out once for each snapshot that has other songs. */
const songWords = new WeakMap<object, readonly (readonly string[])[]>();

function songHits({ songs, song, winner, titles, movie }: NominationTable, words: readonly string[]): Hit[] {
  let own = songWords.get(songs);
  if (!own) {
    own = songs.title.values.map((title) => tokens(title!));
    songWords.set(songs, own);
  }
  return rowsWithWords(own, words)
    .slice(0, most.others)
    .map((row) => {
      const nominations = song.postings.of(row);
      const film = nominations[0] === undefined ? null : titles.text.values[movie.rows[nominations[0]]!];
      return {
        href: recordHref('songs', songs.id(row)),
        label: `“${songs.title.values[row]}”`,
        detail: [songs.artist.values[row], film && `from ${film}`].filter(Boolean).join(' · '),
        won: nominations.some((at) => winner[at] === 1),
      };
    });
}

const nominationHit = (nomination: Nomination): Hit => ({
  href: awardHref(nomination.ceremony_id, nomination.category_id),
  label: `${nomination.nominee}, ${nomination.song_title === null ? '' : `“${nomination.song_title}” from `}${nomination.movie}`,
  detail: `${nomination.category} · ${nomination.ceremony_year}`,
  won: nomination.winner,
});

/** How many results there are, for those who cannot see them appear. */
export function announcement({ groups, nominations }: SearchResult): string {
  if (groups.length === 0) return 'Nothing found';
  const shown = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  return `${count(shown, 'result')} shown, ${number(nominations)} nominations match in all`;
}
