/**
 * The types of the client: what each address takes and answers, by the tables and schemas of the contract.
 */
import type {
  Address,
  Addresses,
  AddressOf,
  FieldAt,
  ParameterAt,
  ParameterValue,
  ValueAt,
} from '../contract/addresses.ts';
import type * as Answers from '../contract/answers.ts';
import type { ResourceName, WritableResource } from '../contract/names.ts';
import type { ParameterName, parameters } from '../contract/parameters.ts';
import type { Details, EntryCounts, Honor, Nomination, RecordOf } from '../contract/resources.ts';
import type * as Routes from '../contract/routes.ts';

export type {
  BatchResult,
  ChangeIndex,
  ChangeList,
  ChangesAnswer,
  CountsList,
  Download,
  DownloadIndex,
  FilmListIndex,
  ListedFilm,
  ListOf,
  MovieByImdb,
  NomineeByImdb,
  PageOf,
  Pagination,
  RankingOf,
  ReceiptDocument,
  ReceiptList,
  ReleaseIndex,
  SearchResult,
} from '../contract/answers.ts';

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** The paths of an address. */
type PathOf<A> = A extends `${infer Start}{id}` ? `${Start}${number}` : A;
/** The address of a path. */
type At<P, A = Address> = A extends Address ? (P extends PathOf<A> ? A : never) : never;
/** The plain files beside the API, each with its document. */
interface Files {
  '/downloads/index.json': Answers.DownloadIndex;
  '/downloads/releases.json': Answers.ReleaseIndex;
  '/changes/index.json': Answers.ChangeIndex;
  '/lists/index.json': Answers.FilmListIndex;
  '/by-imdb/index.json': Answers.ByImdbIndex;
}
/** The addresses of lists. */
export type ListPath = PathOf<AddressOf<'list' | 'search'>>;
/** The addresses of documents. */
export type ReadPath =
  | PathOf<Exclude<Address, AddressOf<'batch'>>>
  | keyof Files
  | `/lists/${string}.json`
  | `/changes/${string}.json`
  | `/by-imdb/${string}.json`;

// With `string`, the names in a query stay literals.
export type Include<P> = ValueAt<'include', At<P>> & string;
export type Field<P> = FieldAt<At<P>> & string;
type Parameter<P> = Exclude<ParameterAt<At<P>>, 'include' | 'fields' | 'sort' | 'format' | 'bom'>;
/** The parameters that must be sent. */
type Needed = {
  [N in ParameterName]: (typeof parameters)[N] extends { required: unknown } ? N : never;
}[ParameterName];

/** The query of an address. @typeParam I what to include @typeParam F the names in `fields` */
export type Query<P, I = Include<P>, F = Field<P>> = {
  readonly [N in Exclude<Parameter<P>, Needed>]?: ParameterValue<N> | undefined;
} & { readonly [N in Parameter<P> & Needed]: ParameterValue<N> } & {
  readonly include?: readonly I[] | undefined;
  readonly fields?: readonly F[] | undefined;
  readonly sort?: ValueAt<'sort', At<P>> | undefined;
};

export interface SignalOption {
  signal?: AbortSignal | undefined;
}
export interface ReadOptions<T> extends SignalOption {
  /**
   * The document of an earlier read. If it is still current, the service answers 304 and the read returns
   * this object.
   */
  known?: T | undefined;
}
export interface WriteOptions extends SignalOption {
  /**
   * The write fails unless the record still has this ETag: `etagOf` its page, or `etag` of the last write.
   */
  ifMatch?: string | undefined;
}

/** The nominations that a record embeds. @typeParam I the values of `include` */
type Embedded<I> = ('details' extends I ? Nomination & { details: Details } : Nomination)[];
/** What `include` adds to a record, by its keys; details of other records are those of their nominations. */
interface Includable<I> {
  details: Details;
  nominations: Embedded<I>;
  counts: EntryCounts;
  film_year: number | null;
  film_years: string | null;
  honors: Honor[];
  other_names: string[];
}
/** The members that `include` adds to a record. */
type Added<R extends ResourceName, I> = Pick<
  Includable<I>,
  ((R extends 'nominations' ? I : Exclude<I, 'details'>) | ('film_year' extends I ? 'film_years' : never)) &
    keyof Includable<I>
