/** What the oracle prepares once for each record: lookups by id, folded texts, the search index on first use. */
import type { Category, Ceremony, Movie, Nominee, Song } from '../../api/contract/resources.ts';
import { byId, type PlainRecord } from './record.ts';
import { RelevanceIndex } from './relevance.ts';
import { fold, tokens } from './text.ts';

export class View {
  readonly record: PlainRecord;
  readonly ceremonyById: ReadonlyMap<number, Ceremony>;
  readonly movieById: ReadonlyMap<number, Movie>;
  readonly nomineeById: ReadonlyMap<number, Nominee>;
  readonly categoryById: ReadonlyMap<number, Category>;
  readonly songById: ReadonlyMap<number, Song>;
  readonly #folded = new Map<string, string>();
  readonly #tokens = new Map<string, string[]>();
  #relevance: RelevanceIndex | undefined;

  constructor(record: PlainRecord) {
    this.record = record;
    this.ceremonyById = byId(record.ceremonies);
    this.movieById = byId(record.movies);
    this.nomineeById = byId(record.nominees);
    this.categoryById = byId(record.categories);
    this.songById = byId(record.songs);
  }

  /** fold(), remembered: the same few thousand texts are folded for every query. */
  folded(text: string): string {
    const known = this.#folded.get(text);
    if (known !== undefined) return known;
    const folded = fold(text);
    this.#folded.set(text, folded);
    return folded;
  }

  /** tokens(), remembered likewise. */
  tokens(text: string): readonly string[] {
    const known = this.#tokens.get(text);
    if (known !== undefined) return known;
    const words = tokens(text);
    this.#tokens.set(text, words);
    return words;
  }

  get relevance(): RelevanceIndex {
    this.#relevance ??= new RelevanceIndex(this.record.nominations);
    return this.#relevance;
  }
}

/** Correct because a PlainRecord is never changed after loading; it goes when its record goes. */
const views = new WeakMap<PlainRecord, View>();

export function viewOf(record: PlainRecord): View {
  let view = views.get(record);
  if (view === undefined) {
    view = new View(record);
    views.set(record, view);
  }
  return view;
}
