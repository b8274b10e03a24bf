/** What the oracle prepares once for each record: lookups by id, folded texts and tokens, the search index. */
import MiniSearch from 'minisearch';
import type { Nomination, RecordOf } from '../../api/contract/resources.ts';
import type { PlainRecord } from './record.ts';
import { characterCount, fold, tokens } from './text.ts';

/** Caches the results of a function by its argument. */
function cached<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    if (!known.has(text)) known.set(text, compute(text));
    return known.get(text)!;
  };
}

const byId = <Row extends { id: number }>(rows: readonly Row[]): ReadonlyMap<number, Row> =>
  new Map(rows.map((row) => [row.id, row]));

type Reference = 'movie_id' | 'nominee_id' | 'category_id' | 'song_id' | 'ceremony_id';

export class View {
  readonly record: PlainRecord;
  readonly #byId: { [R in keyof RecordOf]: ReadonlyMap<number, RecordOf[R]> };
  readonly folded = cached(fold);
  readonly tokens = cached(tokens);
  readonly #groups = new Map<Reference, Map<number | null, Nomination[]>>();
  #indexes: readonly { index: MiniSearch<IndexedText>; textOf: (it: Nomination) => string }[] | undefined;
  #words: View['words'] | undefined;

  constructor(record: PlainRecord) {
    this.record = record;
    this.#byId = {
      nominations: byId(record.nominations),
      ceremonies: byId(record.ceremonies),
      movies: byId(record.movies),
      nominees: byId(record.nominees),
      categories: byId(record.categories),
      songs: byId(record.songs),
      honors: byId(record.honors),
    };
  }

  readonly find = <R extends keyof RecordOf>(resource: R, id: number): RecordOf[R] | undefined =>
    this.#byId[resource].get(id);

  /** A record that nominations refer to. */
  readonly get = <R extends keyof RecordOf>(resource: R, id: number): RecordOf[R] => this.find(resource, id)!;

  /** The words of titles, names and categories, and the ids of the nominations that a search for one word finds. */
  get words(): { known: ReadonlySet<string>; matches: (word: string) => ReadonlySet<number> } {
    this.#words ??= this.#allWords();
    return this.#words;
  }

  #allWords() {
    const { movies, nominees, categories, nominations } = this.record;
    const texts = [
      ...movies.map((it) => it.title),
      ...nominees.map((it) => it.name),
      ...categories.map((it) => it.category_name),
    ];
    const matches = cached((word) => {
      const isMatch = (own: string) => (characterCount(word) > 1 ? own.startsWith(word) : own === word);
      const hasMatch = cached((text) => this.tokens(text).some(isMatch));
      const found = nominations.filter((it) => [it.nominee, it.movie, it.category].some(hasMatch));
      return new Set(found.map((it) => it.id));
    });
    return { known: new Set(texts.flatMap((text) => this.tokens(text))), matches };
  }

  /** The nominations that refer to a record, ascending. */
  nominationsOf(reference: Reference, id: number): readonly Nomination[] {
    let groups = this.#groups.get(reference);
    if (groups === undefined) {
      groups = new Map();
      for (const it of this.record.nominations)
        groups.set(it[reference], [...(groups.get(it[reference]) ?? []), it]);
      this.#groups.set(reference, groups);
    }
    return groups.get(id) ?? [];
  }

  /** The last year that the first ceremony of a film was for; null without a nomination. */
  filmYear(id: number): number | null {
    const ceremonies = this.nominationsOf('movie_id', id).map((it) => this.get('ceremonies', it.ceremony_id));
    const [first] = ceremonies.sort((a, b) => a.ceremony_year - b.ceremony_year || a.id - b.id);
    if (!first) return null;
    const years: number[] = [];
    for (const word of (first.movies_eligible ?? '').split(/[^\w/]+/))
      for (const part of word.split('/')) {
        if (/^\d{4}$/.test(part)) years.push(Number(part));
        // "1999/00" ends in 2000.
        else if (/^\d{4}\/\d\d$/.test(word))
          years.push(Number(part) + Math.ceil((years.at(-1)! - Number(part)) / 100) * 100);
      }
    return years.length > 0 ? Math.max(...years) : first.ceremony_year - 1;
  }

  /** The nominations that match a search and their scores, most relevant first; equal scores (to 1e-6) by id. */
  search(q: string): { nomination: Nomination; score: number }[] {
    const { movies, nominees, categories, nominations } = this.record;
    this.#indexes ??= [
      { index: indexOf(movies.map((it) => it.title)), textOf: (it) => it.movie },
      { index: indexOf(nominees.map((it) => it.name)), textOf: (it) => it.nominee },
      { index: indexOf(categories.map((it) => it.category_name)), textOf: (it) => it.category },
    ];
    let found = nominations.map((nomination) => ({ nomination, score: 0 }));
    for (const word of tokens(q)) {
      const hits = this.#indexes.map(({ index, textOf }) => {
        const scores = new Map(index.search(word).map(({ id, score }) => [id as string, score]));
        return (it: Nomination) => scores.get(textOf(it)) ?? 0;
      });
      found = found.flatMap(({ nomination, score }) => {
        const own = hits.reduce((sum, scoreOf) => sum + scoreOf(nomination), 0);
        return own === 0 ? [] : [{ nomination, score: score + own }];
      });
    }
    return found
      .map(({ nomination, score }) => ({ nomination, score: Math.round(score * 1e6) }))
      .sort((left, right) => right.score - left.score || left.nomination.id - right.nomination.id);
  }
}

interface IndexedText {
  id: string;
}

/** MiniSearch with its defaults over the distinct texts, and with the tokens of the oracle. */
export function indexOf(texts: readonly string[]): MiniSearch<IndexedText> {
  const index = new MiniSearch<IndexedText>({
    fields: ['id'],
    tokenize: (text) => tokens(text),
    processTerm: (term) => term,
    searchOptions: { prefix: (term) => characterCount(term) > 1 },
  });
  index.addAll([...new Set(texts)].map((id) => ({ id })));
  return index;
}

/** Correct because a PlainRecord never changes after loading. */
const views = new WeakMap<PlainRecord, View>();

export function viewOf(record: PlainRecord): View {
  const view = views.get(record) ?? new View(record);
  views.set(record, view);
  return view;
}
