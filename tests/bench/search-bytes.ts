/** What a search reads when nothing is loaded, compressed as a CDN would send it. */
import { brotliCompressSync, constants } from 'node:zlib';
import { fileSource } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import type { Source } from '../../api/read/source.ts';
import { indexOf } from '../oracle/view.ts';
import { Choices } from '../support/random.ts';
import { mixedQueries } from './search-queries.ts';
import { comparedWith, p95, type Row } from './table.ts';
import type { Workplace } from './workplace.ts';

export async function searchBytesRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const main = await workplace.main();
  const record = main.record();
  const draw = mixedQueries(record);
  const choices = new Choices(4);
  const source = counting(fileSource(await main.tree()));
  const bytes: number[] = [];
  for (let i = 0; i < (quick ? 120 : 480); i += 1) {
    const queryString = `q=${encodeURIComponent(draw(choices))}&limit=100`;
    await new Resolver(source).answer({ method: 'GET', path: '/api/search', queryString });
    bytes.push(source.takeBytes());
  }
  const texts = [
    record.movies.map(({ title }) => title),
    record.nominees.map(({ name }) => name),
    record.categories.map(({ category_name }) => category_name),
  ];
  const wholeIndex = compressedSize(Buffer.from(JSON.stringify(texts.map(indexOf))));
  return [
    comparedWith('the whole MiniSearch indexes', 'KB')(
      'all files of a search, median / p95',
      p95(bytes),
      wholeIndex,
      { max: { median: 180, tail: 200 } },
    ),
  ];
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
