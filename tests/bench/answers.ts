/** What answers cost: in process and over HTTP beside SQL and a bare server, and cold in Deno. */
import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../../api/contract/target.ts';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { deno, noDeno, startDeno } from '../conformance/deno.ts';
import { startStaticHost } from '../conformance/static-host.ts';
import { fileURLToPath } from 'node:url';
import { comparedWith, figure, median, percentile, type Row, timed } from './figures.ts';
import { read, type Server, runTask, startTask, type Workplace } from './processes.ts';
import { addressOf, drawRequests, requestKinds, requestsOf } from './requests.ts';
import { SqlAnswers } from './sql.ts';

/** Milliseconds: the median and the 99th percentile. */
const warmGoal = { max: 0.4, maxTail: 2 };
const searchGoal = { max: 0.5, maxTail: 5 };
/** CPU milliseconds of the thread. */
const coldGoal = { max: 25 };

type Answer = (request: Target) => Promise<string | undefined>;

/** @throws Error naming the first request that both do not answer with the same document */
async function expectSame(requests: readonly Target[], ours: Answer, theirs: Answer): Promise<void> {
  for (const request of requests) {
    const [own, other] = [await ours(request), await theirs(request)].map((text) =>
      JSON.parse(text ?? 'null'),
    );
    // FTS5 ranks differently, so only the number of results is compared.
    const [left, right] = request.path === '/api/search' ? [own.pagination, other.pagination] : [own, other];
    if (!isDeepStrictEqual(left, right)) throw new Error(`different answers to ${addressOf(request)}`);
  }
}

/** Ours, which keeps no answers, and SQL answer the requests of each kind in turns. */
export async function warmRows(workplace: Workplace, isQuick: boolean): Promise<Row[]> {
  const [count, rounds] = isQuick ? [300, 2] : [2000, 5];
  const source = fileSource(await workplace.tree());
  const resolver = new Resolver(source, { digest: nodeDigest, answerBytes: 0 });
  const sql = new SqlAnswers(await workplace.sqlDatabase());
  const ours = async (request: Target) => (await resolver.answer({ method: 'GET', ...request })).body!;
  const theirs = async (request: Target) => Buffer.from(sql.answer(request.path, request.queryString)!);
  const rows: Row[] = [];
  for (const kind of requestKinds(await workplace.record())) {
    await expectSame(
      drawRequests(kind, 200, 2),
      async (request) => new TextDecoder().decode(await ours(request)),
      async (request) => (await theirs(request)).toString(),
    );
    const requests = drawRequests(kind, count);
    const taken: [number[][], number[][]] = [[], []];
    for (let round = 0; round < rounds; round += 1)
      for (const [side, answer] of [ours, theirs].entries()) {
        const times: number[] = [];
        for (const request of requests.filter((_, at) => at % rounds === round))
          times.push(await timed(() => answer(request)));
        taken[side]!.push(times);
      }
    // The tail is that of the median round, so that one pause of the machine does not count.
    const [own, other] = taken.map((all) => ({
      median: median(all.flat()),
      tail: median(all.map((round) => percentile(round, 0.99))),
    }));
    const goal = kind.name === 'search' ? searchGoal : warmGoal;
    rows.push(
      comparedWith('SQL in process', 'ms')(`${kind.name}, ${requests.length} requests`, own!, other!, goal),
    );
  }
  sql.close();
  return rows;
}

/** The first request of an edge function, over a host of plain files. */
export async function coldRows(workplace: Workplace, isQuick: boolean): Promise<Row[]> {
  if (!deno) {
    process.stderr.write(` ${noDeno};`);
    return [];
  }
  const host = await startStaticHost(await workplace.tree());
  const script = fileURLToPath(new URL('deno-edge.ts', import.meta.url));
  const rows: Row[] = [];
  for (const kind of requestKinds(await workplace.record())) {
    const times: { thread: number; all: number }[] = [];
    for (const request of drawRequests(kind, isQuick ? 1 : 3, 3)) {
      // With every permission: Deno shows /proc with nothing less.
      const { line, stop } = await startDeno(script, [host.origin, addressOf(request)], ['--allow-all']);
      await stop();
      times.push(JSON.parse(line));
    }
    const [thread, all] = [median(times.map((it) => it.thread)), median(times.map((it) => it.all))];
    rows.push(comparedWith('all threads, with network and GC', 'ms')(kind.name, thread, all, coldGoal));
  }
  await host.stop();
  return rows;
}

/** Words in the names of kinds of requests → the rival, and the least ratio to it. */
const rates: [words: string, rival: 'bare' | 'sql', minRatio: number][] = [
  ['record page', 'bare', 0.6],
  ['unfiltered list', 'sql', 6],
  ['a part of', 'sql', 8],
  ['search', 'sql', 3],
  ['ranking', 'sql', 10],
];

/** Requests a second. Our service keeps its latest answers, so it is measured twice: as it serves, and with no answer kept. */
export async function httpRows(workplace: Workplace, isQuick: boolean): Promise<Row[]> {
  const [rounds, duration] = isQuick ? [1, 1] : [3, 2];
  const tree = await workplace.tree();
  const record = await workplace.record();
  const answerOf =
    ({ origin }: Server): Answer =>
    (request) =>
      read(origin + addressOf(request));
  const ours = await startTask('serve', { tree });
  const pages = await Promise.all(requestsOf(record, 'record page', 200).map(answerOf(ours)));
  const bytes = Math.round(Buffer.byteLength(pages.join('')) / pages.length);
  const servers = {
    ours,
    uncached: await startTask('serve', { tree, answerBytes: 0 }),
    bare: await startTask('serveBare', { bytes }),
    sql: await startTask('serveSql', { file: await workplace.sqlDatabase() }),
  };
  const rows: Row[] = [];
  try {
    for (const [words, rival, minRatio] of rates) {
      const requests = requestsOf(record, words, 20_000);
      if (rival === 'sql') await expectSame(requests.slice(0, 60), answerOf(ours), answerOf(servers.sql));
      const addresses = requests.map(addressOf);
      const rate = async (name: keyof typeof servers, seconds: number) =>
        runTask('load', { origin: servers[name].origin, connections: 32, addresses, duration: seconds });
      // Warms up: long enough for our service to keep the answers, which it does at the second request.
      for (const name of ['ours', 'uncached', rival] as const)
        await rate(name, name === 'ours' ? 4 * duration : duration);
      const taken: Record<string, number[]> = { ours: [], uncached: [], [rival]: [] };
      for (let round = 0; round < rounds; round += 1)
        for (const name of ['ours', rival, 'uncached'] as const)
          taken[name]!.push(await rate(name, duration));
      const theirs = median(taken[rival]!);
      const compared = comparedWith(
        { bare: 'bare node:http, one buffer', sql: 'Fastify + better-sqlite3' }[rival],
        '/s',
      );
      rows.push(
        compared(`${words}, ${figure(addresses.length)} addresses`, median(taken.ours!), theirs, {
          minRatio,
        }),
        compared('… no answer kept', median(taken.uncached!), theirs),
      );
    }
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
  return rows;
}
