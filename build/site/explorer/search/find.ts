/** Finds the records that typed words name or mean, best first. */
import { tokens } from '../../../../api/contract/text.ts';
import { joined } from '../../shared/format.ts';
import { tallyTexts } from '../counts.ts';
import { type RankedResource, recordHref } from '../addresses.ts';
import {
  type Understood,
  understand,
  understandQuestion,
  withoutAliases,
  withoutQuestionWords,
} from './meaning.ts';
import { awardHits, categoryHits, ceremonyHits, decadeHits, honorHits, pageHits } from './meaning-hits.ts';
import { type Hit, type Scored, type Searchable, worth } from './searchable.ts';
import type { Match, TextIndex } from './text-index.ts';
import { wordsOf } from './words.ts';

interface HitGroup {
  title: string;
  /** Best first. */
  hits: Hit[];
}

export interface Finding {
  /** The group with the best hit first. */
  groups: HitGroup[];
  understood: Understood;
  /** A sentence on what the record does not hold, if the words ask for it. */
  limit?: string | undefined;
  /** Set where nothing has all words: the hits have some of them. */
  isNear?: true | undefined;
}

const maxHits = 5;
/** Where nothing has all words, a text must match this share of them. */
const relaxedShare = 0.5;

/**
 * @param typed text for which isSearch is true
 * @param allowsEdits whether words may be mistyped
 */
export function find(searchable: Searchable, typed: string, allowsEdits = true): Finding {
  const words = wordsOf(typed);
  const plain = withoutAliases(words);
  const understood = understandIn(searchable, words);
  const names = withoutAliases(understood.names);
  const { named, isNear } = namedGroups(searchable, plain, names, understood, allowsEdits);
  const groups: [title: string, hits: Scored[]][] = [
    [
      'Pages',
      [...pageHits(searchable, understood), ...decadeHits(searchable, understood), ...honorHits(understood)],
    ],
    ['Awards', awardHits(searchable, understood)],
    ['Ceremonies', ceremonyHits(searchable, understood)],
    ['Categories', categoryHits(searchable, plain, understood)],
    ...named,
  ];
  const found = groups.filter(([, hits]) => hits.length > 0);
  const bestOf = ([, hits]: [string, Scored[]]) => Math.max(...hits.map(({ score }) => score));
  found.sort((a, b) => bestOf(b) - bestOf(a));
  return {
    groups: found.map(([title, hits]) => ({
      title,
      hits: hits
        .sort((a, b) => b.score - a.score)
        .slice(0, maxHits)
        .map(({ score: _, isWhole: __, ...hit }) => hit),
    })),
    understood,
    ...(isNear && found.length > 0 && { isNear }),
  };
}

/** Question words that are tried as the beginning of a title. */
const maxLeading = 8;

/** What the words mean. Where a text has them all, or all that are names, as "How the West Was Won" has, they are no question. */
export function understandIn(searchable: Searchable, words: readonly string[]): Understood {
  const literal = understand(words);
  const asked = understandQuestion(words);
  // Words that all have a meaning are not mistyped: "the winner" is not "The Sinner".
  const allowsEdits = asked.names.length > 0;
  if (asked.names.length === literal.names.length || isNamed(searchable, withoutAliases(words), allowsEdits))
    return literal;
  if (asked.names.length === 0) return asked;
  if (isNamed(searchable, withoutAliases(literal.names))) return literal;
  // In "who directed get out", "get" is a word of the title.
  const leading = literal.names.findIndex((word) => withoutQuestionWords([word]).length > 0);
  const names = Array.from({ length: Math.min(leading, maxLeading) }, (_, at) =>
    literal.names.slice(at + 1),
  ).find((rest) => isNamed(searchable, withoutAliases(rest), false));
  return names ? { ...asked, names } : asked;
}

/** Whether a film, a person or a song has all words of a text. @param allowsEdits whether words may be mistyped */
export const isTitle = (searchable: Searchable, typed: string, allowsEdits = true): boolean =>
  isNamed(searchable, withoutAliases(wordsOf(typed)), allowsEdits);

/** Whether a film, a person or a song has all words: first without mistakes, which takes less time. */
const isNamed = (searchable: Searchable, words: readonly string[], allowsEdits = true): boolean =>
  (allowsEdits && isNamed(searchable, words, false)) ||
  [searchable.films, searchable.people, searchable.songs].some(
    (index) => index.find(words, 1, allowsEdits).length > 0,
  );

