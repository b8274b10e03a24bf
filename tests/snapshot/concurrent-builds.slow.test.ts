/** Two builds of one folder at the same time do no damage: the second one waits for the first, or is refused. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { layersLockName, snapshotLockName } from '../../build/snapshot/output-folder.ts';
import { lockFile } from '../../build/system/file-lock.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { openDatabase } from '../../data/database/open.ts';
import { build, verify } from '../support/build.ts';
import { awards, outcomeOf, startAwards } from '../support/processes.ts';
import { writeDatabase } from './databases.ts';
import { faultsOf } from './named-files.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { readTree, writeInto } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
const command = (database: string, ...more: string[]) => [
  'build',
  '--no-downloads',
  '--json',
  '--db',
  at(database),
  '--out',
  at('dist'),
  ...more,
];

writeDatabase(at('tiny.db'), fillWithTinyRecord);
writeDatabase(at('other.db'), (connection) => generateRecord(connection, { scale: 0.005, seed: 1 }));
afterEach(() => rmSync(at('dist'), { recursive: true, force: true }));

async function expectSnapshotOf(database: string): Promise<void> {
  const connection = openDatabase(at(database));
  expect((await verify(connection, at('dist'), ['pages', 'site', 'lists'])).differences).toEqual([]);
  connection.close();
  expect(faultsOf(readTree(at('dist')))).toEqual([]);
}

test('builds of different databases: the folder has one of them', async () => {
  const outcomes = await Promise.all([awards(command('other.db')), awards(command('tiny.db', '--full'))]);
  expect(outcomes).toMatchObject([{ code: 0 }, { code: 0 }]);
  const { snapshot } = JSON.parse(readTree(at('dist')).get('manifest.json')!.toString()) as {
    snapshot: string;
  };
  const built = outcomes.map(({ stdout }) => (JSON.parse(stdout) as { snapshot: string }).snapshot);
  expect(built).toContain(snapshot);
  await expectSnapshotOf(snapshot === built[0] ? 'other.db' : 'tiny.db');
});

test('a build that starts to wait while the folder is still empty', async () => {
  const connection = openDatabase(at('other.db'));
  await build(connection, at('first'));
  connection.close();
  const unlock = lock();
  const outcome = outcomeOf(startAwards(command('tiny.db')));
  try {
    // Time to look at the folder and to begin to wait.
    await after(1500);
    for (const [path, bytes] of readTree(at('first'))) writeInto(at('dist'), path, bytes);
  } finally {
    unlock();
  }
  expect(await outcome).toMatchObject({ code: 0, stderr: '' });
  await expectSnapshotOf('tiny.db');
});

/** Holds a lock like a build that is running. */
function lock(name = snapshotLockName): () => void {
  mkdirSync(at('dist'), { recursive: true });
  return lockFile(join(at('dist'), name), 0)!;
}

test('a build that waits too long for a lock says so, and leaves the files of that lock alone', async () => {
  const connection = openDatabase(at('tiny.db'));
  for (const [name, files] of [
    [snapshotLockName, /^$/],
    [layersLockName, /^(shards\/|manifest\.json$)/],
  ] as const) {
    const unlock = lock(name);
    await expect(build(connection, at('dist'), { timeoutMs: 50 })).rejects.toThrow(
      /^another build is at work on [^\n]+; try again when it is done$/,
    );
    expect([...readTree(at('dist')).keys()].filter((path) => !files.test(path))).toEqual([]);
    unlock();
  }
  expect(await build(connection, at('dist'), { timeoutMs: 50 })).toMatchObject({
    scope: 'nothing',
    layers: [{ scope: 'everything' }],
  });
  connection.close();
});
