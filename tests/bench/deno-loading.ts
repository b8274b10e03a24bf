/** Runs in Deno: loads a bundled edge function. Argument: its path. Prints the CPU milliseconds of the thread. */
import { cpuTime } from './cpu-time.ts';

declare const Deno: { args: string[] };

// The first reading takes longer than the others.
cpuTime();
const start = cpuTime().code;
await import(Deno.args[0]!);
// biome-ignore lint/suspicious/noConsole: how Deno prints
console.log(cpuTime().code - start);
