/** TypeScript in the project of a user. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { project } from './project.ts';

/**
 * What the compiler says about a module.
 * @param folder a new folder for it, where its packages are found
 * @param options besides the defaults of a strict project
 */
export async function faultsOfTypes(folder: string, source: string, options: object): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'consumer.ts'), source);
  const compilerOptions = { strict: true, noEmit: true, target: 'ES2022', types: [], ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const tsc = join(project, 'node_modules/typescript/bin/tsc');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return stdout + stderr;
}
