/**
 * The whole service over HTTP: requests a second against the SQL alternative, and against a server that does nothing. Our
 * service keeps the answers it gave lately, so each kind is measured twice: as it serves, and with no answer kept.
 */
import { defaultLimit } from '../../api/contract/parameters.ts';
import { type ServerChild, startServer } from './children.ts';
import { figure, median } from './figures.ts';
import { requestsPerSecond } from './load.ts';
import { requestKinds } from './request-kinds.ts';
import { addressOf, type BenchRequest, drawRequests, request } from './requests.ts';
import { expectSameAnswers } from './sameness.ts';
import type { Row } from './table.ts';
import type { Workplace, World } from './workplace.ts';

export interface HttpEffort {
  rounds: number;
  /** Seconds of each measurement. */
  duration: number;
}

/** Different addresses of a kind, at the most. */
const maxAddresses = 20_000;

interface Comparison {
  what: string;
  kinds: readonly string[];
  /** The requests, where they are not drawn from those kinds. */
  requests?: (world: World) => BenchRequest[];
  rival: 'bare' | 'sql';
  /** How many times as fast ours should be. */
  least: number | undefined;
}

const comparisons: readonly Comparison[] = [
  { what: 'record page', kinds: ['record pages'], rival: 'bare', least: 0.6 },
  { what: 'record page', kinds: ['record pages'], rival: 'sql', least: undefined },
  {
    what: 'page of an unfiltered list',
    kinds: ['unfiltered list pages'],
    requests: everyDefaultPage,
    rival: 'sql',
    least: 6,
  },
  { what: 'the same at any limit', kinds: ['unfiltered list pages'], rival: 'sql', least: undefined },
  {
    what: 'partial-match list with total',
    kinds: [
      'nominations by nominee part',
      'nominations by movie part',
      'movies by title part',
      'nominees by name part',
    ],
    rival: 'sql',
    least: 8,
  },
  { what: 'search', kinds: ['search'], rival: 'sql', least: 3 },
  {
    what: 'ranking over years',
    kinds: ['top-movies over years', 'top-nominees over years'],
    rival: 'sql',
    least: 10,
  },
];

const rivalNames = { bare: 'bare node:http, a prebuilt buffer', sql: 'Fastify + better-sqlite3' };

export async function httpRows(workplace: Workplace, effort: HttpEffort): Promise<Row[]> {
  const main = await workplace.main();
  const ours = await startServer('child-serve-snapshot.ts', { tree: await main.tree() });
  const forgetful = await startServer('child-serve-snapshot.ts', { tree: await main.tree(), answerBytes: 0 });
  const sql = await startServer('sql-service.ts', { file: main.sqlDatabase() });
  const bytes = await meanSize(ours, requestsOf(main, ['record pages'], 200));
  const bare = await startServer('child-serve-bare.ts', { bytes });
  try {
    const rows: Row[] = [];
    for (const comparison of comparisons) {
      const requests = comparison.requests?.(main) ?? requestsOf(main, comparison.kinds, maxAddresses);
      const rival = comparison.rival === 'sql' ? sql : bare;
      if (rival === sql) await expectSameAnswers(requests.slice(0, 60), answersOf(ours), answersOf(rival));
      rows.push(...(await compare(comparison, requests, { ours, forgetful, rival }, effort)));
    }
    return rows;
  } finally {
    for (const server of [ours, forgetful, sql, bare]) await server.stop();
  }
}

/** Every page of the paginated lists at the default limit. */
function everyDefaultPage(world: World): BenchRequest[] {
  const record = world.record();
  return (['nominations', 'movies', 'nominees', 'songs'] as const).flatMap((resource) =>
    Array.from({ length: Math.ceil(record[resource].length / defaultLimit) }, (_, i) =>
      request(`/api/${resource}`, { page: i + 1 }),
    ),
  );
}

/** Different requests of some kinds in turn. */
function requestsOf(world: World, names: readonly string[], count: number): BenchRequest[] {
  const kinds = requestKinds(world.record()).filter((kind) => names.includes(kind.name));
  const drawn = kinds.map((kind) => drawRequests(kind, Math.ceil(count / kinds.length)));
  const longest = Math.max(...drawn.map((requests) => requests.length));
  return Array.from({ length: longest }, (_, i) => drawn.flatMap((requests) => requests[i] ?? [])).flat();
}

async function compare(
  { what, rival, least }: Comparison,
  requests: readonly BenchRequest[],
  servers: Record<'ours' | 'forgetful' | 'rival', ServerChild>,
  { rounds, duration }: HttpEffort,
): Promise<Row[]> {
  const taken = { ours: [] as number[], forgetful: [] as number[], rival: [] as number[] };
  const names = ['ours', 'rival', 'forgetful'] as const;
  for (const name of names) await requestsPerSecond(servers[name].origin, requests, duration);
  for (let round = 0; round < rounds; round += 1)
    for (const name of names)
      taken[name].push(await requestsPerSecond(servers[name].origin, requests, duration));
  const row = (name: string, rate: number, goal: number | undefined): Row => ({
    what: name,
    ours: `${figure(rate)}/s`,
    rival: rivalNames[rival],
    figure: `${figure(median(taken.rival))}/s`,
    ratio: rate / median(taken.rival),
    goal: goal === undefined ? '' : `≥ ${goal} ×`,
    met: goal === undefined ? undefined : rate / median(taken.rival) >= goal,
  });
  return [
    row(`${what}, ${figure(requests.length)} addresses`, median(taken.ours), least),
    row('… no answer kept', median(taken.forgetful), undefined),
  ];
}

const answersOf = (server: ServerChild) => async (asked: BenchRequest) => {
  const response = await fetch(server.origin + addressOf(asked));
  return response.ok ? response.text() : undefined;
};

async function meanSize(server: ServerChild, requests: readonly BenchRequest[]): Promise<number> {
  let bytes = 0;
  for (const asked of requests) bytes += Buffer.byteLength((await answersOf(server)(asked)) ?? '');
  return Math.round(bytes / requests.length);
}
