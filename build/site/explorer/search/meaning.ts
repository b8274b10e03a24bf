/** What words of a search mean besides names: a category, a year, an outcome, the awards themselves. */
import { categoryNamed } from '../../../../api/contract/category-names.ts';
import {
  aliases,
  ceremonyPhrases,
  countedWords,
  decadeWords,
  everPhrases,
  honorPhrases,
  latestPhrases,
  ordinals,
  outcomePhrases,
  pagePhrases,
  questionWords,
} from './phrases.ts';

/** A part of the typed words with a meaning. */
export interface Meaning {
  /** The words that have it. */
  words: readonly string[];
}

export interface Understood {
  /** Words that are left: of a name. */
  names: readonly string[];
  category?: Meaning & { name: string };
  year?: Meaning & { year: number };
  ordinal?: Meaning & { number: number };
  /** The latest ceremony of the record. */
  latest?: Meaning;
  /** First year of a decade. */
  decade?: Meaning & { year: number };
  outcome?: Meaning & { won: boolean };
  /** The awards as such; with a year or a number, a ceremony. */
  ceremony?: Meaning;
  honors?: Meaning & { kind: keyof typeof honorPhrases };
  page?: Meaning & { page: string };
}

type Mean = (words: readonly string[]) => Partial<Understood>;

/** Phrase → what it means. Of two meanings of a phrase, the first counts. */
const meanings = new Map<string, Mean>();

function add(phrases: readonly string[], mean: Mean): void {
  for (const phrase of phrases) if (!meanings.has(phrase)) meanings.set(phrase, mean);
}

for (const [page, phrases] of Object.entries(pagePhrases))
  add(phrases, (words) => ({ page: { page, words } }));
for (const [name, phrases] of Object.entries(outcomePhrases))
  add(phrases, (words) => ({ outcome: { won: name === 'won', words } }));
for (const [kind, phrases] of Object.entries(honorPhrases))
  add(phrases, (words) => ({ honors: { kind: kind as keyof typeof honorPhrases, words } }));
add(latestPhrases, (words) => ({ latest: { words } }));
add(ceremonyPhrases, (words) => ({ ceremony: { words } }));
add(everPhrases, () => ({}));

/** No phrase has more words. */
const maxPhraseWords = 20;

/** What some words mean together; undefined if they are no phrase. */
function meaningOf(words: readonly string[]): Mean | undefined {
  const text = words.join(' ');
  const name = categoryNamed(text);
  return name === undefined ? meanings.get(text) : (own) => ({ category: { name, words: own } });
}

/** The longest phrase at a position, with its number of words. It leaves its last word to a category that begins there. */
function phraseAt(words: readonly string[], at: number): { mean: Mean; length: number } | undefined {
  for (let length = Math.min(maxPhraseWords, words.length - at); length > 0; length -= 1) {
    const phrase = words.slice(at, at + length);
    const mean = meaningOf(phrase);
    if (!mean) continue;
    const shorter = beginsCategory(words, at + length - 1) ? meaningOf(phrase.slice(0, -1)) : undefined;
    return shorter ? { mean: shorter, length: length - 1 } : { mean, length };
  }
  return undefined;
}

/** Whether a word and those after it name a category: "most nominated film editor" asks for editors, not for films. */
const beginsCategory = (words: readonly string[], at: number): boolean =>
  [2, 3].some(
    (length) =>
      at + length <= words.length && categoryNamed(words.slice(at, at + length).join(' ')) !== undefined,
  );

/** The typed words with the names on record in place of other names. */
export function withoutAliases(words: readonly string[]): readonly string[] {
  const text = words.join(' ');
  for (const [alias, name] of Object.entries(aliases))
    if (text === alias || text.startsWith(`${alias} `))
      return [...name.split(' '), ...words.slice(alias.split(' ').length)];
  return words;
}

export const withoutQuestionWords = (words: readonly string[]): string[] =>
  words.filter((word) => !questionWords.has(word));

/** Whether words mean something that can be found without a name. */
const isFindable = ({ names: _, ...meanings }: Understood): boolean => Object.keys(meanings).length > 0;

