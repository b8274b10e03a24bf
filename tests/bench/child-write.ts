/** The floor under a full build: its files, already in memory, written plainly into a new folder, in a process of its own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase } from '../../data/open.ts';
import { compileInMemory } from '../answers/memory-source.ts';
import { childInput, report } from './child.ts';
import { timed } from './figures.ts';

export interface WriteResult {
  files: number;
  /** Milliseconds for making the files in memory. */
  compiling: number;
  /** Milliseconds for writing them. */
  writing: number;
}

/** Without a folder the files are only made. */
const { database, out } = childInput<{ database: string; out?: string }>();
const connection = openDatabase(database, { mustExist: true });
const compiled = await timed(() => compileInMemory(connection));
connection.close();
const { files } = compiled.value;
const { elapsed: writing } = await timed(() => {
  if (out === undefined) return;
  const folders = new Set<string>();
  for (const [path, bytes] of files) {
    const file = join(out, path);
    const folder = dirname(file);
    if (!folders.has(folder)) {
      mkdirSync(folder, { recursive: true });
      folders.add(folder);
    }
    writeFileSync(file, bytes);
  }
});
report({ files: files.size, compiling: compiled.elapsed, writing } satisfies WriteResult);
