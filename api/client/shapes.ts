/** The types of answers that depend on `include` and `fields`. */
import type { ListOf, PageOf, SearchResult } from '../contract/answers.ts';
import type { Details, EntryCounts, Nomination, RecordOf } from '../contract/resources.ts';
import type { ResourceName } from '../contract/names.ts';

/** The nominations that a record embeds. @typeParam I the values of `include` */
type Embedded<I> = ('details' extends I ? Nomination & { details: Details } : Nomination)[];

/** The members that `include` adds to a record. */
type Added<R extends ResourceName, I> = (R extends 'nominations'
  ? 'details' extends I
    ? { details: Details }
    : unknown
  : 'nominations' extends I
    ? { nominations: Embedded<I> }
    : unknown) &
  ('counts' extends I ? { counts: EntryCounts } : unknown);

/** The members of a record that `fields` names; all of them for `never`. */
type Selected<T, F> = [F] extends [never] ? T : Pick<T, F & keyof T>;

/** A record of a list. @typeParam I the values of `include` @typeParam F the names in `fields`; never for all members */
export type Listed<R extends ResourceName, I = never, F = never> = Selected<RecordOf[R] & Added<R, I>, F>;

/** One page of a list, or a list without pages. */
export type ListDocument<R extends ResourceName, I = never, F = never> = Omit<ListOf[R], 'data'> & {
  data: Listed<R, I, F>[];
};

/** One page of a search. */
export type SearchDocument<I = never, F = never> = Omit<SearchResult, 'data'> & {
  data: Listed<'nominations', I, F>[];
};

/** The page of a record. */
export type RecordDocument<R extends ResourceName, I = never, F = never> = Selected<
  Omit<PageOf[R], 'counts' | 'details' | 'nominations'> &
    (PageOf[R] extends { nominations: unknown } ? { nominations: Embedded<I> } : unknown) &
    Added<R, Exclude<I, 'nominations'>>,
  F
>;
