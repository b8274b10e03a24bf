/**
 * The promise, as a drill: a backup is made while editors write, the machine is lost, and the backup is restored on a new one.
 * Every write that was acknowledged before the backup is there, no id from after it is given again, and the snapshot that was
 * published stays until an operator decides.
 */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { awards } from '../support/processes.ts';
import { Client, isGone, type Reply } from './client.ts';
import { Fixture } from './fixture.ts';
import { ServiceProcess } from './service-process.ts';

const at = useMemoryFolder();
const services: ServiceProcess[] = [];
afterAll(() => Promise.all(services.map((service) => service.kill())));

interface Write {
  path: string;
  fields: Record<string, unknown>;
}

/** Sends writes one after the other until the service is gone. */
class DrillEditor {
  /** Acknowledged, in order. */
  readonly done: Write[] = [];
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async work(name: string): Promise<void> {
    for (let count = 0; ; count += 1) {
      const title = `${name} ${count}`;
      const reply = await this.#send(title, count);
      if (reply === undefined) return;
      expect([200, 201]).toContain(reply.status);
      const record = JSON.parse(reply.body.toString()) as { id: number };
      this.done.push({ path: `/api/movies/${record.id}`, fields: { title } });
    }
  }

  /** Every other write is a new film. @returns undefined if the service is gone */
  async #send(title: string, count: number): Promise<Reply | undefined> {
    const latest = this.done.at(-1)?.path;
    const target = count % 2 === 1 && latest ? latest : '/api/movies';
    try {
      return await this.#client.write(target, { title });
    } catch (error) {
      if (!isGone(error)) throw error;
      return undefined;
    }
  }
}

async function start(db: string, out: string) {
  const service = new ServiceProcess({ db, out });
  services.push(service);
  return { service, client: new Client(await service.address) };
}

async function run(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await awards([...words, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The last write of each record. */
const last = (writes: readonly Write[]) => [...new Map(writes.map((write) => [write.path, write])).values()];

test('back up under load, lose the machine, restore, build, verify', async () => {
  const { db, out } = (await Fixture.prepare(at('machine'), ['site', 'pages', 'lists', 'downloads'])).copyTo(
    at('first'),
  );
  const { service, client } = await start(db, out);
  const editors = [new DrillEditor(client), new DrillEditor(client)];
  const working = Promise.all(editors.map((editor, i) => editor.work(`Editor ${i}`)));
  const count = () => editors.reduce((sum, { done }) => sum + done.length, 0);
  const untilWritten = async (writes: number) => {
    for (const goal = count() + writes; count() < goal; ) await pause(10);
  };
  await untilWritten(20);
  const before = last(editors.flatMap(({ done }) => done));
  const backup = at('backup.db');
  expect(await run('backup', backup, '--db', db)).toMatchObject({ file: backup });
  await untilWritten(20);
  await service.kill();
  await working;
  const given = editors.flatMap(({ done }) => done.map(({ path }) => path));
  await run('build', '--db', db, '--out', out);
  const site = at('site');
  await run('publish', '--to', site, '--db', db, '--out', out);

  rmSync(dirname(db), { recursive: true });
  await run('restore', backup, '--db', db);
  await run('build', '--db', db, '--out', out);
  expect(await run('verify', '--db', db, '--out', out)).toMatchObject({ differences: [] });

  const refused = await awards(['publish', '--to', site, '--db', db, '--out', out]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/before a restore.*--force/);
  await run('publish', '--force', '--to', site, '--db', db, '--out', out);

  const { service: second, client: restored } = await start(db, out);
  for (const { path, fields } of before) {
    const found = await restored.read(path);
    expect(found, path).toMatchObject({ id: Number(path.split('/').at(-1)) });
    // A later write of the same editor may be in the backup, too.
    const titles = editors.flatMap(({ done }) => done).filter((write) => write.path === path);
    const index = titles.findIndex((write) => write.fields.title === found.title);
    expect(index).toBeGreaterThanOrEqual(titles.findIndex((write) => write.fields === fields));
  }
  for (let i = 0; i < 10; i += 1) {
    const { status, body } = await restored.write('/api/movies', { title: `New ${i}` });
    expect(status).toBe(201);
    expect(given).not.toContain(`/api/movies/${(JSON.parse(body.toString()) as { id: number }).id}`);
  }
  const receipts = JSON.parse((await restored.receipts()).body.toString()) as { data: { id: number }[] };
  expect(receipts.data.filter(({ id }) => id > 1_000_000)).toHaveLength(10);
  expect(await second.stop()).toBe(0);
  expect(await run('verify', '--db', db, '--out', out)).toMatchObject({ differences: [] });
}, 180_000);

test('a restore is refused while the service runs; after it, a build replaces the later snapshot', async () => {
  const { db, out } = (await Fixture.prepare(at('running'))).copyTo(at('second'));
  await run('backup', at('second.db'), '--db', db);
  const { service, client } = await start(db, out);
  expect((await client.write('/api/movies/1', { title: 'Later' })).status).toBe(200);
  const { code, stderr } = await awards(['restore', at('second.db'), '--db', db]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^awards: .* is in use by another program, such as "awards serve"[^\n]*\n$/);
  expect(await service.stop()).toBe(0);
  await run('restore', at('second.db'), '--db', db);
  await run('build', '--db', db, '--out', out);
  expect(await run('verify', '--db', db, '--out', out)).toMatchObject({ differences: [] });
});
