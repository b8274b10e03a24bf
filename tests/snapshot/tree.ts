/** Whole folders as values: what files there are, byte for byte, and how two of them differ. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import { layersLockName, snapshotLockName as lockName } from '../../build/snapshot/output-folder.ts';

/** Path below the root → bytes. */
export type Tree = ReadonlyMap<string, Buffer>;

/** Every file below a folder but the lock and what belongs to it, which stay; leftovers of builds among them. A folder that is not there is empty. */
export function readTree(root: string): Map<string, Buffer> {
  if (!existsSync(root)) return new Map();
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && entry.name !== lockName && entry.name !== layersLockName)
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
  return new Map(files.map((path) => [path, readFileSync(join(root, path))]));
}

/** Makes a folder hold exactly a tree, besides the lock if it is there. What is right already is not written again. */
export function writeTree(root: string, tree: Tree): void {
  mkdirSync(root, { recursive: true });
  const tops = new Set([lockName, ...[...tree.keys()].map((path) => path.split('/')[0]!)]);
  for (const name of readdirSync(root)) if (!tops.has(name)) rmSync(join(root, name), { recursive: true });
  const present = readTree(root);
  for (const path of present.keys()) if (!tree.has(path)) rmSync(join(root, path));
  for (const [path, bytes] of tree) if (!present.get(path)?.equals(bytes)) writeInto(root, path, bytes);
}

/** Writes one file of a tree, and the folders above it; a new file, which costs less than an old one written over. */
export function writeInto(root: string, path: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  rmSync(join(root, path), { force: true });
  writeFileSync(join(root, path), bytes);
}

/** What is wrong with a tree, a line per file: `missing api/movies/1.json`. */
export function differencesOf(actual: Tree, expected: Tree): string[] {
  const lines: string[] = [];
  for (const path of new Set([...actual.keys(), ...expected.keys()])) {
    const [is, should] = [actual.get(path), expected.get(path)];
    if (is === undefined) lines.push(`missing ${path}`);
    else if (should === undefined) lines.push(`unexpected ${path}`);
    else if (!is.equals(should)) lines.push(`different ${path}`);
  }
  return lines.sort();
}

/** Fails with the names of all files that are missing, unexpected or different. */
export function expectSameTree(actual: Tree, expected: Tree): void {
  expect(differencesOf(actual, expected)).toEqual([]);
}
