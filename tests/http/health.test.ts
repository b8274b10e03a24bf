/** A monitor learns from /healthz and /readyz whether the service answers, and in words what is broken. */
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchedFile } from '../../api/read/node-source.ts';
import { watchFolder } from '../../api/server/folder-watch.ts';
import { Health, Incidents, type Readiness } from '../../api/server/health.ts';
import { storageWatch } from '../../api/write/storage.ts';
import { OutputFolder } from '../../build/snapshot/output-folder.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { build } from '../records/build.ts';
import { withFreeBytes } from '../support/free-space.ts';
import {
  type BuiltFolder,
  builtFolder,
  expectProblem,
  inProcess,
  type Service,
} from '../support/running-service.ts';

let built: BuiltFolder;
let incidents: Incidents;
let service: Service;
beforeEach(async () => {
  built = await builtFolder(fillWithTinyRecord);
  incidents = new Incidents();
  service = inProcess(built.out, { layers: ['pages'], incidents, readLimit: 1 });
});
afterEach(async () => {
  await service.stop();
  built.connection.close();
});

async function readiness(): Promise<Readiness & { code: number }> {
  const { status, body } = await service.ask('/readyz');
  return { code: status, ...(JSON.parse(body.toString()) as Readiness) };
}
const manifest = () => join(built.out, 'manifest.json');
/** Makes the manifest look as if it was put in place some time ago: a time that a file system keeps as it is. */
function placedBefore(seconds: number): string {
  const since = new Date((Math.floor(Date.now() / 1000) - seconds) * 1000);
  utimesSync(manifest(), since, since);
  return since.toISOString();
}

it('both addresses answer GET and HEAD, are never cached and never limited, and are no files', async () => {
  writeFileSync(join(built.out, 'healthz'), 'a file');
  for (const address of ['/healthz', '/readyz', '/healthz?x=1']) {
    const { status, headers, body } = await service.ask(address);
    expect([status, headers['cache-control'], headers.ratelimit]).toEqual([200, 'no-store', undefined]);
    expect(JSON.parse(body.toString())).toHaveProperty('status');
    const head = await service.ask(address, { method: 'HEAD' });
    expect([head.status, head.body.length]).toEqual([200, 0]);
  }
  expect((await service.ask('/healthz')).body.toString()).toBe('{"status":"ok"}\n');
  const refused = await service.ask('/readyz', { method: 'POST', body: '{}' });
  expect(refused.headers.allow).toBe('GET, HEAD');
  expectProblem(refused.body, 405);
});

describe('/readyz', () => {
  it('names the snapshot and its age, the layers, and that there is nothing to write', async () => {
    const since = placedBefore(60);
    const found = await readiness();
    expect(found).toMatchObject({
      code: 200,
      status: 'ready',
      problems: [],
      snapshot: { id: new OutputFolder(built.out).manifest()!.snapshot, since },
      layers: { pages: { behind: false, since: null, behind_seconds: 0 } },
      writes_pending: null,
      last_error: null,
    });
    expect(found.snapshot!.age_seconds).toBeGreaterThanOrEqual(60);
  });

  it.each(['starting', 'stopping'] as const)('is 503 while the service is %s', async (phase) => {
    incidents.phase = phase;
    expect(await readiness()).toMatchObject({ code: 503, status: phase });
    expect((await service.ask('/healthz')).status).toBe(200);
    incidents.noteBuild({ seconds: 1 });
    expect((await readiness()).status).toBe(phase === 'starting' ? 'ready' : 'stopping');
  });

  it('is degraded while answers come from a snapshot whose manifest is lost', async () => {
    expect((await readiness()).status).toBe('ready');
    rmSync(manifest());
    expect(await readiness()).toMatchObject({
      code: 200,
      status: 'degraded',
      problems: ['the manifest is missing or damaged; "awards build" makes it'],
    });
    expect((await service.ask('/api/movies/1')).status).toBe(200);
  });

  it('is 503 without a snapshot, and says so without the paths of the machine', async () => {
    rmSync(built.out, { recursive: true });
    incidents.noteFailure(
      new Error(`ENOENT: no such file, open '${built.out}/manifest.json'\n    at secret.ts:1`),
    );
    const found = await readiness();
    expect(found).toMatchObject({ code: 503, status: 'unavailable', snapshot: null });
    expect(found.problems[0]).toMatch(/^the snapshot cannot be read: [^/]*manifest\.json/);
    expect(found.last_error!.message).toBe("ENOENT: no such file, open 'manifest.json'");
    expect(Date.parse(found.last_error!.time)).toBeLessThanOrEqual(Date.now());
  });

  it('is degraded while builds fail and while writes are refused, and counts what waits', async () => {
    for (const problem of ['first', 'second']) incidents.noteBuild({ seconds: 1, problem });
    const database = { failedWrites: new Map(), freeBytes: () => ({}) };
    const isMoved = async () => ['awards.db was moved'];
    const { service: observed } = service.health;
    observed.database = { ...database, pendingChanges: () => 2, problems: isMoved };
    expect(await readiness()).toMatchObject({
      code: 200,
      status: 'degraded',
      problems: [
        'awards.db was moved',
        expect.stringMatching(
          /^builds of the snapshot have failed since \S+Z, and writes are refused: second$/,
        ),
      ],
      writes_pending: 2,
    });
    incidents.noteBuild({ seconds: 1 });
    const isFine = async () => [];
    observed.database = { ...database, pendingChanges: () => 0, problems: isFine };
    expect(await readiness()).toMatchObject({ status: 'ready', problems: [], writes_pending: 0 });
  });
});

