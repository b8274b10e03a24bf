/** A client object with all operations. A bundle of it has all of them. */
import {
  counts,
  description,
  downloads,
  exportList,
  exportSearch,
  filmList,
  filmLists,
  list,
  listAll,
  ranking,
  read,
  receipt,
  receipts,
  search,
  searchAll,
} from './reads.ts';
import type { Transport } from './requests.ts';
import { batch, create, remove, update } from './writes.ts';

export type Client = ReturnType<typeof createClient>;

/** All operations as methods of one object. @param transport `httpTransport(…)` or `snapshotTransport(…)` */
export function createClient(transport: Transport) {
  const bind =
    <Arguments extends unknown[], Result>(
      operation: (transport: Transport, ...rest: Arguments) => Result,
    ): ((...rest: Arguments) => Result) =>
    (...rest) =>
      operation(transport, ...rest);
  return {
    list: bind(list),
    listAll: bind(listAll),
    exportList: bind(exportList),
    read: bind(read),
    search: bind(search),
    searchAll: bind(searchAll),
    exportSearch: bind(exportSearch),
    ranking: bind(ranking),
    counts: bind(counts),
    receipts: bind(receipts),
    receipt: bind(receipt),
    downloads: bind(downloads),
    filmLists: bind(filmLists),
    filmList: bind(filmList),
    description: bind(description),
    create: bind(create),
    update: bind(update),
    remove: bind(remove),
    batch: bind(batch),
  };
}
