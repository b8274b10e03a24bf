/**
 * Runs in Deno: an edge function answers its first request. Arguments: the host of the snapshot's files, and the target. Prints
 * the CPU milliseconds of the thread, which the limit on an edge function counts, and of all threads.
 */
import { readFileSync } from 'node:fs';
import { cpuUsage } from 'node:process';

declare const Deno: { args: string[] };
const [origin, target] = Deno.args;

/** So far; both need /proc. */
function cpuTime(): { thread: number; all: number } {
  const { user, system } = cpuUsage();
  const thread = Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  return { thread, all: (user + system) / 1000 };
}

// The first request of a process sets up what a running edge location has set up long before.
await (await fetch(`${origin}/none`)).body?.cancel();
const { netlifyService } = await import('../../api/edge/netlify-service.ts');
Object.assign(globalThis, { Netlify: { env: { get: () => undefined } } });
const answer = netlifyService({});
// The process still works for a while after loading.
await new Promise((resolve) => setTimeout(resolve, 200));
const start = cpuTime();
const response = await answer(new Request(`${origin}${target}`), { ip: '192.0.2.1' });
await response.arrayBuffer();
const end = cpuTime();
if (response.status !== 200) throw new Error(`${target}: status ${response.status}`);
// biome-ignore lint/suspicious/noConsole: how Deno prints
console.log(JSON.stringify({ thread: end.thread - start.thread, all: end.all - start.all }));
