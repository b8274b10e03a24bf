/** Folders as values: paths and bytes of their files, and the differences between two of them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import { lastManifestName, layersLockName, snapshotLockName } from '../../build/snapshot/output-folder.ts';

const notes: readonly string[] = [snapshotLockName, layersLockName, lastManifestName];

/** Path below the root → bytes. */
export type Tree = ReadonlyMap<string, Buffer>;

/** Paths of the files below a folder, ascending, but for the notes of builds. A folder that does not exist is empty. */
export const pathsIn = (root: string): string[] =>
  existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory() && !notes.includes(entry.name))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        .sort()
    : [];

export const readTree = (root: string): Map<string, Buffer> =>
  new Map(pathsIn(root).map((path) => [path, readFileSync(join(root, path))]));

/** Makes a folder contain exactly a tree. Notes stay. Files that have the right bytes are not written. */
export function writeTree(root: string, tree: Tree): void {
  mkdirSync(root, { recursive: true });
  const tops = new Set([...notes, ...[...tree.keys()].map((path) => path.split('/')[0]!)]);
  for (const name of readdirSync(root)) if (!tops.has(name)) rmSync(join(root, name), { recursive: true });
  const present = readTree(root);
  for (const path of present.keys()) if (!tree.has(path)) rmSync(join(root, path));
  for (const [path, bytes] of tree) if (!present.get(path)?.equals(bytes)) writeInto(root, path, bytes);
}

/** Writes one file of a tree, and the folders above it. A new file is faster than overwriting an old one. */
export function writeInto(root: string, path: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  rmSync(join(root, path), { force: true });
  writeFileSync(join(root, path), bytes);
}

/** The differences of a tree, a line per file, ascending: `missing api/movies/1.json`. */
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

/** Fails with the paths of all files that are missing, unexpected or different. */
export function expectSameTree(actual: Tree, expected: Tree): void {
  expect(differencesOf(actual, expected)).toEqual([]);
}
