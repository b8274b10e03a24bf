/** A monitor learns from /healthz and /readyz whether the service answers, and in words what is broken. */
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { matchRoute } from '../../api/contract/routes.ts';
import { Health, type Readiness } from '../../api/server/health.ts';
import { openWriting } from '../../api/write/writing.ts';
import { createKey } from '../../data/record/keys.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { build } from '../support/build.ts';
import { expectProblem } from './raw-connection.ts';
import { type BuiltFolder, builtFolder, type RunningService, startService } from './running-service.ts';

let built: BuiltFolder;
let service: RunningService | undefined;
const cleanup: (() => unknown)[] = [];
beforeEach(async () => {
  built = await builtFolder(fillWithTinyRecord);
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
  for (const close of cleanup.splice(0)) await close();
  built.connection.close();
});

async function readiness(): Promise<Readiness & { code: number }> {
  const { status, body } = await service!.ask('/readyz');
  return { code: status, ...(JSON.parse(body.toString()) as Readiness) };
}

/** A time that a file system keeps as it is. */
const wholeSecond = (secondsAgo: number) => new Date((Math.floor(Date.now() / 1000) - secondsAgo) * 1000);

describe('both addresses', () => {
  const addresses = ['/healthz', '/readyz'];

  it('answer GET and HEAD, are never cached and never limited', async () => {
    service = await startService(built.out, { readLimit: 1 });
    for (const address of [...addresses, ...addresses, '/healthz?x=1']) {
      const { status, headers, body } = await service.ask(address);
      expect({ status, type: headers['content-type'] }).toEqual({
        status: 200,
        type: 'application/json; charset=utf-8',
      });
      expect(headers['cache-control']).toBe('no-store');
      expect(headers).not.toHaveProperty('ratelimit');
      expect(headers).not.toHaveProperty('etag');
      expect(JSON.parse(body.toString())).toHaveProperty('status');
      const head = await service.ask(address, { method: 'HEAD' });
      expect([head.status, head.body.length]).toEqual([200, 0]);
    }
    const refused = await service.ask('/readyz', { method: 'POST', body: '{}' });
    expect(refused.headers.allow).toBe('GET, HEAD');
    expectProblem(refused.body, 405);
  });

  it('are neither a file of a build nor a route of the API', async () => {
    const files = fastGlob.sync('**/*', { cwd: inject('sample').out });
    expect(files.filter((file) => addresses.includes(`/${file}`))).toEqual([]);
    expect(addresses.map(matchRoute)).toEqual([undefined, undefined]);
    writeFileSync(join(built.out, 'healthz'), 'a file');
    service = await startService(built.out);
    expect((await service.ask('/healthz')).body.toString()).toBe('{"status":"ok"}\n');
  });
});

