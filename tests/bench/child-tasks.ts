/** Tasks that are measured in a new process each. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
// The builder loads it when it is needed.
import '../../build/snapshot/compile.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { build as buildFolder, compileInMemory } from '../support/build.ts';
import { childInput, report } from './child.ts';
import { timed } from './figures.ts';

/** @returns milliseconds, without the start of Node and the loading of modules */
async function timedOn(
  database: string,
  work: (connection: Connection) => Promise<unknown>,
): Promise<number> {
  const { elapsed } = await timed(async () => {
    const connection = openDatabase(database, { mustExist: true });
    await work(connection);
    connection.close();
  });
  return elapsed;
}

/** Builds everything into a new folder, without the site. */
const build = ({ database, out }: { database: string; out: string }) =>
  timedOn(database, (connection) => buildFolder(connection, out));

/** The same into memory. */
const compile = ({ database }: { database: string }) => timedOn(database, compileInMemory);

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
