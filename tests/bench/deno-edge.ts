/**
 * Runs in Deno: an edge function answering requests, with the CPU time of each. Argument: a file with an EdgeTask as
 * JSON. Prints an EdgeResult as JSON.
 */
import { readFileSync } from 'node:fs';
import { cpuUsage, memoryUsage } from 'node:process';
import type { BenchRequest } from './requests.ts';

export interface EdgeTask {
  /** Where the files of the snapshot are. */
  origin: string;
  /** Answered one after the other. */
  requests: readonly BenchRequest[];
}

/** CPU milliseconds. */
export interface CpuTime {
  /** Of the thread that runs the code: what a limit on a function counts. */
  code: number;
  /** Of all threads, with those for the network and the garbage collector. */
  all: number;
}

export interface EdgeResult {
  requests: CpuTime[];
  /** Bytes that the code and what it keeps take of the heap and of buffers, garbage included, beyond an empty process. */
  held: number;
  /** All memory of the process, beyond an empty one. */
  resident: number;
}

declare const Deno: { args: string[] };
const { origin, requests } = JSON.parse(readFileSync(Deno.args[0]!, 'utf8')) as EdgeTask;

/** CPU time so far; where the system does not tell it by thread, of all threads for both. */
function cpuTime(): CpuTime {
  const { user, system } = cpuUsage();
  const all = (user + system) / 1000;
  try {
    return { code: Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6, all };
  } catch {
    return { code: all, all };
  }
}

async function cpuOf(work: () => Promise<unknown>): Promise<CpuTime> {
  const before = cpuTime();
  await work();
  const after = cpuTime();
  return { code: after.code - before.code, all: after.all - before.all };
}

// The first request of a process to anywhere sets up what a place at the edge has set up long before.
await (await fetch(`${origin}/none`)).body?.cancel();
const before = memoryUsage();
const { netlifyService } = await import('../../api/hosts/netlify.ts');
const answer = netlifyService({ variable: () => undefined });
// What still happens after loading is not the answer's.
await new Promise((resolve) => setTimeout(resolve, 200));
const taken: CpuTime[] = [];
for (const { path, queryString } of requests) {
  const request = new Request(`${origin}${path}${queryString ? `?${queryString}` : ''}`);
  const time = await cpuOf(async () => {
    const response = await answer(request, { ip: '192.0.2.1' });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${request.url} was answered with ${response.status}`);
  });
  taken.push(time);
}
const after = memoryUsage();
const result: EdgeResult = {
  requests: taken,
  held: after.heapUsed + after.external - before.heapUsed - before.external,
  resident: after.rss - before.rss,
};
// biome-ignore lint/suspicious/noConsole: how Deno prints
console.log(JSON.stringify(result));
