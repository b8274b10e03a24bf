/**
 * The promise: the same writes make the same record and the same bytes of the snapshot whatever the clock and the locale; only
 * the times of the receipts differ.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { expectSameTree, readTree, type Tree } from '../snapshot/tree.ts';
import { bundleScript } from '../support/bundle.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { Fixture, faultsAtRest } from './fixture.ts';
import { withDatabase } from './workspace.ts';

const at = useMemoryFolder();
const fixture = await Fixture.prepare(at('original'));
const script = await bundleScript('tests/durability/write-script.ts', at('.'));
const clock = await bundleScript('tests/durability/clock.ts', at('.'));
const expected = await resultWith('as here', {});

interface Result {
  tree: Tree;
  receipts: unknown[];
  times: string[];
}

/** Makes the sequence of writes in a process with these environment variables. */
async function resultWith(name: string, environment: Record<string, string>): Promise<Result> {
  const workspace = fixture.copyTo(at(name));
  const preload = environment.AWARDS_TEST_CLOCK ? ['--import', clock] : [];
  const child = spawn(process.execPath, [...preload, script, workspace.folder], {
    stdio: 'ignore',
    env: { ...process.env, ...environment },
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  return withDatabase(workspace, async (connection) => {
    expect(await faultsAtRest(connection, workspace.out)).toEqual([]);
    const fields = 'id, key_name, action, resource, record_id, before, after, revision';
    const receipts = connection.prepare(`SELECT ${fields} FROM receipts ORDER BY id`).all();
    const times = connection.prepare<[], string>('SELECT at FROM receipts ORDER BY id').pluck().all();
    return { tree: readTree(workspace.out), receipts, times };
  });
}

test.concurrent.each<Record<string, string>>([
  { AWARDS_TEST_CLOCK: 'backwards', TZ: 'Asia/Kathmandu' },
  { AWARDS_TEST_CLOCK: 'stopped at the end of time', TZ: 'Pacific/Kiritimati' },
  { AWARDS_TEST_CLOCK: 'never set', TZ: 'America/St_Johns' },
  { TZ: 'Europe/Istanbul', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', LANGUAGE: 'tr' },
  { TZ: 'Africa/Cairo', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8', LANGUAGE: 'ar' },
  { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
])('%j', async (environment) => {
  const name = Object.values(environment).join(' ').replaceAll('/', '-');
  const { tree, receipts, times } = await resultWith(name, environment);
  expectSameTree(tree, expected.tree);
  expect(receipts).toEqual(expected.receipts);
  for (const time of times) expect(time).toMatch(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z$/);
  const years = [...new Set(times.map((time) => time.slice(0, 4)))];
  if (environment.AWARDS_TEST_CLOCK === 'stopped at the end of time') expect(years).toEqual(['9999']);
  if (environment.AWARDS_TEST_CLOCK === 'never set') expect(years).toEqual(['1970']);
  if (environment.AWARDS_TEST_CLOCK === 'backwards') expect(times.toSorted().reverse()).toEqual(times);
});
