/**
 * `npm run bench -- --against DIR`: this checkout side by side with another one, such as the commit before. Each is used only
 * through its command line and over HTTP, on a database that it filled itself. The two are measured in turns (ABAB …).
 */
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PlainRecord } from '../oracle/record.ts';
import { Checkout, project } from './checkout.ts';
import type { ServerChild } from './children.ts';
import { Client } from './client.ts';
import { editInTurns, Editor } from './editor.ts';
import { fastest, median, timed } from './figures.ts';
import { requestsOf, requestsPerSecond } from './http.ts';
import { addressOf, type BenchRequest, drawRequests, requestKinds } from './requests.ts';
import { type Part, type Row, row, type Section, spread } from './table.ts';
import { mainRecord, type Workplace } from './workplace.ts';

/** More than this is worse: 10 % slower, or 10 % fewer requests a second. */
const notSlower = { maxRatio: 1.1 };
const notFewer = { minRatio: 0.9 };

/** Label → kind of request. */
const queries = {
  list: 'nominations combined',
  search: 'search',
  ranking: 'top-movies over years',
  'record page': 'record pages',
};

interface Side {
  checkout: Checkout;
  database: string;
  /** The folder that its "build" made. */
  out: string;
}

type Both<T> = [ours: T, theirs: T];

interface Run {
  sides: Both<Side>;
  /** How the table names the other checkout. */
  rival: string;
  record: PlainRecord;
  workplace: Workplace;
  quick: boolean;
}

async function both<T, R>(sides: Both<T>, work: (side: T) => Promise<R>): Promise<Both<R>> {
  return [await work(sides[0]), await work(sides[1])];
}

/** Measures one side and then the other, round by round. */
async function inTurns<T>(
  sides: Both<T>,
  rounds: number,
  measure: (side: T, round: number) => Promise<number>,
): Promise<Both<number[]>> {
  const taken: Both<number[]> = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const [ours, theirs] = await both(sides, (side) => measure(side, round));
    taken[0].push(ours);
    taken[1].push(theirs);
  }
  return taken;
}

/** Milliseconds of both, as one figure each or as spreads. */
const times = (what: string, rival: string, [ours, theirs]: Both<Parameters<typeof row>[0]['ours']>): Row =>
  row({ what, ours, rival, theirs, unit: 'ms', goal: notSlower });

const p95 = (values: readonly number[]) => spread(values, 0.95);

async function makeRun(folder: string, workplace: Workplace, quick: boolean): Promise<Run> {
  const other = new Checkout(resolve(folder));
  const modules = [project, other].map(({ root }) => realpathSync(join(root, 'node_modules')));
  if (modules[0] === modules[1])
    process.stderr.write(
      ' shared node_modules: each full build makes the site anew, as only one is kept there;',
    );
  const sides = await both([project, other], async (checkout): Promise<Side> => {
    const database = workplace.newPath('awards.db');
    const out = workplace.newPath('snapshot');
    await checkout.run([...mainRecord, '--db', database]);
    await checkout.build(database, out);
    return { checkout, database, out };
  });
  return { sides, rival: folder, record: (await workplace.main()).record(), workplace, quick };
}

async function buildRows({ sides, rival, workplace, quick }: Run): Promise<Row[]> {
  const build = async (what: string, ...options: string[]) => {
    const [ours, theirs] = await inTurns(sides, quick ? 1 : 5, async ({ checkout, database }) => {
      const out = workplace.newPath('built');
      return (await checkout.build(database, out, ...options)).elapsed;
    });
    return times(what, rival, [fastest(ours), fastest(theirs)]);
  };
  return [await build('full build'), await build('full build without downloads', '--no-downloads')];
}

async function unchangedRows({ sides, rival, quick }: Run): Promise<Row[]> {
  const [ours, theirs] = await inTurns(sides, quick ? 3 : 15, async ({ checkout, database, out }) => {
    const { elapsed, report } = await checkout.build(database, out);
    if (report.scope !== 'nothing') throw new Error(`${checkout.root} built again: ${report.scope}`);
    return elapsed;
  });
  return [times('build with nothing changed', rival, [median(ours), median(theirs)])];
}

/** Services that only read: they start without a database. */
const serveReading = ({ checkout, out }: Side, { workplace }: Run) =>
  checkout.serve(workplace.newPath('none.db'), out);

/** The first answer of a new service. */
async function coldRows(run: Run): Promise<Row[]> {
  const rounds = run.quick ? 2 : 9;
  const rows: Row[] = [];
  for (const [label, requests] of requestsByLabel(run.record, rounds)) {
    const [ours, theirs] = await inTurns(run.sides, rounds, async (side, round) => {
      const server = await serveReading(side, run);
      const client = new Client(server.origin);
      // Not an answer of the resolver: opens the connection.
      await client.get('/none');
      const elapsed = await latency(client, requests[round]!);
      client.close();
      await server.stop();
      return elapsed;
    });
    rows.push(times(`${label}: first answer of a new service`, run.rival, [median(ours), median(theirs)]));
  }
  return rows;
}

