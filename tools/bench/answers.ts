/** What answers cost: in process and over HTTP beside SQL and a bare server, and cold in Deno. */
import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../../api/contract/target.ts';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { deno, noDeno, startDeno } from '../../tests/support/deno.ts';
import { startStaticHost } from '../../tests/support/static-host.ts';
import { fileURLToPath } from 'node:url';
import { comparedWith, figure, median, type Row, spread, timed } from './figures.ts';
import { read, runTask, startTask, type Workplace } from './processes.ts';
import { addressOf, drawRequests, requestKinds, requestsOf } from './requests.ts';
import { SqlAnswers } from './sql.ts';

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
    const taken: [number[], number[]] = [[], []];
    for (const request of drawRequests(kind, isQuick ? 300 : 2000))
      for (const [side, answer] of [ours, theirs].entries())
        taken[side]!.push(await timed(() => answer(request)));
    const [own, other] = taken.map((times) => spread(times, 0.99));
    rows.push(comparedWith('SQL in process', 'ms')(kind.name, own!, other!));
  }
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
    rows.push(comparedWith('all threads, with network and GC', 'ms')(kind.name, thread, all));
  }
  await host.stop();
  return rows;
}

/** The headers that our service adds to those of Node. A bare server that sends fewer is no floor. */
async function headersAt(address: string): Promise<Record<string, string>> {
  const { headers } = await fetch(address, { headers: { 'Accept-Encoding': 'identity' } });
  const ofNode = ['connection', 'date', 'keep-alive', 'content-length', 'content-type'];
  return Object.fromEntries([...headers].filter(([name]) => !ofNode.includes(name)));
}

/** Words in the names of kinds of requests, and the rival. */
const rates: [words: string, rival: 'bare' | 'sql'][] = [
  ['record page', 'bare'],
  ['unfiltered list', 'sql'],
  ['a part of', 'sql'],
  ['search', 'sql'],
  ['ranking', 'sql'],
];

/** Requests a second. Our service keeps its latest answers. */
export async function httpRows(workplace: Workplace, isQuick: boolean): Promise<Row[]> {
  const [rounds, duration] = isQuick ? [1, 1] : [3, 2];
  const tree = await workplace.tree();
  const record = await workplace.record();
  const ours = await startTask('serve', { tree });
  const pages = requestsOf(record, 'record page', 200).map((request) =>
    read(ours.origin + addressOf(request)),
  );
  const bytes = Buffer.byteLength((await Promise.all(pages)).join('')) / pages.length;
  const [firstPage] = requestsOf(record, 'record page', 1);
  const more = await headersAt(ours.origin + addressOf(firstPage!));
  const servers = {
    ours,
    bare: await startTask('serveBare', { bytes: Math.round(bytes), more }),
    sql: await startTask('serveSql', { file: await workplace.sqlDatabase() }),
  };
  const rows: Row[] = [];
  for (const [words, rival] of rates) {
    const addresses = requestsOf(record, words, 20_000).map(addressOf);
    const taken = {
      ours: [] as number[],
      uncached: [] as number[],
      bare: [] as number[],
      sql: [] as number[],
    };
    // The first round only warms up.
    for (let round = 0; round <= rounds; round += 1)
      for (const name of ['ours', rival] as const) {
        const { origin } = servers[name];
        // Long enough for our service to keep the answers, which it does at the second request.
        const seconds = round === 0 && name === 'ours' ? 4 * duration : duration;
        const rate = await runTask('load', { origin, connections: 32, addresses, duration: seconds });
        if (round > 0) taken[name].push(rate);
      }
    const name = rival === 'bare' ? 'bare node:http with the same headers' : 'Fastify + better-sqlite3';
    const compared = comparedWith(name, '/s');
    const what = `${words}, ${figure(addresses.length)} addresses`;
    rows.push(compared(what, median(taken.ours), median(taken[rival])));
  }
  for (const server of Object.values(servers)) await server.stop();
  return rows;
}
