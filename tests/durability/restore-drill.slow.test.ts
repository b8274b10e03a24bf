/**
 * The promise, as a drill: a backup is made while editors write, the machine is lost, and the backup is restored on a new one.
 * Every write that was acknowledged before the backup is there, no id from after it is given again, and the snapshot that was
 * published stays until an operator decides.
 */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { awards, stdoutOf } from '../support/processes.ts';
import { Crew } from './crew.ts';
import { Fixture, type Reply } from '../support/workspace.ts';
import { ServiceProcess } from './service-process.ts';

const at = useWorkspace();

const run = async (...words: string[]) =>
  JSON.parse(await stdoutOf([...words, '--json'])) as Record<string, unknown>;

/** For what is published. */
const origin = ['--origin', 'https://awards.example'];

const idIn = (body: Buffer) => (JSON.parse(body.toString()) as { id: number }).id;

test('back up under load, lose the machine, restore, build, verify', async () => {
  const { db, out } = (await Fixture.prepare(at('machine'), layerNames)).copyTo(at('first'));
  const service = new ServiceProcess({ db, out });
  const client = await service.client;
  const before = new Crew('before the backup', 2);
  await before.work([client], 20);
  const backup = at('backup.db');
  const later = new Crew('during the backup and after it', 1, 0, 3);
  let lost: Reply | undefined;
  await later.during([client], async () => {
    expect(await run('backup', backup, '--db', db)).toMatchObject({ file: backup });
    await later.reach(10);
    lost = await client.write('/api/movies', { title: 'Lost' });
    await service.kill();
  });
  expect(later.tally).toMatchObject({ refused: 0, faults: [] });
  await run('build', '--db', db, '--out', out, ...origin);
  const site = at('site');
  await run('publish', '--to', site, '--db', db, '--out', out);

  rmSync(dirname(db), { recursive: true });
  await run('restore', backup, '--db', db);
  await run('build', '--db', db, '--out', out, ...origin);
  expect(await run('verify', '--db', db, '--out', out, ...origin)).toMatchObject({ differences: [] });

  const refused = await awards(['publish', '--to', site, '--db', db, '--out', out]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/before a restore.*--force/);
  await run('publish', '--force', '--to', site, '--db', db, '--out', out);

  const second = new ServiceProcess({ db, out });
  const restored = await second.client;
  await before.expectNothingLost([restored]);
  for (let i = 0; i < 10; i += 1) {
    const { status, body } = await restored.write('/api/movies', { title: `New ${i}` });
    expect(status).toBe(201);
    expect(idIn(body)).toBeGreaterThan(idIn(lost!.body));
  }
  const receipts = JSON.parse((await restored.receipts()).body.toString()) as { data: { id: number }[] };
  expect(receipts.data.filter(({ id }) => id > 1_000_000)).toHaveLength(10);
  expect(await second.stop()).toBe(0);
  await run('build', '--db', db, '--out', out);
  expect(await run('verify', '--db', db, '--out', out)).toMatchObject({ differences: [] });
});
