/** The fingerprint of a snapshot or a layer covers each file that can change its bytes, and no other file. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { layersOf } from '../../build/layers/all.ts';
import { snapshotCode } from '../../build/snapshot/builder.ts';
import { sourceFiles } from './source-files.ts';
import { project } from '../support/project.ts';

const files = sourceFiles('api', 'build', 'data');
const layers = Object.fromEntries(
  layersOf('unused', layerNames).map((layer) => [layer.name, () => layer.code()]),
);
const fingerprints: Record<string, () => string> = { snapshot: snapshotCode, ...layers };
/** The files from which imports are followed. The layers get a Snapshot, and import only its type. */
const starts: Record<string, (path: string) => boolean> = {
  snapshot: (path) => path === 'build/snapshot/compile.ts',
  pages: (path) => ['build/layers/pages/layer.ts', 'api/read/snapshot.ts'].includes(path),
  lists: (path) => ['build/layers/lists/layer.ts', 'api/read/snapshot.ts'].includes(path),
  downloads: (path) => ['build/layers/downloads/layer.ts', 'api/read/snapshot.ts'].includes(path),
  site: (path) => /^build\/(site|layers\/site)\/|^api\/contract\/openapi\//.test(path),
};

/** The files that read as if they had one more line. */
let changed: ReadonlySet<string> = new Set();
/** The files are read thousands of times. */
const contents = new Map<string, Buffer>();
const read = fs.readFileSync;
beforeAll(() => {
  const pathOf = (file: unknown) => (file instanceof URL ? fileURLToPath(file) : String(file));
  fs.readFileSync = ((file: unknown, encoding?: BufferEncoding) => {
    const path = pathOf(file);
    const bytes = contents.get(path) ?? read(path);
    contents.set(path, bytes);
    const content = changed.has(path) ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes;
    return encoding === undefined ? content : content.toString(encoding);
  }) as typeof fs.readFileSync;
  syncBuiltinESMExports();
});
afterAll(() => {
  fs.readFileSync = read;
  syncBuiltinESMExports();
});

/** A fingerprint if some files had one more line. */
function fingerprintWith(name: string, paths: readonly string[]): string {
  changed = new Set(paths.map((path) => join(project, path)));
  return fingerprints[name]!();
}

/** The files that some files import at run time, directly or through others, and the files themselves. */
function closureOf(first: readonly string[]): Set<string> {
  const closure = new Set<string>();
  const add = (path: string) => {
    const file = files.find((each) => each.path === path);
    if (file === undefined || closure.has(path)) return;
    closure.add(path);
    for (const { target, isTypeOnly } of file.imports) if (!isTypeOnly) add(target);
  };
  first.forEach(add);
  return closure;
}

describe.each(Object.keys(fingerprints))('the fingerprint of %s', (name) => {
  const own = closureOf(files.map(({ path }) => path).filter(starts[name]!));

  it('changes with each file that it imports, and with no other', () => {
    const unchanged = fingerprintWith(name, []);
    const isCovered = (...paths: string[]) => fingerprintWith(name, paths) !== unchanged;
    expect([...own].filter((path) => !isCovered(path))).toEqual([]);
    const others = files.map(({ path }) => path).filter((path) => !own.has(path));
    if (isCovered(...others)) expect(others.filter((path) => isCovered(path))).toEqual([]);
    expect(fingerprintWith(name, [])).toBe(unchanged);
  });

  it('does not cover the command line, publishing or serving', () => {
    expect([...own].filter((path) => /^(build\/(cli|publish)|api\/(serve|write))\//.test(path))).toEqual([]);
    expect(own.size).toBeGreaterThan(10);
  });
});

it('the fingerprint of the downloads covers the schema of their database', () => {
  const schema = 'data/export.sql';
  expect(fs.existsSync(join(project, schema))).toBe(true);
  expect(fingerprintWith('downloads', [schema])).not.toBe(fingerprintWith('downloads', []));
});
