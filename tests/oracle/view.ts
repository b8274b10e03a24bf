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
  #index: MiniSearch<Nomination> | undefined;

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

  /** The nominations that match a search and their scores, most relevant first; equal scores (to 1e-6) by id. */
  search(q: string): { nomination: Nomination; score: number }[] {
    this.#index ??= indexOf(this.record.nominations);
    return this.#index
      .search(q)
      .map((result) => ({ id: result.id as number, score: Math.round(result.score * 1e6) }))
      .sort((left, right) => right.score - left.score || left.id - right.id)
      .map(({ id, score }) => ({ nomination: this.find('nominations', id)!, score }));
  }
}

/** MiniSearch with its defaults, and the tokens of the oracle. */
function indexOf(nominations: readonly Nomination[]): MiniSearch<Nomination> {
  const index = new MiniSearch<Nomination>({
    fields: ['nominee', 'movie', 'category'],
    tokenize: (text) => tokens(text),
    processTerm: (term) => term,
    searchOptions: { prefix: (term) => characterCount(term) > 1, combineWith: 'AND' },
  });
  index.addAll(nominations);
  return index;
}

/** Correct because a PlainRecord never changes after loading. */
const views = new WeakMap<PlainRecord, View>();

export function viewOf(record: PlainRecord): View {
  const view = views.get(record) ?? new View(record);
  views.set(record, view);
  return view;
}
