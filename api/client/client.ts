/** All operations bound to one transport, for who wants them in one object. */
import type { ResourceName, WritableResource } from '../contract/names.ts';
import type { RankingName } from '../contract/routes.ts';
import type { ReadOptions } from './documents.ts';
import {
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
import type { Transport } from './transport.ts';
import { create, type NewRecord, type RecordChange, update, type WriteOptions } from './writing.ts';

export type Client = ReturnType<typeof createClient>;

type Stop = Pick<ReadOptions, 'signal'>;

/** @param transport `httpTransport(…)` or `snapshotTransport(…)` */
export function createClient(transport: Transport) {
  return {
    list: <R extends ResourceName>(
      resource: R,
      query?: ListQuery<R>,
      options?: Parameters<typeof list<R>>[3],
    ) => list(transport, resource, query, options),
    listAll: <R extends ResourceName>(
      resource: R,
      query?: Parameters<typeof listAll<R>>[2],
      options?: Stop,
    ) => listAll(transport, resource, query, options),
    read: <R extends ResourceName>(resource: R, id: number, options?: Parameters<typeof read<R>>[3]) =>
      read(transport, resource, id, options),
    search: (query: SearchQuery, options?: Parameters<typeof search>[2]) => search(transport, query, options),
    searchAll: (query: Omit<SearchQuery, 'page'>, options?: Stop) => searchAll(transport, query, options),
    ranking: <K extends RankingName>(
      name: K,
      query?: RankingQuery<K>,
      options?: Parameters<typeof ranking<K>>[3],
    ) => ranking(transport, name, query, options),
    receipts: (query?: Parameters<typeof receipts>[1], options?: Stop) => receipts(transport, query, options),
    receipt: (id: number, options?: Stop) => receipt(transport, id, options),
    downloads: (options?: Parameters<typeof downloads>[1]) => downloads(transport, options),
    description: (options?: Parameters<typeof description>[1]) => description(transport, options),
    create: <R extends WritableResource>(resource: R, record: NewRecord<R>, options?: Stop) =>
      create(transport, resource, record, options),
    update: <R extends WritableResource>(
      resource: R,
      id: number,
      change: RecordChange<R>,
      options?: WriteOptions,
    ) => update(transport, resource, id, change, options),
  };
}
