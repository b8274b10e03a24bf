/** Tasks that are measured in a new process each. Only the modules of its own task are loaded. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { childInput, report } from './child.ts';
import { timed } from './figures.ts';

/** Full build into a new folder. @returns milliseconds, without the start of Node and the loading of modules */
async function build({ database, out }: { database: string; out: string }): Promise<number> {
  const { fullBuild } = await import('./internals.ts');
  return fullBuild(database, out);
}

/** Full build into memory. @returns milliseconds, as `build` */
async function compile({ database }: { database: string }): Promise<number> {
  const { buildInMemory } = await import('./internals.ts');
  return buildInMemory(database);
}

/**
 * Plain writing, the floor under a full build: the very same files, read into memory beforehand, each written with one
 * writeFileSync into a new folder.
 * @returns milliseconds for making the folders and writing the files
 */
async function write({ from, to }: { from: string; to: string }): Promise<number> {
  const files = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return { file: join(to, file.slice(from.length)), bytes: readFileSync(file) };
    });
  const { elapsed } = await timed(() => {
    for (const folder of new Set(files.map(({ file }) => dirname(file))))
      mkdirSync(folder, { recursive: true });
    for (const { file, bytes } of files) writeFileSync(file, bytes);
  });
  return elapsed;
}

const tasks = { build, compile, write };
export type Tasks = typeof tasks;

const { task, input } = childInput<{ task: keyof Tasks; input: never }>();
report(await tasks[task](input));
