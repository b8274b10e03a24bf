/** What one edit of the tiny record does to the files of its snapshot: as the build reports it, and as the disk shows it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { build } from '../support/build.ts';
import { type Fill, memoryDatabase } from './databases.ts';
import { readTree } from './tree.ts';

export interface Effects {
  /** Pages, without `api/` and `.json`, in order. */
  written: string[];
  removed: string[];
  /** Families of which shards were written. */
  shards: string[];
}

/** Builds a record, edits it, builds again; fails if a file was touched that the build did not report. */
export async function effectsOf(folder: string, fill: Fill, edit: string): Promise<Effects> {
  const connection = memoryDatabase(fill);
  await build(connection, folder);
  const before = stampsOf(folder);
  connection.exec(edit);
  const report = await build(connection, folder);
  connection.close();
  expect(report.scope).toBe('changes');
  const after = stampsOf(folder);
  const touched = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  const paths = (action: string) =>
    report.files.filter((file) => file.action === action).map((file) => file.path);
  expect(touched.sort()).toEqual([...paths('written'), ...paths('removed')].sort());
  expect(report.files.every((file) => file.cause !== '')).toBe(true);
  return {
    written: pages(paths('written')),
    removed: pages(paths('removed')),
    shards: families(paths('written')),
  };
}

/** A file that was written again, even with the same bytes, has another inode or time. */
function stampsOf(folder: string): Map<string, string> {
  return new Map(
    [...readTree(folder).keys()].map((path) => {
      const { ino, mtimeNs } = statSync(join(folder, path), { bigint: true });
      return [path, `${ino} ${mtimeNs}`];
    }),
  );
}

const pages = (paths: readonly string[]): string[] =>
  paths
    .filter((path) => path.startsWith('api/'))
    .map((path) => path.slice('api/'.length, -'.json'.length))
    .sort();

const families = (paths: readonly string[]): string[] =>
  [
    ...new Set(
      paths.map((path) => /^shards\/(.+)\/[^/]+$/.exec(path)?.[1]).filter((name) => name !== undefined),
    ),
  ].sort();
