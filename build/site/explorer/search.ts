/** The search: the best records of each kind for the typed words, and the nominations that match. */
import type { Ceremony, Nomination } from '../../../api/contract/resources.ts';
import { fromDifferences, type TermShard } from '../../../api/contract/snapshot.ts';
import { tokens } from '../../../api/contract/text.ts';
import type { Pagination } from '../../../api/read/documents.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { NominationTable } from '../../../api/read/tables.ts';
import type { List } from '../shared/api.ts';
import { ceremonyTitle, count, date, filmYears, joined, number } from '../shared/format.ts';
import { type Tally, tallies, tallyTexts } from './counts.ts';
import { awardHref, recordHref } from './navigation.ts';
import { ask, columns } from './record.ts';

export interface Hit {
  href: string;
  label: string;
  detail: string;
  /** Whether it won at least once. */
  won: boolean;
}
interface HitGroup {
  title: string;
  hits: Hit[];
}
export interface SearchResult {
  groups: HitGroup[];
  /** Number of matching nominations. */
  nominations: number;
}

const maxHits = { named: 5, nominations: 4, others: 3 };
/** As in the search of the API. */
const minLength = 2;

export const isSearch = (typed: string): boolean =>
  [...typed.trim()].length >= minLength && tokens(typed).length > 0;

/** @param typed text for which isSearch is true @throws SnapshotUnavailable */
export async function search(typed: string): Promise<SearchResult> {
  const words = [...new Set(tokens(typed))];
  const snapshot = await columns();
  const query = new URLSearchParams({ q: typed.trim(), limit: String(maxHits.nominations) });
  const [table, shards, matching, { data: ceremonies }, filmTally, nomineeTally] = await Promise.all([
    snapshot.nominations(),
    shardsOf(snapshot, words),
    ask<List<Nomination> & { pagination: Pagination }>(`/api/search?${query}`),
    ask<List<Ceremony>>('/api/ceremonies'),
    tallies('movies'),
    tallies('nominees'),
  ]);
  const [films, nominees] = [
    findNamed('movies', table, words, shards),
    findNamed('nominees', table, words, shards),
  ];
  const groups: HitGroup[] = [
    { title: 'Ceremonies', hits: ceremonyHits(ceremonies, words) },
    {
      title: 'People and companies',
      hits: nominees.map((found) => namedHit('nominees', found, nomineeTally)),
    },
    { title: 'Films', hits: films.map((found) => namedHit('movies', found, filmTally)) },
    { title: 'Categories', hits: categoryHits(table, words) },
    { title: 'Songs', hits: songHits(table, words) },
    { title: 'Nominations', hits: matching.data.map(nominationHit) },
  ];
  // Films come first if the typed words are a larger share of the first title than of the first name.
  if (nominees[0] && films[0] && typedShare(films[0], words) > typedShare(nominees[0], words))
    groups.splice(1, 2, groups[2]!, groups[1]!);
  return { groups: groups.filter(({ hits }) => hits.length > 0), nominations: matching.pagination.total };
}

/** Share of the words of a text that were typed in full. */
function typedShare({ text }: Found, words: readonly string[]): number {
  const own = tokens(text);
  return own.filter((word) => words.includes(word)).length / own.length;
}

/** A word of one letter matches whole words only, as in the API. */
const isWhole = (word: string): boolean => [...word].length === 1;
const matches = (word: string, term: string): boolean =>
  isWhole(word) ? term === word : term.startsWith(word);

/** Per word, the shards with its terms. */
const shardsOf = (snapshot: Snapshot, words: readonly string[]): Promise<TermShard[][]> =>
  Promise.all(words.map((word) => snapshot.searchShards(word, isWhole(word))));

interface Found {
  id: number;
  text: string;
}

/**
 * The films or nominees that match every word. First those whose text equals the typed words, then those that begin with them,
 * then those with more whole words; the most nominated first.
 */
