/** What a search reads when nothing is loaded, compressed as a CDN would send it; and that it finds what the oracle finds. */
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Source } from '../../api/read/source.ts';
import { expectedAnswer } from '../oracle/oracle.ts';
import type { PlainRecord } from '../oracle/record.ts';
import { folderSource, resolverOf } from './internals.ts';
import { searchIndex } from './minisearch-index.ts';
import { Choices } from './random.ts';
import { searchQueries } from './search-queries.ts';
import { comparedWith, p95, type Row } from './table.ts';
import type { Workplace } from './workplace.ts';

interface Read {
  kind: string;
  /** Compressed bytes of all files that the query reads. */
  bytes: number;
  isRight: boolean;
}

export async function searchBytesRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const main = await workplace.main();
  const record = main.record();
  const kinds = searchQueries(record);
  const perKind = (quick ? 120 : 480) / kinds.size;
  const choices = new Choices(4);
  const source = counting(folderSource(await main.tree()));
  const reads: Read[] = [];
  for (const [kind, draw] of kinds)
    for (let i = 0; i < perKind; i += 1) {
      const q = draw(choices);
      const isRight = isDeepStrictEqual(await foundBy(source, q), expectedIds(record, q));
      reads.push({ kind, bytes: source.takeBytes(), isRight });
    }
  return rowsOf(reads, [...kinds.keys()], compressedSize(Buffer.from(searchIndex(record))));
}

function rowsOf(reads: readonly Read[], kinds: readonly string[], wholeIndex: number): Row[] {
  const compared = comparedWith('the whole MiniSearch index', 'KB');
  const all = p95(reads.map((read) => read.bytes));
  const ofKind = (kind: string) => p95(reads.filter((read) => read.kind === kind).map((read) => read.bytes));
  const wrong = reads.filter((read) => !read.isRight).length;
  return [
    compared('all files of a search, median / p95', all, wholeIndex, { max: { median: 150, tail: 160 } }),
    ...kinds.map((kind) => compared(`… ${kind}, median / p95`, ofKind(kind), wholeIndex)),
    comparedWith('all queries', '')('queries with another result than the oracle', wrong, reads.length, {
      max: 0,
    }),
  ];
}

/** Ids of everything that a new resolver finds, page by page. */
async function foundBy(source: Source, q: string): Promise<number[]> {
  const resolver = resolverOf(source);
  const ids: number[] = [];
  for (let page = 1, more = true; more; page += 1) {
    const queryString = `q=${encodeURIComponent(q)}&limit=100&page=${page}`;
    const { body } = await resolver.answer({ method: 'GET', path: '/api/search', queryString });
    const { data, pagination } = JSON.parse(new TextDecoder().decode(body!)) as {
      data: { id: number }[];
      pagination: { hasNextPage: boolean };
    };
    ids.push(...data.map(({ id }) => id));
    more = pagination.hasNextPage;
  }
  return ids;
}

/** Ids of everything that a search finds, in its order. */
function expectedIds(record: PlainRecord, q: string): number[] {
  const { body } = expectedAnswer(record, '/api/search', `q=${encodeURIComponent(q)}&format=ndjson`);
  const lines = String(body).split('\n').slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { id: number }).id);
}

/** A source that notes the path of each file it reads, and its compressed size. */
function counting(source: Source) {
  const read = new Set<string>();
  const sizes = new Map<string, number>();
  const note = (path: string, bytes: Uint8Array | undefined) => {
    read.add(path);
    if (bytes && !sizes.has(path)) sizes.set(path, compressedSize(bytes));
    return bytes;
  };
  return {
    file: async (path: string) => note(path, await source.file(path)),
    shard: async (path: string) => note(path, await source.shard(path)),
    /** The bytes of the files read since the last call. */
    takeBytes(): number {
      const bytes = [...read].reduce((sum, path) => sum + sizes.get(path)!, 0);
      read.clear();
      return bytes;
    },
  };
}

const compressedSize = (bytes: Uint8Array): number =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
