/** Texts by decisions.md, independent of api/contract/text.ts, and what the oracle looks up in a plain record. */
import type { Nomination, RecordOf } from '../../../api/contract/resources.ts';
import type { PlainRecord } from '../record.ts';

/** Canonical decomposition, combining marks removed, lower-cased. */
export function fold(text: string): string {
  let bare = '';
  for (const character of text.normalize('NFD')) if (!/^\p{M}$/u.test(character)) bare += character;
  return bare.toLowerCase();
}

/** Runs of letters and digits of the folded text, apostrophes dropped first; repeated words stay repeated. */
export function tokens(text: string): string[] {
  const words = [''];
  for (const character of fold(text)) {
    if (/^['\u2019\u02bc`]$/.test(character)) continue;
    if (/^[\p{L}\p{N}]$/u.test(character)) words.push(words.pop()! + character);
    else words.push('');
  }
  return words.filter((word) => word !== '');
}

/** Negative if the first text comes first by code points. */
export function byCodePoints(one: string, other: string): number {
  const [left, right] = [[...one], [...other]].map((all) => all.map((it) => it.codePointAt(0)!));
  const at = left!.findIndex((value, index) => value !== right![index]);
  if (at < 0) return left!.length - right!.length;
  return at < right!.length ? left![at]! - right![at]! : 1;
}

/** Length in characters, not in UTF-16 units. */
export const characterCount = (text: string): number => [...text].length;

export type Reference = 'movie_id' | 'nominee_id' | 'category_id' | 'song_id' | 'ceremony_id';

/** A record that never changes, with what is derived from it. */
export class View {
  readonly record: PlainRecord;
  readonly #made = new Map<string, unknown>();
  readonly #folded = new Map<string, string>();
  /** By the id of the film. */
  readonly #filmYears = new Map<number, readonly number[]>();

  constructor(record: PlainRecord) {
    this.record = record;
  }

  /** Derives a value at the first call with its name. */
  once<T>(name: string, derive: () => T): T {
    if (!this.#made.has(name)) this.#made.set(name, derive());
    return this.#made.get(name) as T;
  }

  folded(text: string): string {
    const folded = this.#folded.get(text) ?? fold(text);
    this.#folded.set(text, folded);
    return folded;
  }

  find<R extends keyof RecordOf>(resource: R, id: number): RecordOf[R] | undefined {
    const rows: readonly { id: number }[] = this.record[resource];
    const byId = this.once(`ids of ${resource}`, () => new Map(rows.map((row) => [row.id, row])));
    return byId.get(id) as RecordOf[R] | undefined;
  }

  /** A record that nominations refer to. */
  get<R extends keyof RecordOf>(resource: R, id: number): RecordOf[R] {
    return this.find(resource, id)!;
  }

  /** The nominations that refer to a record, ascending. */
  nominationsOf(reference: Reference, id: number): readonly Nomination[] {
    const groups = this.once(reference, () => {
      const made = new Map<number | null, Nomination[]>();
      for (const it of this.record.nominations)
        made.set(it[reference], [...(made.get(it[reference]) ?? []), it]);
      return made;
    });
    return groups.get(id) ?? [];
  }

  /** The years of the films of a ceremony as the source writes them. */
  filmYearsOf(ceremony: number): string {
    return (
      this.record.filmYears.get(ceremony) ??
      String(this.get('ceremonies', ceremony).ceremony_year - 1).padStart(4, '0')
    );
  }

  /** The same of the first ceremony of a film, by a nomination or a competitive honor; null without one. */
  filmYears(film: number): string | null {
    const competitive = this.record.honors.filter((it) => it.class === 'Competitive' && it.movie_id === film);
    const ceremonies = [...this.nominationsOf('movie_id', film), ...competitive].map((it) =>
      this.get('ceremonies', it.ceremony_id),
    );
    const [first] = ceremonies.sort((a, b) => a.ceremony_year - b.ceremony_year || a.id - b.id);
    return first ? this.filmYearsOf(first.id) : null;
  }

  /** Each of these years as a number: 1927 and 1928 of "1927/28". */
  eachFilmYear(film: number): readonly number[] {
    const years = this.#filmYears.get(film) ?? yearsNamed(this.filmYears(film));
    this.#filmYears.set(film, years);
    return years;
  }

  /** The last of these years. */
  filmYear(film: number): number | null {
    return this.eachFilmYear(film).at(-1) ?? null;
  }
}

/** "1927/28" names two years, "1999/00" ends in 2000. */
export function yearsNamed(text: string | null): number[] {
  const [first, second] = (text ?? '').split('/');
  if (!first) return [];
  const years = [Number(first)];
  if (second) {
    const candidates = Array.from({ length: 100 }, (_, after) => Number(first) + after);
    years.push(candidates.find((year) => String(year).padStart(4, '0').endsWith(second))!);
  }
  return years;
}

const views = new WeakMap<PlainRecord, View>();

export function viewOf(record: PlainRecord): View {
  const view = views.get(record) ?? new View(record);
  views.set(record, view);
  return view;
}
