/** How the program starts a thread or a process of its own: as it was started itself. */
import { join } from 'node:path';

/** The folder of the project, or of its compiled code: this module is two folders below either. */
const root = join(import.meta.dirname, '../..');
const isCompiled = !import.meta.filename.endsWith('.ts');

/** What starts a thread or a process. */
export interface Entry {
  /** Path of the file that runs. */
  file: string;
  /** Options of Node. */
  execArgv: string[];
}

/** @param path of the source, below the project; one of `entries` in build/program/compile.mjs */
export function entryOf(path: string): Entry {
  if (isCompiled)
    return { file: join(root, path.replace(/\.ts$/, '.js')), execArgv: ['--enable-source-maps'] };
  return { file: join(root, path), execArgv: ['--import', new URL('through-tsx.mjs', import.meta.url).href] };
}
