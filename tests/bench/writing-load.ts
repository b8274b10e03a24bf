/**
 * Editors and readers at once: how long a write takes when many come, and what reading loses by it. Open-loop load: every
 * request is due at a time of its own, whether or not the ones before are done, so that a queue shows as a wait.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { OutputFolder } from '../../build/snapshot/output-folder.ts';
import type { PlainRecord } from '../oracle/record.ts';
import { Client } from './client.ts';
import { editDraws } from './edits.ts';
import { Choices } from '../support/random.ts';
import { addressOf, drawRequests, requestKinds } from './requests.ts';
import { comparedWith, type Row, spread } from './table.ts';
import type { WritingService } from './writing.ts';

const writesPerSecond = 50;
const readsPerSecond = 200;
/** Writes a second when many editors come at once, and for how long. */
const burst = { perSecond: 200, seconds: 30 };
/** Milliseconds at the 99th percentile. */
const maxWriteMs = 500;
/** Milliseconds from a snapshot to the index of the pages that holds it. */
const maxLagMs = 5000;
/** How many times as long a read may take while others write. */
const maxSlowdown = 3;
/** Seconds of reading before anything counts. */
const warmUp = 3;

/** @param record the one that the service started with */
export async function loadRows(
  service: WritingService,
  record: PlainRecord,
  seconds: number,
): Promise<Row[]> {
  const { origin, keys } = service;
  await read(origin, record, warmUp, 101);
  const readsAlone = spread(await read(origin, record, seconds, 102), 0.99);
  const [reads, { writes, failures, snapshots }] = await Promise.all([
    read(origin, record, seconds, 103),
    write(service, record, writesPerSecond, seconds),
  ]);
  for (const failure of failures.slice(0, 5)) process.stderr.write(`\nfailed: ${failure}`);
  const load = `${writesPerSecond} writes a second by ${keys.length} editors for ${seconds} s, median / p99`;
  const withLimit = comparedWith('limit of the p99', 'ms', 'tail');
  const withWrites = comparedWith('writes', '');
  const withReads = comparedWith('the same without writing (ratio of p99)', 'ms', 'tail');
  const noSnapshot = '… refused, or answered without a snapshot that holds them';
  const meanwhile = `… ${readsPerSecond} reads a second meanwhile, median / p99`;
  return [
    withLimit(load, spread(writes, 0.99), maxWriteMs, { max: maxWriteMs }),
    withWrites(noSnapshot, failures.length, writes.length, { max: 0 }),
    withWrites('… rebuilds they shared', snapshots, writes.length),
    withReads(meanwhile, spread(reads, 0.99), readsAlone, { maxRatio: maxSlowdown }),
  ];
}

/** Many writes at once, and how far the pages are behind meanwhile. */
export async function burstRows(service: WritingService, record: PlainRecord): Promise<Row[]> {
  const { perSecond, seconds } = burst;
  const lag = new LagWatch(service.out);
  await lag.current();
  const { writes, failures, snapshots } = await write(service, record, perSecond, seconds);
  const lags = await lag.end();
  for (const failure of failures.slice(0, 5)) process.stderr.write(`\nfailed: ${failure}`);
  const load = `${perSecond} writes a second by ${service.keys.length} editors for ${seconds} s, median / p99`;
  const compared = comparedWith('writes', '');
  const withLimit = comparedWith('limit', 'ms');
  return [
    withLimit(load, spread(writes, 0.99), maxWriteMs),
    compared('… refused, or answered without a snapshot that holds them', failures.length, writes.length, {
      max: 0,
    }),
    compared('… rebuilds they shared', snapshots, writes.length),
    withLimit(
      '… from a snapshot to the index of the pages that holds it, longest',
      Math.max(...lags),
      maxLagMs,
      {
        max: maxLagMs,
      },
    ),
  ];
}

/** How often the files are looked at. */
const lookMs = 20;

/** Measures how long each snapshot waits for the index of the pages that holds it. */
class LagWatch {
  readonly #folder: OutputFolder;
  readonly #timer: NodeJS.Timeout;
  /** Snapshots that the index does not hold yet, in order. */
  readonly #waiting: { snapshot: string; since: number }[] = [];
  readonly #lags: number[] = [];
  #last: string | undefined;