describe('the room for writes', () => {
  const room = () => storageWatch({ database: join(built.out, 'awards.db'), snapshot: built.out });
  const full = { problem: 'storage-full', detail: 'no room' } as const;
  const stored = { group: null, data: [], snapshot: undefined };

  it('is a problem from the first write that found none until one is stored', () => {
    const watch = room();
    expect(watch.problems()).toEqual([]);
    watch.note(full);
    // It says nothing about room.
    watch.note({ problem: 'no-such-record', detail: 'none' });
    watch.note({ problem: 'writing-unavailable', detail: 'locked' });
    const problem = 'there was no room to store a write; make room on its disk';
    expect(watch.problems()).toEqual([problem]);
    watch.note(stored);
    expect(watch.problems()).toEqual([]);
    expect([...watch.failedWrites]).toEqual([
      ['storage-full', 1],
      ['writing-unavailable', 1],
    ]);
  });

  it('stays a problem where a small write is stored on a disk that is still full', async () => {
    const watch = room();
    watch.note(full);
    const problem = 'there was no room to store a write; make room on its disk';
    await withFreeBytes(0, () => {
      watch.note(stored);
      expect(watch.problems()).toContain(problem);
    });
    watch.note(stored);
    expect(watch.problems()).toEqual([]);
  });

  it.each([
    [32 * 1024 * 1024, []],
    [
      32 * 1024 * 1024 - 4096,
      [
        'the disk of the database has 31 MiB left; below 32 MiB writes and builds may fail',
        'the disk of the snapshot has 31 MiB left; below 32 MiB writes and builds may fail',
      ],
    ],
  ])('with %d bytes free has the problems %j', async (bytes, problems) => {
    expect(await withFreeBytes(bytes, () => room().problems())).toEqual(problems);
    expect(await withFreeBytes(bytes, () => room().free())).toEqual({ database: bytes, snapshot: bytes });
  });
});

describe('a layer', () => {
  const change = (tagline: string, layers: ('pages' | 'site')[] = []) => {
    built.connection.exec(`UPDATE movies SET tagline = '${tagline}' WHERE id = 1`);
    return build(built.connection, built.out, { layers });
  };
  const placed = () => statSync(manifest(), { bigint: true }).mtime.toISOString();

  it('is behind since the first snapshot that it lacks', async () => {
    const folder = watchFolder({ out: built.out });
    const both = new Health({ ...service.health.service, folder });
    const behind = async () => {
      const { pages, site } = (await both.readiness()).layers;
      return [pages?.since, site?.since];
    };
    const first = placed();
    // There was never a site.
    expect(await behind()).toEqual([null, first]);
    await change('one');
    const second = placed();
    expect(await behind()).toEqual([second, first]);
    await change('two');
    await change('three', ['pages']);
    expect(await behind()).toEqual([null, first]);
    // Up to date and behind again between two looks.
    await change('four', ['pages']);
    await change('five');
    expect(await behind()).toEqual([placed(), first]);
  });

  it.each([
    [295, 'ready'],
    [305, 'degraded'],
  ])('that is behind for %d seconds leaves the service %s', async (age, status) => {
    await change('one');
    const since = placedBefore(age);
    const problems = status === 'ready' ? [] : [`pages: behind the snapshot since ${since}`];
    expect(await readiness()).toMatchObject({ code: 200, status, problems, layers: { pages: { since } } });
  });
});

describe('a watched file', () => {
  it('is read again when it was replaced, changed in place, removed or added, and at no other look', () => {
    const file = join(built.out, 'watched');
    const read: string[] = [];
    const look = watchedFile(file, (bytes) => {
      read.push(String(bytes));
      return String(bytes);
    });
    const missing = look();
    expect([missing.isThere, missing.content, look()]).toEqual([false, undefined, missing]);
    const changes = [
      () => writeFileSync(file, 'one'),
      () => writeFileSync(file, 'two!'),
      () => {
        writeFileSync(`${file}.new`, 'new!');
        renameSync(`${file}.new`, file);
      },
    ];
    for (const change of changes) {
      const before = look();
      change();
      const after = look();
      expect(after).not.toBe(before);
      expect(look()).toBe(after);
      expect([after.content, after.content]).toEqual([String(readFileSync(file)), after.content]);
    }
    expect(read).toEqual(['one', 'two!', 'new!']);
    rmSync(file);
    expect([look().isThere, look().content]).toEqual([false, undefined]);
  });
});
