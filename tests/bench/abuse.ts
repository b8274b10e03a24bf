/**
 * The service, with its default limits in 512 MB of memory, while clients abuse it: how long another reader waits, and how much
 * memory the service takes.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PlainRecord } from '../oracle/record.ts';
import { project } from './checkout.ts';
import type { Abuse } from './child-abuse.ts';
import { runScript, startChild } from './children.ts';
import { Client } from './client.ts';
import { figure, inUnit, percentile } from './figures.ts';
import { addressOf, drawRequests, requestKinds } from './requests.ts';
import { comparedWith, type Row, type Spread } from './table.ts';
import type { Workplace } from './workplace.ts';

const memoryBytes = 512 * 1024 * 1024;
const maxResidentBytes = 400 * 1024 * 1024;
/** Milliseconds at the 99th percentile, and at most. */
const maxWait: Spread = { median: 100, tail: 500 };
const pauseMs = 5;

export async function abuseRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const main = await workplace.main();
  const group = MemoryGroup.make();
  const service = await project.serve(main.database, await main.tree(), {
    environment: { AWARDS_TRUSTED_PROXIES: '127.0.0.1' },
    memoryGroup: group?.processes,
  });
  const scale = quick ? 20 : 1;
  const { origin, pid } = service;
  const reader = new Reader(origin, main.record());
  const rows: Row[] = [];
  const compared = comparedWith('limits', 'ms', 'tail');
  const measure = async (what: string, work: Promise<unknown>) => {
    const waits = await reader.during(work);
    const spread = { median: percentile(waits, 0.99), tail: Math.max(...waits) };
    const label = `${what}: ${figure(waits.length)} reads, p99 / maximum`;
    rows.push(compared(label, spread, maxWait, { max: maxWait }));
  };
  const resident = (what: string) =>
    rows.push(
      comparedWith(group ? 'limit, in 512 MB' : 'limit', 'MB')(what, peakOf(pid), maxResidentBytes, {
        max: inUnit(maxResidentBytes, 'MB'),
      }),
    );
  try {
    await measure('no abuse', pause(3000));
    const flood: Abuse = { origin, kind: 'pipelined', connections: 300, bytes: (20 * 2 ** 20) / scale };
    const slow: Abuse = { origin, kind: 'slow', connections: 10_000 / scale };
    const gets: Abuse = { origin, kind: 'distinct', connections: 64, requests: 1_000_000 / scale };
    await measure('20 MB of pipelined GETs on 300 connections', runScript('child-abuse.ts', flood));
    const starting = startChild('child-abuse.ts', slow);
    await measure(`${figure(slow.connections)} clients that do not read their answers`, starting);
    resident('… peak resident memory so far');
    await measure(
      `${figure(gets.requests)} distinct GETs from 65,536 networks`,
      runScript('child-abuse.ts', gets),
    );
    resident('… peak resident memory in the end');
    await (await starting).stop();
    return rows;
  } finally {
    reader.close();
    await service.stop();
    group?.remove();
  }
}

/** An ordinary reader: it sends one request after another, each second one on a new connection. */
class Reader {
  readonly #origin: string;
  readonly #addresses: readonly string[];
  readonly #client: Client;
  #sent = 0;

  constructor(origin: string, record: PlainRecord) {
    this.#origin = origin;
    this.#client = new Client(origin);
    this.#addresses = requestKinds(record).flatMap((kind) => drawRequests(kind, 50).map(addressOf));
  }

  /** Reads until some work is done. @returns milliseconds of each read. @throws Error unless all are answered */
  async during(work: Promise<unknown>): Promise<number[]> {
    const waits: number[] = [];
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      waits.push(await this.#read());
      await pause(pauseMs);
    }
    await done;
    return waits;
  }

  async #read(): Promise<number> {
    this.#sent += 1;
    const client = this.#sent % 2 ? this.#client : new Client(this.#origin);
    const address = this.#addresses[this.#sent % this.#addresses.length]!;
    // Each read is from a client of its own: the rate limit of a reader is not the question here.
    const forwarded = {
      'X-Forwarded-For': `10.${this.#sent >> 16}.${(this.#sent >> 8) & 255}.${this.#sent & 255}`,
    };
    const start = performance.now();
    const { status } = await client.get(address, forwarded);
    const waited = performance.now() - start;
    if (client !== this.#client) client.close();
    if (status !== 200) throw new Error(`${address}: status ${status}`);
    return waited;
  }

  close(): void {
    this.#client.close();
  }
}

/** Peak of the resident memory of a process in bytes; NaN where there is no /proc. */
function peakOf(pid: number): number {
  const file = `/proc/${pid}/status`;
  return existsSync(file)
    ? Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))?.[1]) * 1024
    : Number.NaN;
}

/** A control group of Linux with a memory limit. */
class MemoryGroup {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** undefined without the right to make one. */
  static make(): MemoryGroup | undefined {
    for (const [root, limit] of [
      ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
      ['/sys/fs/cgroup', 'memory.max'],
    ] as const)
      try {
        const folder = join(root, `awards-bench-${process.pid}`);
        mkdirSync(folder);
        if (existsSync(join(folder, limit))) {
          writeFileSync(join(folder, limit), String(memoryBytes));
          return new MemoryGroup(folder);
        }
        rmdirSync(folder);
      } catch {
        // Not this version of control groups, or no right to use it.
      }
    return undefined;
  }

  /** The file that takes the ids of processes. */
  get processes(): string {
    return join(this.#folder, 'cgroup.procs');
  }

  remove(): void {
    rmdirSync(this.#folder);
  }
}