  constructor(out: string) {
    this.#folder = new OutputFolder(out);
    this.#timer = setInterval(() => this.#look(), lookMs);
  }

  /** Waits for the first pages: a service that runs has them. */
  async current(): Promise<void> {
    while (!this.#isCurrent()) await pause(lookMs);
  }

  #isCurrent(): boolean {
    return this.#folder.layerIndex('pages')?.manifest.snapshot === this.#folder.manifest()?.snapshot;
  }

  /** Waits for the index to hold the last snapshot. @returns milliseconds for each snapshot seen */
  async end(): Promise<number[]> {
    while (this.#lags.length === 0 || this.#waiting.length > 0) await pause(lookMs);
    clearInterval(this.#timer);
    return this.#lags;
  }

  #look(): void {
    const now = performance.now();
    const snapshot = this.#folder.manifest()?.snapshot;
    if (snapshot !== undefined && snapshot !== this.#last) {
      if (this.#last !== undefined) this.#waiting.push({ snapshot, since: now });
      this.#last = snapshot;
    }
    const held = this.#folder.layerIndex('pages')?.manifest.snapshot;
    const position = this.#waiting.findLastIndex((one) => one.snapshot === held);
    for (const { since } of this.#waiting.splice(0, position + 1)) this.#lags.push(now - since);
  }
}

/** Different requests of all kinds in turn. @returns milliseconds. @throws Error unless every answer is a document */
async function read(origin: string, record: PlainRecord, seconds: number, seed: number): Promise<number[]> {
  const kinds = requestKinds(record);
  const each = Math.ceil((readsPerSecond * seconds) / kinds.length);
  const drawn = kinds.map((kind) => drawRequests(kind, each, seed));
  const addresses = Array.from({ length: each }, (_, i) =>
    drawn.map((requests) => addressOf(requests[i % requests.length]!)),
  ).flat();
  const client = new Client(origin);
  const taken = await onSchedule(moments(new Choices(seed), readsPerSecond, seconds), async (i) => {
    const { status } = await client.get(addresses[i]!);
    if (status !== 200) throw new Error(`${addresses[i]}: status ${status}`);
  });
  client.close();
  return taken;
}

/** Each editor writes at random times of its own. @returns milliseconds, failures, and how many snapshots were named */
async function write(
  { origin, keys }: WritingService,
  record: PlainRecord,
  perSecond: number,
  seconds: number,
) {
  const draws = editDraws(record, 7);
  const choices = new Choices(7);
  const clients = keys.map((key) => new Client(origin, key));
  const due = clients
    .flatMap((client) => moments(choices, perSecond / clients.length, seconds).map((at) => ({ at, client })))
    .sort((a, b) => a.at - b.at)
    .map((write) => ({ ...write, edit: draws.mixed() }));
  const failures: string[] = [];
  const snapshots = new Set<string>();
  const times = due.map(({ at }) => at);
  const writes = await onSchedule(times, async (i) => {
    const { client, edit } = due[i]!;
    const { status, headers, body } = await client.write(edit);
    if (status === (edit.method === 'POST' ? 201 : 200) && typeof headers.snapshot === 'string')
      snapshots.add(headers.snapshot);
    else failures.push(`${edit.method} ${edit.path}: ${status} ${body}`);
  });
  for (const client of clients) client.close();
  return { writes, failures, snapshots: snapshots.size };
}

/** Ascending times in milliseconds, one at random in each period. */
function moments(choices: Choices, perSecond: number, seconds: number): number[] {
  const period = 1000 / perSecond;
  return Array.from({ length: Math.round(perSecond * seconds) }, (_, i) => (i + choices.fraction()) * period);
}

/** Starts work at each of the ascending times. @returns milliseconds from the time each was due to its end */
async function onSchedule(times: readonly number[], work: (i: number) => Promise<void>): Promise<number[]> {
  const start = performance.now();
  const done: Promise<number>[] = [];
  for (const [i, due] of times.entries()) {
    const wait = start + due - performance.now();
    if (wait > 0) await pause(wait);
    done.push(work(i).then(() => performance.now() - start - due));
  }
  return Promise.all(done);
}