>;
/** The members of a record that `fields` names; all of them for `never`. */
type Selected<T, F> = [F] extends [never] ? T : Pick<T, F & keyof T>;
type WithData<List, T> = Omit<List, 'data'> & { data: T[] };

/** A record of a list. */
export type Listed<P, I = never, F = never> = P extends ListPath ? ListedOf<ResourceAt<P>, I, F> : never;
type ListedOf<R extends ResourceName, I, F> = Selected<RecordOf[R] & Added<R, I>, F>;
/** The resource of the records at a path. */
type ResourceAt<P> = Addresses[At<P>] extends { resource: infer R extends ResourceName } ? R : never;
/**
 * The document at an address.
 * @typeParam I the values of `include`
 * @typeParam F the names in `fields`; never for all members
 */
export type DocumentAt<P, I = never, F = never> =
  At<P> extends never
    ? FileAt<P>
    : At<P> extends AddressOf<'list' | 'search'>
      ? WithData<Answers.AnswerAt<At<P>>, Listed<P, I, F>>
      : At<P> extends AddressOf<'record'>
        ? PageDocument<ResourceAt<P>, I, F>
        : Answers.AnswerAt<At<P>>;
type FileAt<P> = P extends keyof Files
  ? Files[P]
  : P extends `/by-imdb/${string}`
    ? Answers.MovieByImdb | Answers.NomineeByImdb
    : P extends `/changes/${string}`
      ? Answers.ChangeList
      : Answers.ListedFilm[];
type PageDocument<R extends ResourceName, I, F> = Selected<
  Omit<Answers.PageOf[R], keyof Includable<I>> &
    (Answers.PageOf[R] extends { nominations: unknown } ? { nominations: Embedded<I> } : unknown) &
    Added<R, Exclude<I, 'nominations'>>,
  F
>;

/** Resource → the required fields of a new record. */
export interface RequiredFieldOf {
  nominations: 'id' | 'ceremony_id' | 'category_id' | 'movie_id' | 'nominee_id';
  ceremonies: 'ceremony_year';
  movies: 'title';
  nominees: 'name';
  songs: 'original_title';
  honors: 'ceremony_id' | 'category' | 'recipients';
}
/** Only nominations have details. */
type DetailsOf<R, D> = R extends 'nominations' ? { readonly details?: D } : unknown;
/** The fields of a new record: the required ones, and any others. */
export type NewRecord<R extends WritableResource> = Partial<RecordOf[R]> &
  Pick<RecordOf[R], RequiredFieldOf[R] & keyof RecordOf[R]> &
  DetailsOf<R, Partial<Details> | null>;
type OrNull<T> = { readonly [F in keyof T]?: T[F] | null };
/** The fields to change. null removes a value. */
export type RecordChange<R extends WritableResource> = OrNull<RecordOf[R]> &
  DetailsOf<R, OrNull<Details> | null>;
/** A record as a write returns it: with details if the write has some. */
export type WrittenRecord<R extends WritableResource> = RecordOf[R] & DetailsOf<R, Details>;
/** A write of a batch: a new record, a change, or a deletion. */
export type BatchWrite = {
  [R in WritableResource]:
    | { method: 'POST'; path: Routes.ListPath<R>; body: NewRecord<R> }
    | { method: 'PATCH'; path: Routes.RecordPath<R>; body: RecordChange<R>; if_match?: string | undefined }
    | { method: 'DELETE'; path: Routes.RecordPath<R>; if_match?: string | undefined };
}[WritableResource];

/** The outcome of a write. */
export interface Written<T> {
  /** The record after the write. */
  record: T;
  /** The ETag of the record's page; undefined until a snapshot contains the write. */
  etag: string | undefined;
  /** The id of the receipt; undefined if the write changed nothing. */
  receipt: number | undefined;
  /** The snapshot that contains the write; undefined until it exists. */
  snapshot: string | undefined;
}
