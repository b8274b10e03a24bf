/** The typed client, `film-awards/client`, over HTTP or over a snapshot. */
export type { BatchResult, CountsList, Download, DownloadIndex, FilmListIndex } from '../contract/answers.ts';
export type { ChangeIndex, ChangeList, ChangesAnswer, ReleaseIndex } from '../contract/answers.ts';
export type { ListedFilm, ListOf, MovieByImdb, NomineeByImdb } from '../contract/answers.ts';
export type { PageOf, Pagination, RankingOf } from '../contract/answers.ts';
export type { ReceiptDocument, ReceiptList, SearchResult } from '../contract/answers.ts';
export type { ResourceName, WritableResource } from '../contract/names.ts';
export type { Fault, ProblemCode } from '../contract/problems.ts';
export type { Category, Ceremony, Details, EntryCounts, Honor } from '../contract/resources.ts';
export type { Movie, Nomination, Nominee, RecordOf, Song } from '../contract/resources.ts';
export type { RankingName } from '../contract/addresses.ts';
export type { CountKey } from '../contract/parameters.ts';
export { fetchSource } from '../read/fetch-source.ts';
export { Resolver } from '../read/resolve.ts';
export type { Source } from '../read/source.ts';
export { ApiProblem, type Client, type ClientOptions, createClient, etagOf } from './client.ts';
export { snapshotFetch } from './snapshot-fetch.ts';
export type * from './types.ts';
