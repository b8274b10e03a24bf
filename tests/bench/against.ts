/**
 * `npm run bench -- --against DIR`: this checkout side by side with another one, such as the commit before. Each is used only
 * through its command line and over HTTP, on a database that it filled itself. The two are measured in turns (ABAB …).
 * Each needs a node_modules folder of its own: the built site is cached there, and a shared cache keeps only the last one.
 */
import { resolve } from 'node:path';
import type { Target } from '../../api/contract/target.ts';
import type { PlainRecord } from '../oracle/record.ts';
import { Checkout, project } from './checkout.ts';
import type { ServerChild } from './children.ts';
import { Client } from './client.ts';
import { Editor, editInTurns, type Made } from './editor.ts';
import { fastest, median, timed } from './figures.ts';
import { requestsOf, requestsPerSecond } from './http.ts';
import { addressOf, drawRequests, requestKinds } from './requests.ts';
import { comparedWith, type Measure, type Part, p95, type Row, type Section } from './table.ts';
import { mainRecord, type Workplace } from './workplace.ts';

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
  /** The folder of the other checkout. */
  rival: string;
  record: PlainRecord;
  workplace: Workplace;
  quick: boolean;
}

async function both<T, R>(sides: Both<T>, work: (side: T) => Promise<R>): Promise<Both<R>> {
  return [await work(sides[0]), await work(sides[1])];
}

type Measuring<T> = (side: T, round: number) => Promise<number>;

/** Measures one side and then the other, round by round. */
async function inTurns<T>(sides: Both<T>, rounds: number, measure: Measuring<T>): Promise<Both<number[]>> {
  const taken: Both<number>[] = [];
  for (let round = 0; round < rounds; round += 1)
    taken.push(await both(sides, (side) => measure(side, round)));
  return [taken.map(([ours]) => ours), taken.map(([, theirs]) => theirs)];
}

type Summary = (values: readonly number[]) => Measure;

/** @param taken milliseconds of both sides */
function timesRow(run: Run, what: string, taken: Both<number[]>, summary: Summary): Row {
  return comparedWith(run.rival, 'ms')(what, summary(taken[0]), summary(taken[1]), { maxRatio: 1.1 });
}

async function makeRun(rival: string, workplace: Workplace, quick: boolean): Promise<Run> {
  const other = new Checkout(resolve(rival));
  const sides = await both([project, other], async (checkout): Promise<Side> => {
    const database = workplace.newPath('awards.db');
    const out = workplace.newPath('snapshot');
    await checkout.run([...mainRecord, '--db', database]);
    await checkout.build(database, out);
    return { checkout, database, out };
  });
  return { sides, rival, record: (await workplace.main()).record(), workplace, quick };
}

async function buildRows(run: Run): Promise<Row[]> {
  const build = async (what: string, ...options: string[]) => {
    const taken = await inTurns(run.sides, run.quick ? 1 : 5, async ({ checkout, database }) => {
      const out = run.workplace.newPath('built');
      return (await checkout.build(database, out, ...options)).elapsed;
    });
    return timesRow(run, what, taken, fastest);
  };
  return [await build('full build'), await build('full build without downloads', '--no-downloads')];
}

async function unchangedRows(run: Run): Promise<Row[]> {
  const taken = await inTurns(run.sides, run.quick ? 3 : 15, async ({ checkout, database, out }) => {
    const { elapsed, report } = await checkout.build(database, out);
    if (report.scope !== 'nothing') throw new Error(`${checkout.root} built again: ${report.scope}`);
    return elapsed;
  });
  return [timesRow(run, 'build with nothing changed', taken, median)];
}

/** A service that only reads: there is no database. */
const serveReading = ({ checkout, out }: Side, { workplace }: Run) =>
  checkout.serve(workplace.newPath('none.db'), out);

/** The first answer of a new service. */
async function coldRows(run: Run): Promise<Row[]> {
  const rounds = run.quick ? 2 : 9;
  const rows: Row[] = [];
  for (const [label, requests] of requestsByLabel(run.record, rounds)) {
    const taken = await inTurns(run.sides, rounds, async (side, round) => {
      const server = await serveReading(side, run);
      const client = new Client(server.origin);
      // Opens the connection; the resolver does not answer it.
      await client.get('/none');
      const elapsed = await latency(client, requests[round]!);
      client.close();
      await server.stop();
      return elapsed;
    });
    rows.push(timesRow(run, `${label}: first answer of a new service`, taken, median));
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
    const taken = await inTurns(clients, requests.length, (client, i) => latency(client, requests[i]!));
    const what = `${label}: ${requests.length - warmUps} different addresses, median / p95`;
    rows.push(timesRow(run, what, taken, (values) => p95(values.slice(warmUps))));
  }
  await both(servers, (server) => server.stop());
  return rows;
}

function requestsByLabel(record: PlainRecord, count: number): [label: string, requests: Target[]][] {
  const kinds = new Map(requestKinds(record).map((kind) => [kind.name, kind]));
  return Object.entries(queries).map(([label, kind]) => [label, drawRequests(kinds.get(kind)!, count)]);
}

async function latency(client: Client, request: Target): Promise<number> {
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
  const [ours, theirs] = await inTurns(servers, rounds, rate);
  await both(servers, (server) => server.stop());
  const compared = comparedWith(run.rival, '/s');
  return [compared('record pages, 32 connections', median(ours), median(theirs), { minRatio: 0.9 })];
}

async function patchRows(run: Run): Promise<Row[]> {
  const services = await both(run.sides, async ({ checkout, database, out }) => {
    const key = await checkout.createKey(database, 'bench');
    return { ...(await checkout.serve(database, out)), key };
  });
  const edits = run.quick ? 40 : 200;
  const sides = services.map(({ origin, key }) => ({ editor: new Editor(origin, key), record: run.record }));
  const [ours, theirs] = await editInTurns('title', edits, ...sides);
  await both(services, (service) => service.stop());
  const what = `PATCH of a title to the end of the GET that shows it, ${edits} times, median / p95`;
  const shown = (made: Made[]) => made.map((edit) => edit.shown);
  return [timesRow(run, what, [shown(ours!), shown(theirs!)], p95)];
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
  let made: Promise<Run> | undefined;
  const withRun = ({ title, rows }: (typeof parts)[string]): Part => ({
    title: `${title}, against ${folder}`,
    async rows(workplace, quick) {
      made ??= makeRun(folder, workplace, quick);
      return rows(await made);
    },
  });
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, withRun(part)]));
}

export function verdict(entries: readonly (Row | Section)[]): string {
  const worse = entries.flatMap((entry) => ('met' in entry && entry.met === false ? `- ${entry.what}` : []));
  return ['Worse by more than 10 %:', ...(worse.length > 0 ? worse : ['nothing'])].join('\n');
}
