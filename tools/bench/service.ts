/** What building, starting and writing cost, and what another reader feels of abuse. */
import { copyFileSync, readFileSync } from 'node:fs';
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
 * Full builds and plain writing of the files of each, in turns: each in a new process into a new folder. The fastest round of each
 * counts: other load on the machine and its disk only ever adds time.
 */
export async function buildRows(workplace: Workplace, isQuick: boolean): Promise<Row[]> {
  const [building, writing]: [number[], number[]] = [[], []];
  let count = 0;
  for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
    const out = workplace.newPath('built');
    building.push(await project.build(await workplace.database(), out, '--no-downloads'));
    const { elapsed, files } = await runTask('write', { from: out, to: workplace.newPath('written') });
    writing.push(elapsed);
    count = files;
  }
  const compared = comparedWith(`plain writing of its ${figure(count)} files`, 's');
  return [compared('full build without downloads, the command', Math.min(...building), Math.min(...writing))];
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
  const [database, out] = [await workplace.database(), await workplace.tree()];
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < (isQuick ? 1 : 5); round += 1) {
    ours.push(await firstAnswer(() => project.serve(database, out), '/api/movies?title=er'));
    bare.push(await firstAnswer(() => startTask('serveBare', { bytes: 1000 }), '/'));
  }
  const compared = comparedWith('bare node:http through the same loader', 'ms');
  return [compared('serve, from its start to its first answer', median(ours), median(bare))];
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
  const database = workplace.newPath('awards.db');
  copyFileSync(await workplace.database(), database);
  const service = await serveWriting(project, database, workplace.newPath('snapshot'));
  const [edits, gets]: [number[], number[]] = [[], []];
  for (const edit of drawEdits(await workplace.record(), isQuick ? 80 : 240)) {
    edits.push(await shown(service, edit));
    gets.push(await timed(() => read(service.origin + edit.path)));
  }
  await service.stop();
  const [own, alone] = [edits, gets].map((times) => spread(times.slice(warmUps), 0.95));
  const what = `PATCH of a title to the end of its GET, ${edits.length - warmUps} times, median / p95`;
  return [comparedWith('that GET once more', 'ms')(what, own!, alone!)];
}

/** Peak of the resident memory of a process in bytes, by /proc. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** Another reader while clients ask for addresses that are in no cache, each of them once. */
export async function abuseRows(workplace: Workplace, isQuick: boolean): Promise<Row[]> {
  const duration = isQuick ? 5 : 30;
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
  const alone = await readDuring(pause(3000));
  const uncached = Array.from({ length: 10_000 * duration }, (_, at) => uncachedAddress(at));
  const load = { origin: service.origin, connections: 64, addresses: uncached, duration };
  const during = await readDuring(runTask('load', load));
  const peak = peakOf(service.pid);
  await service.stop();
  const what = 'GETs of uncached addresses on 64 connections: median / p99 of another reader';
  return [
    comparedWith('without abuse', 'ms')(what, during, alone),
    comparedWith('limit', 'MB')('… peak resident memory', peak, 400 * 2 ** 20),
  ];
}
