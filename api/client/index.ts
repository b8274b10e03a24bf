/** The typed client, `film-awards/client`: over HTTP, or over a snapshot with no service at all. What is not used is not bundled. */
export type {
  ListOf,
  PageOf,
  Pagination,
  RankingOf,
  ReceiptDocument,
  ReceiptList,
  SearchResult,
} from '../contract/answers.ts';
export type { Download, DownloadIndex } from '../contract/download-index.ts';
export type { ResourceName, WritableResource } from '../contract/names.ts';
export type { Fault, ProblemCode } from '../contract/problems.ts';
export type {
  Category,
  Ceremony,
  Movie,
  Nomination,
  Nominee,
  RecordOf,
  Song,
} from '../contract/resources.ts';
export type { RankingName } from '../contract/routes.ts';
export { type Client, createClient } from './client.ts';
export { etagOf, type ReadOptions } from './documents.ts';
export { type HttpOptions, httpTransport } from './http-transport.ts';
export { ApiProblem } from './problem.ts';
export {
  description,
  downloads,
  type ListQuery,
  list,
  listAll,
  type RankingQuery,
  ranking,
  read,
  receipt,
  receipts,
  type SearchQuery,
  search,
  searchAll,
} from './reading.ts';
export { fetchSource, Resolver, type Source, snapshotTransport } from './snapshot-transport.ts';
export type { ClientAnswer, ClientRequest, Transport } from './transport.ts';
export {
  create,
  type NewRecord,
  type RecordChange,
  type RequiredFieldOf,
  update,
  type WriteOptions,
  type Written,
} from './writing.ts';
