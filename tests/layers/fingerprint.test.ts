/** The fingerprint of a snapshot or a layer covers each file that can change its bytes, and no other file. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { layersOf } from '../../build/derived/all.ts';
import { snapshotCode } from '../../build/snapshot/builder.ts';
import { sourceFiles } from './source-files.ts';
import { project } from '../support/project.ts';
import { seeded } from '../support/seed.ts';

const files = sourceFiles('api', 'build', 'data');
const layers = Object.fromEntries(
  layersOf('unused', layerNames).map((layer) => [layer.name, () => layer.code()]),
);
const fingerprints: Record<string, () => string> = { snapshot: snapshotCode, ...layers };
/** The files from which imports are followed. The layers get a Snapshot, and import only its type. */
const starts: Record<string, (path: string) => boolean> = {
  snapshot: (path) => path === 'build/snapshot/compile.ts',
  pages: (path) => ['build/derived/pages/layer.ts', 'api/read/snapshot.ts'].includes(path),
  lists: (path) => ['build/derived/lists/layer.ts', 'api/read/snapshot.ts'].includes(path),
  downloads: (path) => ['build/derived/downloads/layer.ts', 'api/read/snapshot.ts'].includes(path),
  site: (path) => /^build\/(site|derived\/site)\/|^api\/contract\/openapi\//.test(path),
};

/** The files of the project that a fingerprint reads, and the one that reads as if it had one more line. */
const seen = new Set<string>();
let changed: string | undefined;
const read = fs.readFileSync;
beforeAll(() => {
  fs.readFileSync = ((file: string | URL, encoding?: BufferEncoding) => {
    const path = relative(project, file instanceof URL ? fileURLToPath(file) : file);
    seen.add(path);
    const content = Buffer.concat([read(file), Buffer.from(path === changed ? '\n' : '')]);
    return encoding === undefined ? content : content.toString(encoding);
  }) as typeof fs.readFileSync;
  syncBuiltinESMExports();
});
afterAll(() => {
  fs.readFileSync = read;
  syncBuiltinESMExports();
});

/** A fingerprint if a file had one more line. */
function fingerprintWith(name: string, path?: string): string {
  changed = path;
  seen.clear();
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

  it('is made from the files that it imports, and from no other', () => {
    const unchanged = fingerprintWith(name);
    expect(files.map(({ path }) => path).filter((path) => seen.has(path))).toEqual([...own].sort());
    const choices = seeded(name);
    for (const extension of new Set([...own].map((path) => extname(path)))) {
      const one = choices.pick([...own].filter((path) => path.endsWith(extension)));
      expect(fingerprintWith(name, one), one).not.toBe(unchanged);
    }
    expect(fingerprintWith(name)).toBe(unchanged);
  });

  it('does not cover the command line, publishing or serving', () => {
    expect([...own].filter((path) => /^(build\/(cli|publish)|api\/(serve|write))\//.test(path))).toEqual([]);
    expect(own.size).toBeGreaterThan(10);
  });
});

it('the fingerprint of the downloads covers the schema of their database', () => {
  const schema = 'data/export.sql';
  expect(fs.existsSync(join(project, schema))).toBe(true);
  expect(fingerprintWith('downloads', schema)).not.toBe(fingerprintWith('downloads'));
});
