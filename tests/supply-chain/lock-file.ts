/** The entries of package-lock.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../layers/source-files.ts';

export const lockPath = join(project, 'package-lock.json');

export interface LockEntry {
  version: string;
  /** Hash of the package, which "npm ci" checks. */
  integrity?: string;
  optional?: boolean;
  link?: boolean;
}

export interface LockFile {
  packages: Record<string, LockEntry>;
}

export const readLock = (file = lockPath): LockFile => JSON.parse(readFileSync(file, 'utf8')) as LockFile;

/** The entries that "npm ci" installs without a check: path → entry. */
export function unchecked({ packages }: LockFile): [path: string, entry: LockEntry][] {
  return Object.entries(packages).filter(
    ([path, { integrity, link }]) => path !== '' && integrity === undefined && link !== true,
  );
}

/** The name of the package at a path such as node_modules/a/node_modules/@b/c. */
export const nameAt = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);