/** Each address is asked for once, so that no answer comes from a cache. */
async function warmRows(run: Run): Promise<Row[]> {
  const [warmUps, count] = run.quick ? [20, 100] : [200, 1000];
  const servers = await both(run.sides, (side) => serveReading(side, run));
  const clients = await both(servers, async ({ origin }) => new Client(origin));
  const rows: Row[] = [];
  for (const [label, requests] of requestsByLabel(run.record, warmUps + count)) {
    const measured = await inTurns(clients, requests.length, (client, i) => latency(client, requests[i]!));
    const [ours, theirs] = measured.map((taken) => p95(taken.slice(warmUps)));
    const what = `${label}: ${requests.length - warmUps} different addresses, median / p95`;
    rows.push(times(what, run.rival, [ours!, theirs!]));
  }
  await both(servers, (server) => server.stop());
  return rows;
}

function requestsByLabel(record: PlainRecord, count: number): [label: string, requests: BenchRequest[]][] {
  const kinds = new Map(requestKinds(record).map((kind) => [kind.name, kind]));
  return Object.entries(queries).map(([label, kind]) => [label, drawRequests(kinds.get(kind)!, count)]);
}

async function latency(client: Client, request: BenchRequest): Promise<number> {
  const { value, elapsed } = await timed(() => client.get(addressOf(request)));
  if (value.status !== 200) throw new Error(`${addressOf(request)}: status ${value.status}`);
  return elapsed;
}

async function rateRows(run: Run): Promise<Row[]> {
  const [rounds, duration] = run.quick ? [1, 0.5] : [5, 2];
  const requests = requestsOf(run.record, ['record pages'], 20_000);
  const servers = await both(run.sides, (side) => serveReading(side, run));
  const rate = ({ origin }: ServerChild) => requestsPerSecond(origin, requests, duration);
  await both(servers, rate);
  const [ours, theirs] = (await inTurns(servers, rounds, rate)).map(median);
  await both(servers, (server) => server.stop());
  const what = 'record pages, 32 connections';
  return [row({ what, ours: ours!, rival: run.rival, theirs: theirs!, unit: '/s', goal: notFewer })];
}

async function patchRows({ sides, rival, record, quick }: Run): Promise<Row[]> {
  const services = await both(sides, async ({ checkout, database, out }) => {
    const key = await checkout.createKey(database, 'bench');
    return { ...(await checkout.serve(database, out)), key };
  });
  const [first, second] = await both(services, async ({ origin, key }) => new Editor(origin, key));
  const edits = quick ? 40 : 200;
  const taken = await editInTurns('title', edits, { editor: first, record }, { editor: second, record });
  await both(services, (service) => service.stop());
  const [ours, theirs] = taken.map(({ made }) => p95(made.map(({ shown }) => shown)));
  const what = `PATCH of a title to the end of the GET that shows it, ${edits} times, median / p95`;
  return [times(what, rival, [ours!, theirs!])];
}

const parts: Record<string, { title: string; rows: (run: Run) => Promise<Row[]> }> = {
  build: { title: 'full build, the whole command (fastest of 5 rounds; --quick: 1)', rows: buildRows },
  unchanged: { title: 'build, the whole command (median of 15 rounds; --quick: 3)', rows: unchangedRows },
  cold: { title: 'reading over HTTP, cold (median of 9 services; --quick: 2)', rows: coldRows },
  warm: { title: 'reading over HTTP, warm', rows: warmRows },
  rate: { title: 'requests a second (median of 5 rounds of 2 s; --quick: 1 of 0.5 s)', rows: rateRows },
  // Last, as it changes the record.
  patch: { title: 'writing over HTTP', rows: patchRows },
};

/** The parts of the bench that compare this checkout with the one in a folder. */
export function againstParts(folder: string): Record<string, Part> {
  let run: Promise<Run> | undefined;
  const ofPart = ([name, { title, rows }]: [string, (typeof parts)[string]]): [string, Part] => [
    name,
    {
      title: `${title}, against ${folder}`,
      rows: async (workplace, quick) => {
        run ??= makeRun(folder, workplace, quick);
        return rows(await run);
      },
    },
  ];
  return Object.fromEntries(Object.entries(parts).map(ofPart));
}

export function verdict(entries: readonly (Row | Section)[]): string {
  const worse = entries.filter((entry) => 'what' in entry && entry.met === false) as Row[];
  if (worse.length === 0) return 'Nothing is worse by more than 10 %.';
  return ['Worse by more than 10 %:', ...worse.map(({ what }) => `- ${what}`)].join('\n');
}