describe('/readyz', () => {
  it('names the snapshot and its age, the layers, and that there is nothing to write', async () => {
    const since = wholeSecond(60);
    utimesSync(join(built.out, 'manifest.json'), since, since);
    service = await startService(built.out, {
      health: new Health(built.out, ['pages']),
    });
    const { snapshot } = JSON.parse(readFileSync(join(built.out, 'manifest.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    const found = await readiness();
    expect(found).toMatchObject({
      code: 200,
      status: 'ready',
      problems: [],
      snapshot: { id: snapshot, since: since.toISOString() },
      layers: { pages: { behind: false, since: null, behind_seconds: 0 } },
      writes_pending: null,
      last_error: null,
    });
    expect(found.snapshot!.age_seconds).toBeGreaterThanOrEqual(60);
  });

  it.each(['starting', 'stopping'] as const)('is 503 while the service is %s', async (phase) => {
    const health = new Health(built.out, ['pages']);
    service = await startService(built.out, { health });
    health.phase = phase;
    expect(await readiness()).toMatchObject({ code: 503, status: phase });
    expect((await service.ask('/healthz')).status).toBe(200);
  });

  it('is degraded while answers come from a snapshot whose manifest is lost', async () => {
    service = await startService(built.out, { health: new Health(built.out, ['pages']) });
    expect(await readiness()).toMatchObject({ code: 200, status: 'ready' });
    rmSync(join(built.out, 'manifest.json'));
    expect(await readiness()).toMatchObject({
      code: 200,
      status: 'degraded',
      problems: ['the manifest is missing or damaged; "awards build" makes it'],
    });
    expect((await service.ask('/api/movies/1')).status).toBe(200);
  });

  it('is 503 without a snapshot, and says so without the paths of the machine', async () => {
    rmSync(built.out, { recursive: true });
    const health = new Health(built.out, layerNames);
    service = await startService(built.out, { health });
    health.failed(new Error(`ENOENT: no such file, open '${built.out}/manifest.json'\n    at secret.ts:1`));
    const found = await readiness();
    expect(found).toMatchObject({ code: 503, status: 'unavailable', snapshot: null });
    expect(found.problems[0]).toMatch(/^the snapshot cannot be read: .*manifest\.json/);
    expect(found.last_error?.message).toBe("ENOENT: no such file, open 'manifest.json'");
    expect(Date.parse(found.last_error!.time)).toBeLessThanOrEqual(Date.now());
  });

  it('names the broken reference that keeps the snapshot from being built, until it is mended', async () => {
    const { connection, out } = built;
    const health = new Health(out, ['pages']);
    const headers = {
      'x-api-key': createKey(connection, 'editor', new Date()),
      'Content-Type': 'application/json',
    };
    const writing = await openWriting({
      db: connection.name,
      out,
      writeLimit: 0,
      onError: (error) => health.failed(error),
      onBuild: (report) => health.built(report),
    });
    cleanup.push(() => writing.close());
    service = await startService(out, { writing, health });
    expect(await readiness()).toMatchObject({ code: 200, status: 'ready', writes_pending: 0 });
    connection.pragma('foreign_keys = OFF');
    connection.exec('DELETE FROM movies WHERE id = 1');
    const edit = (tagline: string) =>
      service!.ask('/api/movies/2', { method: 'PATCH', headers, body: JSON.stringify({ tagline }) });
    const first = await edit('one');
    // Where the writer's look at the database comes first, its build has failed already, and the write is refused.
    const isRefused = first.status === 503;
    expect(first.headers['snapshot-pending']).toBe(isRefused ? undefined : '?1');
    const broken = 'nominations 1 refers to a record of movies that is not there';
    const found = await readiness();
    expect(found).toMatchObject({
      code: 200,
      status: 'degraded',
      problems: [
        expect.stringMatching(
          `^builds of the snapshot have failed since .*Z, and writes are refused: .*: ${broken}$`,
        ),
      ],
      writes_pending: isRefused ? 1 : 2,
      last_error: { message: expect.stringContaining(broken) },
    });
    connection.exec("INSERT INTO movies (id, title) VALUES (1, 'Amélie')");
    await expect.poll(async () => (await readiness()).status, { timeout: 10_000 }).toBe('ready');
    expect((await edit('two')).headers['snapshot-pending']).toBeUndefined();
    expect(await readiness()).toMatchObject({ status: 'ready', problems: [], writes_pending: 0 });
  });
});

describe('a layer', () => {
  const change = (tagline: string, layers: ('pages' | 'site')[] = []) => {
    built.connection.exec(`UPDATE movies SET tagline = '${tagline}' WHERE id = 1`);
    return build(built.connection, built.out, { layers });
  };
  const placed = () => statSync(join(built.out, 'manifest.json'), { bigint: true }).mtime.toISOString();

  it('is behind since the first snapshot that it lacks', async () => {
    const health = new Health(built.out, ['pages', 'site']);
    const behind = async () => {
      const { pages, site } = (await health.readiness()).layers;
      return [pages?.since, site?.since];
    };
    const first = placed();
    // There was never a site.
    expect(await behind()).toEqual([null, first]);
    await change('one');
    const second = placed();
    expect(await behind()).toEqual([second, first]);
    await change('two');
    expect(await behind()).toEqual([second, first]);
    await change('three', ['pages']);
    expect(await behind()).toEqual([null, first]);
    await change('four');
    expect(await behind()).toEqual([placed(), first]);
    // Up to date and behind again between two looks.
    await change('five', ['pages']);
    await change('six');
    expect(await behind()).toEqual([placed(), first]);
  });

  it.each([
    [295, 'ready'],
    [305, 'degraded'],
  ])(
    'that is behind for %d seconds leaves the service %s: five minutes are a problem',
    async (age, status) => {
      await change('one');
      const since = wholeSecond(age);
      utimesSync(join(built.out, 'manifest.json'), since, since);
      service = await startService(built.out, { health: new Health(built.out, ['pages']) });
      expect(await readiness()).toMatchObject({
        code: 200,
        status,
        problems: status === 'ready' ? [] : [`pages: behind the snapshot since ${since.toISOString()}`],
        layers: { pages: { behind: true, since: since.toISOString() } },
      });
    },
  );
});
