/** The promise: two builds of one folder at a time do no damage; the second one waits for the first, or is refused. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { lockName } from '../../build/snapshot/output.ts';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { verify } from '../../build/snapshot/verify.ts';
import { lockFile } from '../../data/file-lock.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { openDatabase } from '../../data/open.ts';
import { awards, startAwards } from './command-line.ts';
import { writeDatabase } from './databases.ts';
import { faultsOf } from './named-files.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { readTree, writeInto } from './tree.ts';
import { useWorkspace } from './workspace.ts';

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

beforeAll(() => {
  writeDatabase(at('tiny.db'), fillWithTinyRecord);
  writeDatabase(at('other.db'), (connection) => generateRecord(connection, { scale: 0.005, seed: 1 }));
});
afterEach(() => rmSync(at('dist'), { recursive: true, force: true }));

async function expectSnapshotOf(database: string): Promise<void> {
  const connection = openDatabase(at(database));
  expect((await verify(connection, at('dist'), { documents: siteDocuments })).differences).toEqual([]);
  connection.close();
  expect(faultsOf(readTree(at('dist')))).toEqual([]);
}

test('of the same database into an empty folder', async () => {
  const outcomes = await Promise.all([awards(command('other.db')), awards(command('other.db', '--full'))]);
  expect(outcomes).toMatchObject([{ code: 0 }, { code: 0 }]);
  await expectSnapshotOf('other.db');
});

test('of different databases: the folder holds one of them, whole', async () => {
  const outcomes = await Promise.all([awards(command('other.db')), awards(command('tiny.db'))]);
  expect(outcomes).toMatchObject([{ code: 0 }, { code: 0 }]);
  const { snapshot } = JSON.parse(readTree(at('dist')).get('manifest.json')!.toString()) as {
    snapshot: string;
  };
  const built = outcomes.map(({ stdout }) => (JSON.parse(stdout) as { snapshot: string }).snapshot);
  expect(built).toContain(snapshot);
  await expectSnapshotOf(snapshot === built[0] ? 'other.db' : 'tiny.db');
});

test('where the one that waits began when the folder was still empty', async () => {
  const connection = openDatabase(at('other.db'));
  await build(connection, at('first'));
  connection.close();
  const unlock = lock();
  const { outcome } = startAwards(command('tiny.db'));
  try {
    // Time for it to look at the folder and begin to wait.
    await after(1500);
    for (const [path, bytes] of readTree(at('first'))) writeInto(at('dist'), path, bytes);
  } finally {
    unlock();
  }
  expect(await outcome).toMatchObject({ code: 0, stderr: '' });
  await expectSnapshotOf('tiny.db');
});

/** Takes the place of a build at work. */
function lock(): () => void {
  mkdirSync(at('dist'), { recursive: true });
  return lockFile(join(at('dist'), lockName), 0)!;
}

test('a build that cannot wait any longer says so and leaves the folder alone', async () => {
  const unlock = lock();
  const connection = openDatabase(at('tiny.db'));
  await expect(build(connection, at('dist'), { timeoutMs: 50 })).rejects.toThrow(
    /^another build is at work on [^\n]+; try again when it is done$/,
  );
  expect([...readTree(at('dist')).keys()]).toEqual([]);
  unlock();
  expect(await build(connection, at('dist'), { timeoutMs: 50 })).toMatchObject({ scope: 'everything' });
  connection.close();
});
