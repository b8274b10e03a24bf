/**
 * Runs in Deno: an edge function answers requests, with the CPU time of each. Argument: a file with an EdgeTask as JSON.
 * Prints an EdgeResult as JSON.
 */
import { readFileSync } from 'node:fs';
import { memoryUsage } from 'node:process';
import type { Target } from '../../api/contract/target.ts';
import { type CpuTime, cpuTime } from './cpu-time.ts';

export interface EdgeTask {
  /** The host of the snapshot's files. */
  origin: string;
  /** Answered one after the other. */
  requests: readonly Target[];
}

export interface EdgeResult {
  requests: CpuTime[];
  /** Bytes of heap and buffers, garbage included, beyond an empty process. */
  held: number;
  /** Bytes of the whole process, beyond an empty one. */
  resident: number;
}

declare const Deno: { args: string[] };
const { origin, requests } = JSON.parse(readFileSync(Deno.args[0]!, 'utf8')) as EdgeTask;

// The first request of a process sets up what a running edge location has set up long before.
await (await fetch(`${origin}/none`)).body?.cancel();
const before = memoryUsage();
const { netlifyService } = await import('../../api/edge/netlify-service.ts');
// The API is answered without pages, as by a function of its own: it would change the figures of the memory.
const isOfPages = requests.some(({ path }) => !path.startsWith('/api/'));
const Pages = isOfPages ? (await import('../../build/site/explorer/site-pages.ts')).SitePages : undefined;
Object.assign(globalThis, { Netlify: { env: { get: () => undefined } } });
const answer = netlifyService({ ...(Pages && { Pages }) });
// The process still works for a while after loading.
await new Promise((resolve) => setTimeout(resolve, 200));
const times: CpuTime[] = [];
for (const { path, queryString } of requests) {
  const request = new Request(`${origin}${path}${queryString ? `?${queryString}` : ''}`);
  const start = cpuTime();
  const response = await answer(request, { ip: '192.0.2.1' });
  await response.arrayBuffer();
  const end = cpuTime();
  if (response.status !== 200) throw new Error(`${request.url}: status ${response.status}`);
  times.push({ code: end.code - start.code, all: end.all - start.all });
}
const after = memoryUsage();
const result: EdgeResult = {
  requests: times,
  held: after.heapUsed + after.external - before.heapUsed - before.external,
  resident: after.rss - before.rss,
};
// biome-ignore lint/suspicious/noConsole: how Deno prints
console.log(JSON.stringify(result));
