/** A snapshot in memory: tests without a file. */
export { compileInMemory, MemoryFolder as MemoryOutput } from '../support/build.ts';
