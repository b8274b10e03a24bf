/**
 * `npm run bench -- --against DIR`: this checkout side by side with another one, such as the commit before. Each is used only
 * through its command line and over HTTP, on a database that it filled itself. The two are measured in turns (ABAB …).
 * Each needs a node_modules folder of its own: the built site is cached there.
 */
import { resolve } from 'node:path';
import { comparedWith, type Measure, median, type Row, spread, timed } from './figures.ts';
import { Checkout, project, read, runTask, type Server, type Workplace } from './processes.ts';
import { addressOf, drawEdits, requestsOf } from './requests.ts';
import { firstAnswer, serveWriting, shown, warmUps } from './service.ts';

interface Side {
  checkout: Checkout;
  database: string;
  /** The folder that its "build" made. */
  out: string;
}

interface Run {
  sides: readonly Side[];
  /** The folder of the other checkout. */
  rival: string;
  workplace: Workplace;
  isQuick: boolean;
}

async function makeRun(rival: string, workplace: Workplace, isQuick: boolean): Promise<Run> {
  const sides: Side[] = [];
  for (const checkout of [project, new Checkout(resolve(rival))]) {
    const [database, out] = [workplace.newPath('awards.db'), workplace.newPath('snapshot')];
    await checkout.run(...workplace.filling, '--db', database);
    await checkout.build(database, out);
    sides.push({ checkout, database, out });
  }
  return { sides, rival, workplace, isQuick };
}

/** Measures one side and then the other, round by round. */
async function inTurns<T>(
  sides: readonly T[],
  rounds: number,
  measure: (side: T, round: number) => Promise<number>,
): Promise<number[][]> {
  const taken = sides.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [at, side] of sides.entries()) taken[at]!.push(await measure(side, round));
  return taken;
}

function timesRow(run: Run, what: string, taken: number[][], summary: (values: number[]) => Measure): Row {
  const [ours, theirs] = taken.map(summary);
  return comparedWith(run.rival, 'ms')(what, ours!, theirs!);
}

async function buildRows(run: Run): Promise<Row[]> {
  const taken = await inTurns(run.sides, run.isQuick ? 1 : 5, ({ checkout, database }) =>
    checkout.build(database, run.workplace.newPath('built')),
  );
  return [timesRow(run, 'full build, the command, the fastest', taken, (values) => Math.min(...values))];
}

/** A service that only reads: there is no database. */
const serveReading = (run: Run, { checkout, out }: Side): Promise<Server> =>
  checkout.serve(run.workplace.newPath('none.db'), out);

async function startRows(run: Run): Promise<Row[]> {
  const taken = await inTurns(run.sides, run.isQuick ? 2 : 9, (side) =>
    firstAnswer(() => serveReading(run, side), '/api/movies?title=er'),
  );
  return [timesRow(run, 'serve, from its start to its first answer, median', taken, median)];
}

/** Each address is asked for once, so that no answer comes from a cache. */
async function readingRows(run: Run): Promise<Row[]> {
  const [warmUps, count, rounds, duration] = run.isQuick ? [20, 100, 1, 1] : [200, 1000, 5, 2];
  const record = await run.workplace.record();
  const servers: Server[] = [];
  for (const side of run.sides) servers.push(await serveReading(run, side));
  const rows: Row[] = [];
  for (const words of ['several filters', 'search', 'ranking', 'record page']) {
    const addresses = requestsOf(record, words, warmUps + count).map(addressOf);
    const taken = await inTurns(servers, addresses.length, ({ origin }, at) =>
      timed(() => read(origin + addresses[at]!)),
    );
    const what = `${words}: ${addresses.length - warmUps} different addresses, median / p95`;
    rows.push(timesRow(run, what, taken, (values) => spread(values.slice(warmUps), 0.95)));
  }
  const addresses = requestsOf(record, 'record page', 20_000).map(addressOf);
  const rate = ({ origin }: Server) => runTask('load', { origin, connections: 32, addresses, duration });
  for (const server of servers) await rate(server);
  const [ours, theirs] = await inTurns(servers, rounds, rate);
  for (const server of servers) await server.stop();
  const compared = comparedWith(run.rival, '/s');
  rows.push(compared('record pages, 32 connections', median(ours!), median(theirs!)));
  return rows;
}

async function writingRows(run: Run): Promise<Row[]> {
  const services: Awaited<ReturnType<typeof serveWriting>>[] = [];
  for (const { checkout, database, out } of run.sides)
    services.push(await serveWriting(checkout, database, out));
  const edits = drawEdits(await run.workplace.record(), run.isQuick ? 80 : 240);
  const taken = await inTurns(services, edits.length, (service, at) => shown(service, edits[at]!));
  for (const service of services) await service.stop();
  const what = `PATCH of a title to the end of its GET, ${edits.length - warmUps} times, median / p95`;
  return [timesRow(run, what, taken, (values) => spread(values.slice(warmUps), 0.95))];
}

/** Measures one part. Rounds are those of a full run; a quick one has fewer. */
export type Part = (workplace: Workplace, isQuick: boolean) => Promise<Row[]>;

/** The parts of the bench that compare this checkout with the one in a folder. */
export function againstParts(folder: string): Record<string, Part> {
  let made: Promise<Run> | undefined;
  const part = (rows: (run: Run) => Promise<Row[]>): Part => {
    return async (workplace, isQuick) => {
      made ??= makeRun(folder, workplace, isQuick);
      return rows(await made);
    };
  };
  // Writing is the last, as it changes the record.
  return {
    build: part(buildRows),
    start: part(startRows),
    http: part(readingRows),
    writing: part(writingRows),
  };
}

export function verdict(rows: readonly Row[]): string {
  const worse = rows.flatMap(({ loss, what }) => (loss > 1.1 ? `- ${what}` : []));
  return ['Worse by more than 10 %:', ...(worse.length > 0 ? worse : ['nothing'])].join('\n');
}
