/** All operations as methods of one object. */
import type { ListOf, PageOf, RankingOf } from '../contract/answers.ts';
import type { ResourceName, WritableResource } from '../contract/names.ts';
import type { RankingName } from '../contract/routes.ts';
import * as api from './operations.ts';
import type { ReadOptions, Transport } from './requests.ts';

export type Client = ReturnType<typeof createClient>;

type SignalOption = Pick<ReadOptions, 'signal'>;

/** @param transport `httpTransport(…)` or `snapshotTransport(…)` */
export function createClient(transport: Transport) {
  return {
    list: <R extends ResourceName>(resource: R, query?: api.ListQuery<R>, options?: ReadOptions<ListOf[R]>) =>
      api.list(transport, resource, query, options),
    listAll: <R extends ResourceName>(resource: R, query?: api.ListAllQuery<R>, options?: SignalOption) =>
      api.listAll(transport, resource, query, options),
    read: <R extends ResourceName>(resource: R, id: number, options?: ReadOptions<PageOf[R]>) =>
      api.read(transport, resource, id, options),
    search: (query: api.SearchQuery, options?: Parameters<typeof api.search>[2]) =>
      api.search(transport, query, options),
    searchAll: (query: Omit<api.SearchQuery, 'page'>, options?: SignalOption) =>
      api.searchAll(transport, query, options),
    ranking: <K extends RankingName>(
      name: K,
      query?: api.RankingQuery<K>,
      options?: ReadOptions<RankingOf[K]>,
    ) => api.ranking(transport, name, query, options),
    receipts: (query?: Parameters<typeof api.receipts>[1], options?: SignalOption) =>
      api.receipts(transport, query, options),
    receipt: (id: number, options?: SignalOption) => api.receipt(transport, id, options),
    downloads: (options?: Parameters<typeof api.downloads>[1]) => api.downloads(transport, options),
    description: (options?: Parameters<typeof api.description>[1]) => api.description(transport, options),
    create: <R extends WritableResource>(resource: R, record: api.NewRecord<R>, options?: SignalOption) =>
      api.create(transport, resource, record, options),
    update: <R extends WritableResource>(
      resource: R,
      id: number,
      change: api.RecordChange<R>,
      options?: api.WriteOptions,
    ) => api.update(transport, resource, id, change, options),
  };
}
