/** Entries of the project, compiled as `npm start` compiles them: they start several times faster than through tsx. */
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { writeProgram } from '../../build/program/compile.mjs';
import type { Entry } from '../../data/system/entries.ts';
import { project } from './project.ts';

/** Takes the place of entryOf() in the project "system": threads and processes start from the compiled program. */
export const entryOf = (path: string): Entry => ({
  file: join(dirname(inject('cli')), '../..', path.replace(/\.ts$/, '.js')),
  execArgv: [],
});

/**
 * Compiles a script of the tests with the program.
 * @param script path below the project
 * @param folder an existing folder
 * @returns path of the compiled script
 */
export async function compiledScript(script: string, folder: string): Promise<string> {
  const program = join(folder, 'program');
  await writeProgram(program, { more: [script] });
  symlinkSync(join(project, 'node_modules'), join(program, 'node_modules'));
  return join(program, script.replace(/\.ts$/, '.js'));
}