/**
 * Finds what the words of a question mean. Words such as "who" and "in" are no names beside other names, and beside words with
 * a meaning.
 * @param words folded, as tokens() returns them
 */
export function understandQuestion(words: readonly string[]): Understood {
  const understood = understand(words);
  const names = withoutQuestionWords(understood.names);
  if (names.length === 0 && !isFindable(understood)) return understood;
  return { ...understood, names: withoutBest(names) };
}

/** Finds what the words mean. @param words folded, as tokens() returns them */
export function understand(words: readonly string[]): Understood {
  const understood: Understood = { names: [] };
  const names: string[] = [];
  for (let at = 0; at < words.length; ) {
    const numbered = understood.ordinal === undefined ? ordinalAt(words, at) : undefined;
    if (numbered) {
      understood.ordinal = numbered;
      at += numbered.words.length;
      continue;
    }
    const phrase = phraseAt(words, at);
    if (phrase) {
      const meant = phrase.mean(words.slice(at, at + phrase.length));
      // Of two phrases of a kind, the first counts; "without a win" narrows every ranking.
      if (meant.page?.page === 'without-win') understood.page = meant.page;
      Object.assign(understood, { ...meant, ...understood });
      at += phrase.length;
      continue;
    }
    const word = words[at]!;
    // Nothing has 70 or more: "97 oscars" are those of a ceremony.
    const counted = /^[1-6]?\d$/.test(word) ? countedWords.get(words[at + 1] ?? '') : undefined;
    if (counted !== undefined) {
      understood.page ??= { page: counted, words: [word, words[at + 1]!] };
      at += 2;
      continue;
    }
    const year = /^(19[2-9]|20[0-4])\d$/.test(word) ? Number(word) : undefined;
    const decade = decadeNamed(word);
    if (year !== undefined && understood.year === undefined) understood.year = { year, words: [word] };
    else if (decade !== undefined && understood.decade === undefined)
      understood.decade = { year: decade, words: [word] };
    else names.push(word);
    at += 1;
  }
  // A number that is the only name is that of a ceremony.
  if (names.length === 1 && /^1?\d{1,2}$/.test(names[0]!) && !understood.ordinal && !understood.year)
    understood.ordinal = { number: Number(names[0]), words: names.splice(0) };
  return { ...understood, names: withoutBest(names) };
}

/** The first year of "1980s", "80s" or "eighties". */
function decadeNamed(word: string): number | undefined {
  const digits = /^(19[2-9]0|20[0-4]0|[03-9]0)s$/.exec(word)?.[1];
  if (digits === undefined) return decadeWords.get(word);
  return digits.length > 2 ? Number(digits) : Number(digits) + (digits === '00' ? 2000 : 1900);
}

const ceremonyWords: ReadonlySet<string | undefined> = new Set(['academy', 'oscars', 'awards', 'ceremony']);

/** The number of a ceremony, such as "50th", "ceremony 50" and the first word of "fiftieth academy awards". */
function ordinalAt(words: readonly string[], at: number): Understood['ordinal'] {
  const digits = /^(\d{1,3})(st|nd|rd|th)$/.exec(words[at]!)?.[1];
  if (digits !== undefined) return { number: Number(digits), words: [words[at]!] };
  const after = words[at + 1] ?? '';
  if (words[at] === 'ceremony' && /^\d{1,3}$/.test(after))
    return { number: Number(after), words: [words[at]!, after] };
  for (const length of [2, 1]) {
    const own = words.slice(at, at + length);
    const number = ordinals.get(own.join(' '));
    // "first oscar" is that of a person.
    const isCeremony =
      ceremonyWords.has(words[at + length]) ||
      (words[at + length] === 'oscar' && ceremonyWords.has(words[at + length + 1]));
    if (number !== undefined && isCeremony) return { number, words: own };
  }
  return undefined;
}

/** "best" alone is no name. */
const withoutBest = (names: readonly string[]): readonly string[] =>
  names.length === 1 && names[0] === 'best' ? [] : names;
