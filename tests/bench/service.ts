/** What building, starting and writing cost, and what another reader feels of abuse. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { comparedWith, figure, median, type Row, spread, timed } from './figures.ts';
import {
  type Checkout,
  project,
  read,
  runTask,
  type Server,
  startTask,
  type Workplace,
} from './processes.ts';
import { addressOf, drawEdits, type Edit, requestsOf, uncachedAddress } from './requests.ts';

/**
 * Full builds, in process and as a command, and plain writing of the files of each, in turns: each in a new process into a new
 * folder. The fastest round of each counts: other load on the machine and its disk only ever adds time.
 */
export async function buildRows(workplace: Workplace, isQuick: boolean): Promise<Row[]> {
  const database = await workplace.database();
  const builds: [what: string, build: (out: string) => Promise<number>][] = [
    ['full build, in process', (out) => runTask('build', { database, out })],
    [
      'full build without downloads, the whole command',
      (out) => project.build(database, out, '--no-downloads'),
    ],
  ];
  const rows: Row[] = [];
  for (const [what, build] of builds) {
    const rounds: { building: number; writing: number; files: number }[] = [];
    for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
      const out = workplace.newPath('built');
      const building = await build(out);
      const { elapsed, files } = await runTask('write', { from: out, to: workplace.newPath('written') });
      rounds.push({ building, writing: elapsed, files });
    }
    const fastest = (of: 'building' | 'writing') => Math.min(...rounds.map((round) => round[of]));
    const compared = comparedWith(`plain writing of its ${figure(rounds[0]!.files)} files`, 's');
    rows.push(compared(what, fastest('building'), fastest('writing'), { maxRatio: 1.5 }));
  }
  return rows;
}

/** From the start of the process to its first answer. */
export async function firstAnswer(start: () => Promise<Server>, address: string): Promise<number> {
  let server: Server | undefined;
  const elapsed = await timed(async () => {
    server = await start();
    await read(server.origin + address);
  });
  await server!.stop();
  return elapsed;
}

export async function startRows(workplace: Workplace, isQuick: boolean): Promise<Row[]> {
  const [database, out] = [workplace.copy(await workplace.database()), workplace.newPath('snapshot')];
  await project.build(database, out);
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < (isQuick ? 1 : 5); round += 1) {
    ours.push(await firstAnswer(() => project.serve(database, out), '/api/movies?title=er'));
    bare.push(await firstAnswer(() => startTask('serveBare', { bytes: 1000 }), '/'));
  }
  const compared = comparedWith('bare node:http through the same loader', 'ms');
  return [compared('serve, from its start to its first answer', median(ours), median(bare), { max: 3000 })];
}

/** Milliseconds from sending an edit to the last byte of the GET after it. @throws Error unless both show it */
export async function shown(service: Server & { key: string }, { path, body }: Edit): Promise<number> {
  const address = service.origin + path;
  const headers = { 'Content-Type': 'application/json', 'x-api-key': service.key };
  // Opens the connection.
  await read(address);
  const texts: string[] = [];
  const elapsed = await timed(async () => {
    texts.push(await read(address, { method: 'PATCH', headers, body: JSON.stringify(body) }));
    texts.push(await read(address));
  });
  for (const text of texts)
    if (JSON.parse(text).title !== body.title) throw new Error(`PATCH ${path} does not show: ${text}`);
  return elapsed;
}

/** Edits before any counts. */
export const warmUps = 40;

/** The service with writing, on a copy of a database. */
export async function serveWriting(checkout: Checkout, database: string, out: string) {
  const key = await checkout.createKey(database);
  return { ...(await checkout.serve(database, out)), key };
}

/** PATCH of a title to the end of the GET that shows it. */
export async function writingRows(workplace: Workplace, isQuick: boolean): Promise<Row[]> {
  const database = workplace.copy(await workplace.database());
  const service = await serveWriting(project, database, workplace.newPath('snapshot'));
  const [edits, gets]: [number[], number[]] = [[], []];
  try {
    for (const edit of drawEdits(await workplace.record(), isQuick ? 80 : 240)) {
      edits.push(await shown(service, edit));
      gets.push(await timed(() => read(service.origin + edit.path)));
    }
  } finally {
    await service.stop();
  }
  const [own, alone] = [edits, gets].map((times) => spread(times.slice(warmUps), 0.95));
  const what = `PATCH of a title to the end of its GET, ${edits.length - warmUps} times, median / p95`;
  return [comparedWith('that GET once more', 'ms')(what, own!, alone!, { max: 15, maxTail: 80 })];
}

/** Peak of the resident memory of a process in bytes; NaN where there is no /proc. */
function peakOf(pid: number): number {
  const file = `/proc/${pid}/status`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(text)?.[1] ?? Number.NaN) * 1024;
}

/** Another reader while clients ask for addresses that are in no cache, each of them once. */
export async function abuseRows(workplace: Workplace, isQuick: boolean): Promise<Row[]> {
  const count = isQuick ? 20_000 : 200_000;
  const service = await project.serve(workplace.newPath('none.db'), await workplace.tree());
  const addresses = requestsOf(await workplace.record(), '', 400).map(addressOf);
  let sent = 0;
  /** One request after another until some work is done. @returns milliseconds of each */
  const readDuring = async (work: Promise<unknown>) => {
    const waits: number[] = [];
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      sent += 1;
      waits.push(await timed(() => read(service.origin + addresses[sent % addresses.length]!)));
      await pause(5);
    }
    await done;
    return spread(waits, 0.99);
  };
  try {
    const alone = await readDuring(pause(3000));
    const uncached = Array.from({ length: count }, (_, at) => uncachedAddress(at));
    const load = { origin: service.origin, connections: 64, addresses: uncached, niceness: 10 };
    const during = await readDuring(runTask('load', load));
    const peak = peakOf(service.pid);
    return [
      comparedWith('without abuse', 'ms')(
        `${figure(count)} GETs of uncached addresses on 64 connections, median / p99 of another reader`,
        during,
        alone,
        { max: 100, maxTail: 500 },
      ),
      comparedWith('limit', 'MB')('… peak resident memory', peak, 400 * 2 ** 20, { max: 400 }),
    ];
  } finally {
    await service.stop();
  }
}
