/** Runs in Deno: loads a bundled edge function. Argument: its path. Prints the CPU milliseconds of the thread. */
import { readFileSync } from 'node:fs';

declare const Deno: { args: string[] };

/** Linux only. */
const cpuTime = (): number => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;

// The first reading takes longer than the others.
cpuTime();
const start = cpuTime();
await import(Deno.args[0]!);
// biome-ignore lint/suspicious/noConsole: how Deno prints
console.log(cpuTime() - start);