/** Films, people and songs: by all words, and by those that are left when the others mean a year, a category or an outcome. */
function namedGroups(
  searchable: Searchable,
  plain: readonly string[],
  names: readonly string[],
  understood: Understood,
  allowsEdits: boolean,
): { named: [string, Scored[]][]; isNear?: true } {
  const asked = { plain, names, understood, share: 1, allowsEdits: false };
  const hitsOf = (how: Partial<Asked>): [title: string, hits: Scored[]][] => [
    ['People and companies', nominatedHits(searchable, 'nominees', { ...asked, ...how })],
    ['Films', nominatedHits(searchable, 'movies', { ...asked, ...how })],
    ['Songs', songHits(searchable, { ...asked, ...how })],
  ];
  const exact = hitsOf({});
  const exactHits = exact.flatMap(([, hits]) => hits);
  // Where all words have a meaning, a text is all of them, or several have them all, they were not mistyped.
  const isTypedRight = !allowsEdits || names.length === 0 || exactHits.length >= maxHits;
  if (isTypedRight || exactHits.some(({ isWhole }) => isWhole)) return { named: exact };
  const found = hitsOf({ allowsEdits: true });
  const isFound = found.some(([, hits]) => hits.length > 0);
  if (isFound || plain.length < 2) return { named: found };
  // No text has all words: those that have most of them.
  return { named: hitsOf({ allowsEdits: true, share: relaxedShare }), isNear: true };
}

interface Asked {
  plain: readonly string[];
  names: readonly string[];
  understood: Understood;
  /** See TextIndex.find(). */
  share: number;
  allowsEdits: boolean;
}

/** A single letter is a whole name, or the first word of a title. */
const isSingleLetter = (words: readonly string[]): boolean => words.length === 1 && words[0]!.length === 1;

/** The matches for all words, then those for the names alone. */
function matchesOf(
  index: TextIndex,
  { plain, names, share, allowsEdits }: Asked,
): { match: Match; isPlain: boolean }[] {
  const all = index.find(plain, share, allowsEdits).map((match) => ({ match, isPlain: true }));
  const rows = new Set(all.map(({ match }) => match.row));
  const isSame = names.length === plain.length;
  const rest = isSame || names.length === 0 ? [] : index.find(names, share, allowsEdits);
  return [...all, ...rest.filter(({ row }) => !rows.has(row)).map((match) => ({ match, isPlain: false }))];
}

function nominatedHits(searchable: Searchable, resource: RankedResource, asked: Asked): Scored[] {
  const { table, titles, names } = searchable.texts;
  const isFilm = resource === 'movies';
  const [index, texts, tallyOf] = isFilm
    ? [searchable.films, titles, searchable.filmTally]
    : [searchable.people, names, searchable.nomineeTally];
  const references = isFilm ? table.movie : table.nominee;
  const { category, year, outcome } = asked.understood;
  const wanted = category && table.categories.name.values.indexOf(category.name);
  return matchesOf(index, asked)
    .filter(
      ({ match }) =>
        !isSingleLetter(asked.plain) ||
        match.isWhole ||
        (isFilm && tokens(texts.text.values[match.row]!)[0] === asked.plain[0]),
    )
    .slice(0, 200)
    .map(({ match, isPlain }) => {
      const id = texts.id(match.row);
      const tally = tallyOf(id)!;
      let score = match.score * (asked.share < 1 ? worth.relaxed : 1);
      if (isPlain && match.isWhole) score += worth.whole;
      if (!isPlain) {
        const rows = Array.from(references.nominationsOf(id));
        const years = rows.map((row) => table.yearAt(row));
        // A film of 1997 was nominated in 1998.
        const isThen = !year || years.some((own) => own === year.year || own === year.year + 1);
        const isThere = wanted === undefined || rows.some((row) => table.category.rows[row] === wanted);
        if (!isThen) score *= 0.6;
        if (!isThere) score *= 0.8;
        if (outcome?.won && tally.wins === 0) score *= 0.9;
        // A year after a title is of the film that was first up for its awards then.
        if (year && years.includes(year.year + 1)) score *= 1.02;
      }
      // A question about an outcome means one with many nominations: Alfred Hitchcock rather than the film "Hitchcock".
      const weightOfNominations = !isPlain && outcome ? 0.04 : 0.02;
      score += weightOfNominations * Math.log2(1 + tally.nominations);
      return {
        href: recordHref(resource, id, texts.text.values[match.row]!),
        label: texts.text.values[match.row]!,
        detail: tallyTexts(tally).join(''),
        won: tally.wins > 0,
        score,
        isWhole: match.isWhole,
      };
    });
}

function songHits(searchable: Searchable, asked: Asked): Scored[] {
  const { table, songs, titles } = searchable.texts;
  const { song, winner, movie } = table;
  return matchesOf(searchable.songs, asked)
    .slice(0, 50)
    .map(({ match: { row, score, isWhole }, isPlain }) => {
      const nominations = song.nominationsOf(songs.id(row));
      const film = nominations[0] === undefined ? null : titles.text.values[movie.rows[nominations[0]]!];
      return {
        href: recordHref('songs', songs.id(row), songs.title.values[row]!),
        label: `“${songs.title.values[row]}”`,
        detail: joined(songs.artist.values[row], film && `from ${film}`),
        won: nominations.some((at) => winner[at] === 1),
        score:
          (isWhole ? 0.97 : score * worth.song) * (asked.share < 1 ? worth.relaxed : 1) +
          (isPlain && isWhole ? worth.whole : 0),
        isWhole,
      };
    });
}
