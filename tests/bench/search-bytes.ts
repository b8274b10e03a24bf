/** What a search reads when nothing is loaded, compressed as a CDN would send it; and that it finds what brute force finds. */
import { brotliCompressSync, constants } from 'node:zlib';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { fileSource } from '../../api/hosts/file-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import type { Source } from '../../api/read/source.ts';
import { bruteForceMatches } from '../oracle/brute-force.ts';
import { kilobytes, median, percentile } from './figures.ts';
import { miniSearchText } from './minisearch-index.ts';
import { Choices } from './random.ts';
import { searchQueries } from './search-queries.ts';
import type { Row } from './table.ts';
import type { Workplace } from './workplace.ts';

const limits = { median: 3 * 1024, worst: 8.5 * 1024 };

export async function searchBytesRows(workplace: Workplace, count: number): Promise<Row[]> {
  const main = await workplace.main();
  const record = main.record();
  const kinds = searchQueries(record);
  const choices = new Choices(4);
  const source = new CountingSource(fileSource(await main.tree()));
  const reads: Read[] = [];
  for (const [kind, draw] of kinds)
    for (let i = 0; i * kinds.size < count; i += 1) {
      const q = draw(choices);
      source.paths = new Set();
      const found = await foundBy(source, q);
      reads.push({ kind, ...source.sizes(), right: sameIds(found, bruteForceMatches(record, q)) });
    }
  return rowsOf(reads, [...kinds.keys()], compressedSize(Buffer.from(miniSearchText(record))));
}

function rowsOf(reads: readonly Read[], kinds: readonly string[], monolith: number): Row[] {
  const row = (what: string, sizes: number[], goal = '', met?: boolean): Row => ({
    what: `${what}, median / p95`,
    ours: `${kilobytes(median(sizes))} / ${kilobytes(percentile(sizes, 0.95))}`,
    rival: 'the whole MiniSearch index',
    figure: kilobytes(monolith),
    ratio: median(sizes) / monolith,
    goal,
    met,
  });
  const search = reads.map((read) => read.search);
  const inLimits = median(search) <= limits.median && percentile(search, 0.95) <= limits.worst;
  const wrong = reads.filter((read) => !read.right).length;
  return [
    row('search shards and their head', search, '≤ 3 / 8.5 KB', inLimits),
    ...kinds.map((kind) =>
      row(
        `… ${kind}`,
        reads.filter((read) => read.kind === kind).map((read) => read.search),
      ),
    ),
    row(
      'search shards, their head and the manifest',
      reads.map((read) => read.search + read.manifest),
    ),
    row(
      'the display text, read once',
      reads.map((read) => read.display),
    ),
    {
      what: 'queries with another result than brute force',
      ours: String(wrong),
      rival: 'all queries',
      figure: String(reads.length),
      ratio: wrong / reads.length,
      goal: '0',
      met: wrong === 0,
    },
  ];
}

/** Ids of everything found, by a fresh resolver, page by page. */
async function foundBy(source: Source, q: string): Promise<number[]> {
  const resolver = new Resolver(source, { digest: nodeDigest });
  const ids: number[] = [];
  for (let page = 1, more = true; more; page += 1) {
    const queryString = `q=${encodeURIComponent(q)}&limit=100&page=${page}`;
    const { body } = await resolver.answer({ method: 'GET', path: '/api/search', queryString });
    const { data, pagination } = JSON.parse(new TextDecoder().decode(body!)) as {
      data: { id: number }[];
      pagination: { hasNextPage: boolean };
    };
    ids.push(...data.map((nomination) => nomination.id));
    more = pagination.hasNextPage;
  }
  return ids;
}

function sameIds(found: number[], expected: readonly number[]): boolean {
  found.sort((a, b) => a - b);
  return found.length === expected.length && found.every((id, i) => id === expected[i]);
}

/** Compressed bytes read for one query. */
interface Sizes {
  search: number;
  manifest: number;
  display: number;
}

interface Read extends Sizes {
  kind: string;
  /** Whether it found what brute force finds. */
  right: boolean;
}

/** Notes which files are read; the compressed size of each is worked out once. */
class CountingSource implements Source {
  paths = new Set<string>();
  readonly #source: Source;
  readonly #sizes = new Map<string, number>();

  constructor(source: Source) {
    this.#source = source;
  }

  async manifest(): Promise<Uint8Array | undefined> {
    return this.#note(manifestPath, await this.#source.manifest());
  }

  async shard(path: string): Promise<Uint8Array | undefined> {
    return this.#note(path, await this.#source.shard(path));
  }

  sizes(): Sizes {
    const read: Sizes = { search: 0, manifest: 0, display: 0 };
    for (const path of this.paths) {
      const family =
        path === manifestPath ? 'manifest' : /^shards\/(search|terms)\//.test(path) ? 'search' : 'display';
      read[family] += this.#sizes.get(path)!;
    }
    return read;
  }

  #note(path: string, bytes: Uint8Array | undefined): Uint8Array | undefined {
    this.paths.add(path);
    if (bytes && !this.#sizes.has(path)) this.#sizes.set(path, compressedSize(bytes));
    return bytes;
  }
}

const compressedSize = (bytes: Uint8Array): number =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