function findNamed(
  resource: 'movies' | 'nominees',
  table: NominationTable,
  words: readonly string[],
  shards: readonly (readonly TermShard[])[],
): Found[] {
  const [texts, { postings }] =
    resource === 'movies' ? [table.titles, table.movie] : [table.names, table.nominee];
  const wholeWords = wholeWordCounts(resource, words, shards);
  const withoutArticle = (own: readonly string[]) => own.join(' ').replace(/^(the|an?) (?=.)/, '');
  const searched = withoutArticle(words);
  const ranked = Array.from(wholeWords, ([id, whole]) => {
    const row = texts.row(id);
    const text = withoutArticle(tokens(texts.text.values[row]!));
    const likeness = text === searched ? 2 : text.startsWith(searched) ? 1 : 0;
    return { row, whole: likeness === 0 ? whole : 0, likeness, nominated: postings.count(row) };
  });
  ranked.sort(
    (a, b) => b.likeness - a.likeness || b.whole - a.whole || b.nominated - a.nominated || a.row - b.row,
  );
  return ranked.slice(0, maxHits.named).map(({ row }) => ({
    id: texts.id(row),
    text: texts.text.values[row]!,
  }));
}

/** Id → number of words that its text has in full, for the texts that match every word. */
function wholeWordCounts(
  resource: 'movies' | 'nominees',
  words: readonly string[],
  shards: readonly (readonly TermShard[])[],
): Map<number, number> {
  const perWord = words.map((word, i) => {
    const own = new Map<number, number>();
    for (const shard of shards[i]!)
      for (const [term, movies, nominees] of shard)
        if (matches(word, term))
          for (const id of fromDifferences(resource === 'movies' ? movies : nominees))
            own.set(id, Math.max(own.get(id) ?? 0, term === word ? 1 : 0));
    return own;
  });
  return perWord.reduce(
    (all, own) => new Map([...own].flatMap(([id, n]) => (all.has(id) ? [[id, n + all.get(id)!]] : []))),
  );
}

function namedHit(
  resource: 'movies' | 'nominees',
  { id, text }: Found,
  tallyOf: (id: number) => Tally | undefined,
): Hit {
  const tally = tallyOf(id)!;
  return {
    href: recordHref(resource, id),
    label: text,
    detail: tallyTexts(tally).join(''),
    won: tally.wins > 0,
  };
}

/** Found by the year it was held, a year of its films, or its number. */
function ceremonyHits(ceremonies: readonly Ceremony[], words: readonly string[]): Hit[] {
  const [word] = words;
  if (words.length !== 1 || !/^[0-9]{1,4}(st|nd|rd|th)?$/.test(word!)) return [];
  const typed = String(Number.parseInt(word!, 10));
  const isFound = ({ id, ceremony_year, movies_eligible }: Ceremony) =>
    [String(ceremony_year), String(id), ...(filmYears(movies_eligible)?.split('–') ?? [])].includes(typed);
  return ceremonies
    .filter(isFound)
    .slice(0, maxHits.others)
    .map((ceremony) => {
      const films = filmYears(ceremony.movies_eligible);
      const held = ceremony.date ? `held on ${date(ceremony.date)}` : `held in ${ceremony.ceremony_year}`;
      return {
        href: recordHref('ceremonies', ceremony.id),
        label: ceremonyTitle(ceremony),
        detail: joined(held, films && `films of ${films}`),
        won: false,
      };
    });
}

/** Rows of a short table whose words match every typed word. */
function rowsWithWords(texts: readonly (readonly string[])[], words: readonly string[]): number[] {
  return [...texts.keys()]
    .filter((row) => words.every((word) => texts[row]!.some((term) => matches(word, term))))
    .slice(0, maxHits.others);
}

const categoryHits = ({ categories, category }: NominationTable, words: readonly string[]): Hit[] =>
  rowsWithWords(categories.tokens, words).map((row) => ({
    href: recordHref('categories', categories.id(row)),
    label: categories.name.values[row]!,
    detail: count(category.postings.count(row), 'nomination'),
    won: false,
  }));

/** Words of the song titles, by the song table of a snapshot. */
const songWords = new WeakMap<object, readonly (readonly string[])[]>();

function songHits({ songs, song, winner, titles, movie }: NominationTable, words: readonly string[]): Hit[] {
  const texts = songWords.get(songs) ?? songs.title.values.map((title) => tokens(title!));
  songWords.set(songs, texts);
  return rowsWithWords(texts, words).map((row) => {
    const nominations = song.postings.of(row);
    const film = nominations[0] === undefined ? null : titles.text.values[movie.rows[nominations[0]]!];
    return {
      href: recordHref('songs', songs.id(row)),
      label: `“${songs.title.values[row]}”`,
      detail: joined(songs.artist.values[row], film && `from ${film}`),
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

/** The number of results, for screen readers. */
export function announcement({ groups, nominations }: SearchResult): string {
  if (groups.length === 0) return 'Nothing found';
  const shown = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  return `${count(shown, 'result')} shown, ${number(nominations)} nominations match in all`;
}
