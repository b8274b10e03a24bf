/** The typed client, `film-awards/client`, over HTTP or over a snapshot. */
export type { ResourceName, WritableResource } from '../contract/names.ts';
export type { Fault, ProblemCode } from '../contract/problems.ts';
export type { Category, Ceremony, Details, EntryCounts, Honor } from '../contract/resources.ts';
export type { Movie, Nomination, Nominee, RecordOf, Song } from '../contract/resources.ts';
export type { RankingName } from '../contract/addresses.ts';
export type { CountKey } from '../contract/parameters.ts';
export { fetchSource, type Source } from '../read/source.ts';
export { Resolver } from '../read/resolve.ts';
export { ApiProblem, type Client, type ClientOptions, createClient, etagOf } from './client.ts';
export { snapshotFetch } from './snapshot-fetch.ts';
export type * from './types.ts';
