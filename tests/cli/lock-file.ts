/** The entries of the lock files. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { project } from '../support/project.ts';

/** Of the project, and of the tools that its checks run. */
export const lockPaths = ['package-lock.json', 'tools/package-lock.json'] as const;

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

/** @param file absolute, or relative to the project */
export const readLock = (file: string): LockFile =>
  JSON.parse(readFileSync(resolve(project, file), 'utf8')) as LockFile;

/** The entries that "npm ci" installs without a check: path → entry. */
export function unchecked({ packages }: LockFile): [path: string, entry: LockEntry][] {
  return Object.entries(packages).filter(
    ([path, { integrity, link }]) => path !== '' && integrity === undefined && link !== true,
  );
}

/** The name of the package at a path such as node_modules/a/node_modules/@b/c. */
export const nameAt = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);
