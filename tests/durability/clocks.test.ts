/**
 * The promise: the same writes make the same record and the same bytes of the snapshot whatever the clock says and whatever
 * language is spoken; the times on the receipts are the only difference.
 */
import { spawn } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { expectSameTree, readTree, type Tree } from '../snapshot/tree.ts';
import { bundled } from './bundle.ts';
import { withDatabase } from './place.ts';
import { faultsAtRest, Stage } from './stage.ts';
import { useMemoryFolder } from './workspace.ts';

const at = useMemoryFolder();
let stage: Stage;
let script: string;
let clock: string;
let expected: Result;
beforeAll(async () => {
  stage = await Stage.prepare(at('original'));
  script = await bundled('./killed-writes.ts', at('.'));
  clock = await bundled('./clock.ts', at('.'));
  expected = await resultWith('as here', {});
});

interface Result {
  tree: Tree;
  receipts: unknown[];
  times: string[];
}

function run(words: readonly string[], environment: Record<string, string>): Promise<number | null> {
  const child = spawn(process.execPath, words, { stdio: 'ignore', env: { ...process.env, ...environment } });
  return new Promise((resolve) => child.on('close', resolve));
}

/** What the sequence of writes makes in an environment. */
async function resultWith(name: string, environment: Record<string, string>): Promise<Result> {
  const place = stage.copyTo(at(name));
  const clockwork = environment.AWARDS_TEST_CLOCK ? ['--import', clock] : [];
  expect(await run([...clockwork, script, place.folder], environment)).toBe(0);
  return withDatabase(place, async (connection) => {
    expect(await faultsAtRest(connection, place.out)).toEqual([]);
    const receipts = connection
      .prepare(
        'SELECT id, key_name, action, resource, record_id, before, after, revision FROM receipts ORDER BY id',
      )
      .all();
    const times = connection.prepare<[], string>('SELECT at FROM receipts ORDER BY id').pluck().all();
    return { tree: readTree(place.out), receipts, times };
  });
}

test.concurrent.each<Record<string, string>>([
  { AWARDS_TEST_CLOCK: 'backwards', TZ: 'Asia/Kathmandu' },
  { AWARDS_TEST_CLOCK: 'standing at the end of time', TZ: 'Pacific/Kiritimati' },
  { AWARDS_TEST_CLOCK: 'before it was set', TZ: 'America/St_Johns' },
  { TZ: 'Europe/Istanbul', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', LANGUAGE: 'tr' },
  { TZ: 'Africa/Cairo', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8', LANGUAGE: 'ar' },
  { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
])('%j', async (environment) => {
  const name = Object.values(environment).join(' ').replaceAll('/', '-');
  const { tree, receipts, times } = await resultWith(name, environment);
  expectSameTree(tree, expected.tree);
  expect(receipts).toEqual(expected.receipts);
  for (const time of times) expect(time).toMatch(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z$/);
  const years = new Set(times.map((time) => time.slice(0, 4)));
  if (environment.AWARDS_TEST_CLOCK === 'standing at the end of time') expect([...years]).toEqual(['9999']);
  if (environment.AWARDS_TEST_CLOCK === 'before it was set') expect([...years]).toEqual(['1970']);
  if (environment.AWARDS_TEST_CLOCK === 'backwards') expect(times.toSorted().reverse()).toEqual(times);
});
