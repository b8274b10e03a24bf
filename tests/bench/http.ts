/**
 * The service over HTTP: requests a second against the SQL alternative, and against a server that does nothing. Our service
 * keeps its latest answers, so each kind is measured twice: as it serves, and with no answer kept.
 */
import autocannon from 'autocannon';
import type { Target } from '../../api/contract/target.ts';
import { defaultLimit } from '../../api/contract/parameters.ts';
import type { PlainRecord } from '../oracle/record.ts';
import { analysisKinds } from './analysis-requests.ts';
import { type ServerChild, startServer } from './children.ts';
import { figure, median } from './figures.ts';
import { addressOf, drawRequests, request, requestKinds } from './requests.ts';
import { expectSameAnswers } from './sameness.ts';
import { comparedWith, type Row } from './table.ts';
import type { Workplace } from './workplace.ts';

const connections = 32;
/** Different addresses of a kind. */
const maxAddresses = 20_000;

interface Comparison {
  what: string;
  kinds: readonly string[];
  /** Replaces the requests of those kinds. */
  requests?: (record: PlainRecord) => Target[];
  rival: 'bare' | 'sql';
  /** The ratio to reach. */
  minRatio: number;
}

const partialMatches = [
  'nominations by nominee part',
  'nominations by movie part',
  'movies by title part',
  'nominees by name part',
];
const rankings = ['top-movies over years', 'top-nominees over years'];
const sortedLists = ['nominations sorted', 'movies sorted', 'nominees sorted', 'songs sorted'];

const comparisons: readonly Comparison[] = [
  { what: 'record page', kinds: ['record pages'], rival: 'bare', minRatio: 0.6 },
  { what: 'page of an unfiltered list', kinds: [], requests: everyDefaultPage, rival: 'sql', minRatio: 6 },
  { what: 'partial-match list with total', kinds: partialMatches, rival: 'sql', minRatio: 8 },
  { what: 'search', kinds: ['search'], rival: 'sql', minRatio: 3 },
  { what: 'ranking over years', kinds: rankings, rival: 'sql', minRatio: 10 },
  { what: 'sorted list', kinds: sortedLists, rival: 'sql', minRatio: 8 },
  { what: 'counts', kinds: ['counts of filtered nominations'], rival: 'sql', minRatio: 8 },
  { what: '25 films, embedded', kinds: ['movies with nominations and counts'], rival: 'sql', minRatio: 8 },
];

const rivalNames = { bare: 'bare node:http, a prebuilt buffer', sql: 'Fastify + better-sqlite3' };

export async function httpRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const main = await workplace.main();
  const tree = await main.tree();
  const record = main.record();
  const ours = await startServer('child-serve.ts', { tree });
  const uncached = await startServer('child-serve.ts', { tree, answerBytes: 0 });
  const sql = await startServer('sql-service.ts', { file: main.sqlDatabase() });
  const bytes = await meanSize(ours, requestsOf(record, ['record pages'], 200));
  const bare = await startServer('child-serve.ts', { bytes });
  try {
    const rows: Row[] = [];
    for (const comparison of comparisons) {
      const requests = comparison.requests?.(record) ?? requestsOf(record, comparison.kinds, maxAddresses);
      const rival = { sql, bare }[comparison.rival];
      if (rival === sql) await expectSameAnswers(requests.slice(0, 60), answersOf(ours), answersOf(sql));
      rows.push(...(await compare(comparison, requests, { ours, rival, uncached }, quick)));
    }
    return rows;
  } finally {
    for (const server of [ours, uncached, sql, bare]) await server.stop();
  }
}

/** Every page of the paginated lists at the default limit. */
function everyDefaultPage(record: PlainRecord): Target[] {
  return (['nominations', 'movies', 'nominees', 'songs'] as const).flatMap((resource) =>
    Array.from({ length: Math.ceil(record[resource].length / defaultLimit) }, (_, i) =>
      request(`/api/${resource}`, { page: i + 1 }),
    ),
  );
}

/** Up to `count` different requests of some kinds in turn. */
export function requestsOf(record: PlainRecord, names: readonly string[], count: number): Target[] {
  const all = [...requestKinds(record), ...analysisKinds(record)];
  const kinds = all.filter((kind) => names.includes(kind.name));
  const drawn = kinds.map((kind) => drawRequests(kind, Math.ceil(count / kinds.length)));
  const length = Math.max(...drawn.map((requests) => requests.length));
  return Array.from({ length }, (_, i) => drawn.flatMap((requests) => requests[i] ?? [])).flat();
}

async function compare(
  { what, rival, minRatio }: Comparison,
  requests: readonly Target[],
  servers: Record<'ours' | 'rival' | 'uncached', ServerChild>,
  quick: boolean,
): Promise<Row[]> {
  const [rounds, duration] = quick ? [1, 0.5] : [3, 2];
  const names = ['ours', 'rival', 'uncached'] as const;
  const rates = { ours: [] as number[], rival: [] as number[], uncached: [] as number[] };
  // The first round only warms up: long enough for our service to keep the answers, which it does at the second request.
  for (let round = 0; round <= rounds; round += 1)
    for (const name of names) {
      const seconds = round === 0 && name === 'ours' ? 4 * duration : duration;
      const rate = await requestsPerSecond(servers[name].origin, requests, seconds);
      if (round > 0) rates[name].push(rate);
    }
  const compared = comparedWith(rivalNames[rival], '/s');
  const label = `${what}, ${figure(requests.length)} addresses`;
  const theirs = median(rates.rival);
  return [
    compared(label, median(rates.ours), theirs, { minRatio }),
    compared('… no answer kept', median(rates.uncached), theirs),
  ];
}

/**
 * Load by autocannon from this process: all connections busy, each with addresses of its own in turn.
 * @param duration seconds
 * @throws Error unless everything is answered with 2xx
 */
export function requestsPerSecond(
  origin: string,
  requests: readonly Target[],
  duration: number,
): Promise<number> {
  const shares: { path: string }[][] = Array.from({ length: connections }, () => []);
  for (const [i, asked] of requests.entries()) shares[i % connections]!.push({ path: addressOf(asked) });
  return new Promise((resolve, reject) => {
    let start = performance.now();
    const instance = autocannon(
      {
        url: origin,
        connections,
        duration,
        // It reads the clock only at the end of a sample.
        sampleInt: 50,
        setupClient: (client) => client.setRequests(shares.pop()!),
      },
      (error, { requests: answered, errors, timeouts, non2xx }) => {
        if (error) reject(error);
        else if (errors + timeouts + non2xx > 0)
          reject(new Error(`${origin}: ${errors} errors, ${timeouts} timeouts, ${non2xx} not 2xx`));
        else resolve((answered.total / (performance.now() - start)) * 1000);
      },
    );
    // It prepares the requests before it starts.
    instance.on('start', () => {
      start = performance.now();
    });
  });
}

const answersOf = (server: ServerChild) => async (asked: Target) => {
  const response = await fetch(server.origin + addressOf(asked));
  return response.ok ? response.text() : undefined;
};

async function meanSize(server: ServerChild, requests: readonly Target[]): Promise<number> {
  let bytes = 0;
  for (const asked of requests) bytes += Buffer.byteLength((await answersOf(server)(asked)) ?? '');
  return Math.round(bytes / requests.length);
}
