/**
 * The promise: if the writer's thread ends, each write is made, or answered as unknown; the process ends with exit code 1 and a
 * line in the log. The next start has every acknowledged write.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bundleScript } from '../support/bundle.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { expectAtRestSoon, Fixture, servedLayers } from './fixture.ts';
import { ServiceProcess } from './service-process.ts';
import { withDatabase } from './workspace.ts';

const at = useMemoryFolder();
const fixture = await Fixture.prepare(at('original'), servedLayers);
const preload = await bundleScript('tests/durability/ending-writer.ts', at('.'));

test.each([
  ['crash', /^the writer ended: Cannot read properties of null/],
  ['terminate', /^the writer ended: no cause/],
])(
  'after a %s of the writer the process ends, and the next one has every acknowledged write',
  async (end, line) => {
    const workspace = fixture.copyTo(at(end));
    const replay = await fixture.replay();
    const service = new ServiceProcess(workspace, ['--no-downloads'], {
      NODE_OPTIONS: `--import ${preload}`,
      AWARDS_TEST_END: end,
    });
    const client = await service.client;
    await expect.poll(() => client.isCurrent(), { timeout: 30_000 }).toBe(true);
    const name = (i: number) => ({ tagline: `${end} ${i}` });
    expect((await client.write('/api/movies/1', name(0))).status).toBe(200);
    const paths = Array.from({ length: 3 }, (_, i) => `/api/movies/${1 + i}`);
    const writing = paths.map((path) => client.write(path, name(1)));
    await pause(5);
    service.endWriter();
    const replies = await Promise.all(writing);
    for (const { status, headers, body } of replies) {
      if (status === 200) continue;
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      expect(JSON.parse(body.toString())).toMatchObject({
        type: expect.stringMatching(/writing-unavailable$/),
        detail: expect.stringMatching(/read the record to see whether it was changed$|nothing was changed/),
      });
    }
    expect(await service.ended).toBe(1);
    const errors = service.stderr
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as { level: string; msg: string })
      .filter(({ msg }) => msg !== 'request');
    expect(errors).toEqual([expect.objectContaining({ level: 'error', msg: expect.stringMatching(line) })]);
    const next = new ServiceProcess(workspace);
    const reader = await next.client;
    await expect.poll(() => reader.isCurrent(), { timeout: 30_000 }).toBe(true);
    for (const [i, { status }] of replies.entries())
      if (status === 200) expect(await reader.read(paths[i]!)).toMatchObject(name(1));
    const { tagline } = await reader.read('/api/movies/1');
    expect([name(0).tagline, name(1).tagline]).toContain(tagline);
    expect(await next.stop()).toBe(0);
    expect(await withDatabase(workspace, (connection) => replay.follow(connection))).toEqual([]);
    await expectAtRestSoon(workspace, servedLayers);
  },
);
