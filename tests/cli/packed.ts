/** Packages as npm packs and unpacks them. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fastGlob from 'fast-glob';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);

/** Packs a folder. @returns the path of the tarball */
export async function packed(source: string): Promise<string> {
  const folder = temporaryFolder();
  await run('npm', ['pack', source, '--pack-destination', folder, '--ignore-scripts', '--offline']);
  const [tarball = ''] = fastGlob.sync('*.tgz', { cwd: folder });
  return join(folder, tarball);
}

/** Unpacks a tarball into a new folder, without the dependencies. */
export async function unpack(tarball: string, target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
}
