/** CPU time of this process, in Node and in Deno. */
import { readFileSync } from 'node:fs';
import { cpuUsage } from 'node:process';

/** Milliseconds. */
export interface CpuTime {
  /** Of the thread that runs the code: the limit on an edge function counts this. */
  code: number;
  /** Of all threads, with those for the network, the compiler and the garbage collector. */
  all: number;
}

/** So far; for both of all threads where the system does not count by thread. */
export function cpuTime(): CpuTime {
  const { user, system } = cpuUsage();
  const all = (user + system) / 1000;
  try {
    return { code: Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6, all };
  } catch {
    return { code: all, all };
  }
}
