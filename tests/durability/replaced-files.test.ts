/**
 * The promise: a service whose database or log was replaced or removed refuses writes with 503 and one line in its log, goes on
 * reading, and ends in order. Nothing that it acknowledged before is lost in the files that remain.
 */
import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecord } from '../../data/record/edits.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { damages } from './damages.ts';
import { Fixture, servedLayers } from './fixture.ts';
import { ServiceProcess } from './service-process.ts';
import { withDatabase, workspaceIn } from './workspace.ts';

const at = useMemoryFolder();
const fixture = await Fixture.prepare(at('original'), servedLayers);

/** A service whose database is in a folder of its own. */
async function start(name: string) {
  const original = fixture.copyTo(at(name));
  const db = join(original.folder, 'data', 'awards.db');
  mkdirSync(dirname(db));
  await withDatabase(original, (connection) => connection.exec(`VACUUM INTO '${db}'`));
  const service = new ServiceProcess({ db, out: original.out });
  return { db, service, client: await service.client };
}

/** The files keep what was acknowledged, because the service puts its log into the database when it ends. */
const lossless = [
  'the log is removed',
  'the log is replaced by an empty one',
  'the index of the log is removed',
];
/** tests/data/replaced-files.test.ts has a transaction for each of the damages. */
const tried = [...lossless, 'the database is replaced', 'the folder is removed'];

test.each(tried.map((name) => [name, damages[name]!] as const))(
  '%s',
  async (name, { damage, path, how }) => {
    const { db, service, client } = await start(name);
    const patch = (body: object) => client.write('/api/movies/1', body);
    expect((await patch({ tagline: 'Acknowledged' })).status).toBe(200);
    damage(db);
    for (const tagline of ['Lost', 'Lost again']) {
      const { status, headers, body } = await patch({ tagline });
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      expect(JSON.parse(body.toString())).toMatchObject({
        type: expect.stringMatching(/writing-unavailable$/),
        // The answer is public: of the path it has the name alone.
        detail: expect.stringMatching(new RegExp(`^${basename(path(db))} was ${how}`)),
      });
    }
    expect(await client.read('/readyz')).toMatchObject({
      status: 'degraded',
      problems: [expect.stringContaining(`${basename(path(db))} was ${how}`)],
    });
    expect(await client.read('/api/movies/1')).toMatchObject({ tagline: 'Acknowledged' });
    expect(await service.stop()).toBe(0);
    const lines = service.stderr.trimEnd().split('\n');
    // The log has a line of its own for each refused request.
    const errors = lines.filter((line) => JSON.parse(line).msg !== 'request');
    for (const line of errors) expect(line).toContain(`${path(db)} was ${how}`);
    expect(errors).toHaveLength(2);
    if (!lossless.includes(name)) return;
    const workspace = { ...workspaceIn(at(name)), db };
    const record = await withDatabase(workspace, (connection) => readRecord(connection, 'movies', 1));
    expect(record).toMatchObject({ tagline: 'Acknowledged' });
  },
  120_000,
);
