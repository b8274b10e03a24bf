/**
 * The promise: after anything ends or hinders the service while editors write, acknowledged writes are there, a refused
 * write is not made, an answer is right or 503, and the folder becomes that of a clean build. One table of troubles.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { examine } from '../../build/cli/doctor.ts';
import { recordOf } from '../records/record-text.ts';
import { readTree, type Tree } from '../records/tree.ts';
import { awards, stdoutOf } from '../support/processes.ts';
import { project } from '../support/project.ts';
import type { Choices } from '../records/random.ts';
import { seeded } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { Crew } from './crew.ts';
import {
  type Client,
  expectAtRestSoon,
  faultsBetween,
  Fixture,
  servedLayers,
  withDatabase,
  type Workspace,
} from '../support/workspace.ts';
import { loseChanges } from '../support/folder-damage.ts';
import { HistoryReplay } from '../support/history-replay.ts';
import { ServiceProcess } from './service-process.ts';

const at = useWorkspace();
const timeout = 3_600_000;
const fixture = await Fixture.prepare(at('original'), servedLayers);
/** Undone after each test, the last first. */
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

interface Scene {
  workspace: Workspace;
  service: ServiceProcess;
  client: Client;
  crew: Crew;
  choices: Choices;
}

interface Trouble {
  what: string;
  /** What happens while the crew works. */
  happens(scene: Scene): Promise<unknown>;
  /** What happens to the folder after the service has ended, before it starts again. */
  afterwards?(scene: Scene, before: Tree): Promise<unknown>;
  /** Whether writes may be refused, or acknowledged as pending. */
  hindersWrites?: boolean;
  /** Whether readers may get 503, too. */
  hindersReads?: boolean;
  /** Whether another program changes records, which gives no receipts. */
  isForeign?: boolean;
}

async function kill({ service, crew, choices }: Scene): Promise<void> {
  await crew.reach(choices.between(1, 12));
  await pause(choices.between(0, 50));
  await service.kill();
}

const ends: Trouble[] = [
  { what: 'it is killed', happens: kill },
  {
    what: 'it is killed while it starts',
    async happens(scene) {
      await kill(scene);
      const next = new ServiceProcess(scene.workspace);
      await pause(scene.choices.between(0, 400));
      await next.kill();
    },
  },
  {
    what: 'it is killed, and files that were not synced are lost',
    happens: kill,
    async afterwards({ workspace, choices }, before) {
      loseChanges(workspace.out, before, choices);
      const findings = await examine(workspace, undefined);
      const isFine = findings.every(
        ({ subject, state }) => !['snapshot', ...servedLayers].includes(subject) || state === 'fine',
      );
      if (isFine) expect(faultsBetween(workspace.out)).toEqual([]);
      if (choices.chance(0.3)) await buildFrom(workspace);
    },
  },
  {
    what: "the writer's thread ends: the process says so, and ends with exit code 1",
    hindersWrites: true,
    async happens({ service, crew }) {
      await crew.reach(3);
      service.signal('SIGUSR2');
      expect(await service.ended).toBe(1);
      const lines = service.stderr.trimEnd().split('\n');
      const errors = lines.map((text) => JSON.parse(text) as { level: string; msg: string });
      const msg = expect.stringMatching(/^the writer ended: Cannot read properties of null/) as string;
      // The start repairs what an earlier trouble has damaged.
      expect(errors.filter((each) => !/^(request$|repaired: )/.test(each.msg))).toEqual([
        expect.objectContaining({ level: 'error', msg }),
      ]);
    },
  },
];

const ofFolder: Trouble[] = [
  {
    what: 'a file takes the place of the folder of the snapshot',
    hindersWrites: true,
    hindersReads: true,
    async happens({ workspace: { out }, client, crew: { tally } }) {
      // In one step: the service writes into the folder meanwhile.
      renameSync(out, `${out}-before`);
      writeFileSync(out, 'not a folder');
      const isHindered = () => tally.pending > 0 && tally.refused > 0;
      await expect.poll(isHindered, { timeout: 120_000 }).toBe(true);
      expect(await client.read('/readyz')).toMatchObject({
        status: 'degraded',
        problems: expect.arrayContaining([
          expect.stringMatching(/^builds of the snapshot have failed since .+, and writes are refused: /),
        ]),
      });
      rmSync(out);
      rmSync(`${out}-before`, { recursive: true });
    },
  },
  {
    what: 'the folder of the snapshot is removed',
    hindersWrites: true,
    hindersReads: true,
    async happens({ workspace: { out, folder }, crew }) {
      renameSync(out, join(folder, 'away'));
      await crew.reach(5);
      rmSync(join(folder, 'away'), { recursive: true });
    },
  },
];

const ofPrograms: Trouble[] = [
  {
    what: 'another program builds everything into the folder',
    hindersWrites: true,
    happens: ({ workspace }) => buildFrom(workspace, '--full'),
  },
  {
    what: 'another program imports films',
    // It holds the lock of the database for a moment.
    hindersWrites: true,
    isForeign: true,
    async happens({ workspace: { db, folder }, client, crew }) {
      const source = join(folder, 'source.tsv');
      writeFileSync(source, recordOf({}, { Film: 'Flow', FilmId: 'tt4772188', Winner: '' }));
      await stdoutOf(['import', source, '--db', db]);
      // It is shown with the next write.
      await crew.reach(2);
      expect(await client.read('/api/movies?title=flow')).toMatchObject({ pagination: { total: 1 } });
    },
  },
  {
    what: 'another program locks the database',
    isForeign: true,
    hindersWrites: true,
    async happens({ workspace: { db }, client, crew }) {
      const other = new Database(db);
      other.exec("BEGIN IMMEDIATE; UPDATE songs SET artist_names = 'Half way'");
      await expect.poll(() => crew.tally.refused, { timeout: 120_000 }).toBeGreaterThan(0);
      // A look at the lock is shared for a second.
      await expect
        .poll(() => client.read('/readyz'), { timeout: 120_000 })
        .toMatchObject({
          problems: expect.arrayContaining(['another program has locked the database: writes are refused']),
        });
      const shown = () => client.read('/api/songs/1');
      expect(await shown()).not.toMatchObject({ artist_names: 'Half way' });
      other.exec('COMMIT');
      other.close();
      await crew.reach(2);
      expect(await shown()).toMatchObject({ artist_names: 'Half way' });
    },
  },
];

/** Files of the database are taken away while the service writes; they come back, or the service is killed. */
function lostFiles(
  what: string,
  suffixes: string[],
  take: (path: string, to: string) => void,
  isBack = true,
) {
  const happens: Trouble['happens'] = async ({ workspace: { db }, service, client, crew }) => {
    await crew.reach(3);
    for (const suffix of suffixes) take(db + suffix, `${db}.away${suffix}`);
    const before = crew.tally.refused;
    await expect.poll(() => crew.tally.refused - before, { timeout: 120_000 }).toBeGreaterThan(3);
    const file = `awards.db${suffixes[0]}`;
    const problem = `${file} was moved, deleted or replaced while it is in use: put it back, or start this program again; writes are refused`;
    expect(await client.read('/readyz')).toMatchObject({
      status: 'degraded',
      // A build that was under way fails, too.
      problems: expect.arrayContaining([problem]),
    });
    await expect.poll(() => service.stderr).toContain(`"${db}${suffixes[0]} was moved`);
    if (isBack) {
      for (const suffix of suffixes) renameSync(`${db}.away${suffix}`, db + suffix);
      await crew.reach(3);
    } else {
      // The log is copied into the database, as soon as no build reads.
      await pause(1000);
      await service.kill();
    }
  };
  return { what, hindersWrites: true, happens } satisfies Trouble;
}

const copyInPlace = (path: string, to: string) => {
  renameSync(path, to);
  copyFileSync(to, path);
};

const ofDatabase: Trouble[] = [
  lostFiles('its database is moved away and back', ['', '-wal', '-shm'], renameSync),
  lostFiles('another file takes the place of its database for a while', [''], copyInPlace),
  lostFiles('its log is moved away and back', ['-wal'], renameSync),
  lostFiles('the index of its log is moved away and back', ['-shm'], renameSync),
  lostFiles('its log is deleted, and the service killed', ['-wal'], (path) => rmSync(path), false),
  lostFiles(
    'its log and the index of the log are deleted, and the service killed',
    ['-wal', '-shm'],
    (path) => rmSync(path),
    false,
  ),
];

type Disk = 'database' | 'snapshot' | 'both';

/** The disk is full until the answers show it. With some bytes free, small files still have room. */
const fullDisk = (disk: Disk, freeBytes: number): Trouble => ({
  what: `its disk is full, ${freeBytes} bytes free`,
  hindersWrites: true,
  async happens({ workspace, client, crew }) {
    const { tally } = crew;
    const release = fillUp(disk === 'snapshot' ? workspace.out : workspace.folder, freeBytes);
    await pause(500);
    const isShown = () => {
      if (disk === 'database') return tally.refused > 0;
      if (disk === 'snapshot' && freeBytes === 0) return tally.pending > 0;
      return tally.pending + tally.refused > 0 || freeBytes > 0;
    };
    await expect.poll(isShown, { timeout: 120_000 }).toBe(true);
    const places = { database: ['database'], snapshot: ['snapshot'], both: ['database', 'snapshot'] }[disk];
    const isShort = (what: string) =>
      `the disk of the ${what} has 0 MiB left; below 32 MiB writes and builds may fail`;
    expect(await client.read('/readyz')).toMatchObject({
      status: 'degraded',
      problems: expect.arrayContaining([
        ...places.map(isShort),
        ...(disk === 'database' ? ['there was no room to store a write; make room on its disk'] : []),
      ]),
    });
    expect((await examine(workspace)).find(({ subject }) => subject === 'disk')).toMatchObject({
      state: 'wrong',
      found: isShort(places[0]!),
    });
    if (disk === 'database') {
      const { stderr } = await awards(wordsOfBuild(workspace));
      expect(stderr).toMatch(/^(awards: cannot open the database [^\n]+: its disk is full; make room\n)?$/);
    }
    release();
    // Whether there is room again shows a write that is stored.
    await crew.reach(1);
  },
});

const wordsOfBuild = ({ db, out }: Workspace) => ['build', '--no-downloads', '--db', db, '--out', out];
const buildFrom = (workspace: Workspace, ...options: string[]) =>
  stdoutOf([...wordsOfBuild(workspace), ...options]);

const environment = { NODE_OPTIONS: `--import ${join(project, 'tests/durability/ending-writer.mjs')}` };

const start = (workspace: Workspace) => new ServiceProcess(workspace, undefined, environment);

const isCurrent = (client: Client) =>
  expect.poll(() => client.isCurrent(), { timeout: 120_000, interval: 20 }).toBe(true);

const obstacle = mountObstacle();

/** One after the other for one service, which starts again where it has ended. */
test.for<[name: string, troubles: Trouble[], disk?: Disk]>([
  ['the service ends', ends],
  ['its folder is replaced', ofFolder],
  ['other programs use its files', ofPrograms],
  ['the files of its database are lost', ofDatabase],
  ['the disk of the snapshot is full', [0, 20_000].map((bytes) => fullDisk('snapshot', bytes)), 'snapshot'],
  ['the disk of the database is full', [fullDisk('database', 0)], 'database'],
  ['the disk of both is full', [fullDisk('both', 30_000)], 'both'],
])('nothing is lost when %s', { timeout }, async ([name, troubles, disk], { skip }) => {
  skip(disk !== undefined && obstacle !== undefined, obstacle);
  const choices = seeded(name);
  const out = disk === 'database' ? at(`${name} out`) : join(at(name), 'dist');
  if (disk) undo.push(mountSmallDisk(disk === 'snapshot' ? out : at(name)));
  const workspace = fixture.copyTo(at(name), out);
  let replay = await fixture.replay();
  const crew = new Crew(name, 3, 2);
  let service = start(workspace);
  let client = await service.client;
  await isCurrent(client);
  undo.push(() => service.kill());
  for (const trouble of troubles)
    for (let round = 0; round < runs(1); round += 1) {
      Object.assign(crew.tally, { pending: 0, refused: 0 });
      // Files come and go while it is read: lists follow late.
      const before: Tree = trouble.afterwards ? await vi.waitFor(() => readTree(out), 20_000) : new Map();
      const scene = { workspace, service, client, crew, choices };
      await crew.during([client], () => trouble.happens(scene), !trouble.hindersReads);
      const isAlive = await client.get('/healthz').then(
        () => true,
        () => false,
      );
      if (!isAlive) {
        expect(faultsBetween(out), trouble.what).toEqual([]);
        await trouble.afterwards?.(scene, before);
        service = start(workspace);
        client = await service.client;
        // The service answers first, and catches up behind. What was acknowledged was shown already, unless files are lost.
        if (!trouble.afterwards) await crew.expectNothingLost([client], false);
      }
      await isCurrent(client);
      await crew.expectNothingLost([client]);
      await withDatabase(workspace, (connection) => {
        if (trouble.isForeign) replay = new HistoryReplay(connection);
        expect(replay.follow(connection), trouble.what).toEqual([]);
      });
      await expectAtRestSoon(workspace);
      if (!trouble.hindersWrites) expect(crew.tally).toMatchObject({ pending: 0, refused: 0 });
    }
  await crew.work([client], 3);
  expect(await service.stop()).toBe(0);
  // What the stop interrupted, the next build or start makes.
  await buildFrom(workspace);
  await expectAtRestSoon(workspace);
});

/** Why nothing can be mounted here; undefined where it can. */
function mountObstacle(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'awards-mount-'));
  try {
    mountSmallDisk(folder)();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Mounts an empty disk at a folder. @returns unmounts it */
function mountSmallDisk(folder: string, size = '64m'): () => void {
  const run = (command: string, ...words: string[]) => {
    const { status, stderr, error } = spawnSync(command, words, { encoding: 'utf8' });
    if (error) throw error;
    if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stderr.trim()}`);
  };
  mkdirSync(folder, { recursive: true });
  run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'awards-test', folder);
  // A file that is still open does not fail it.
  return () => run('umount', '--lazy', folder);
}

/** Leaves about this many bytes on the disk of a folder. @returns frees the rest again */
function fillUp(folder: string, freeBytes: number): () => void {
  const file = join(folder, '.filler');
  const descriptor = openSync(file, 'w');
  let position = 0;
  for (const size of [64 * 1024, 4096]) {
    const chunk = Buffer.alloc(size, 1);
    try {
      for (;;) position += writeSync(descriptor, chunk, 0, size, position);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(descriptor);
  truncateSync(file, Math.max(0, position - freeBytes));
  return () => rmSync(file, { force: true });
}

test('a new database on a small disk is whole, or not there and the disk is called full', {
  timeout,
}, async ({ skip }) => {
  skip(obstacle !== undefined, obstacle);
  const codes = new Set<number | null>();
  // The sample takes 1 MB, and as much in its log.
  for (const size of ['200k', '1500k', '4m']) {
    undo.push(mountSmallDisk(at('small'), size));
    const workspace = { db: join(at('small'), 'awards.db'), out: at('small') };
    const { code, stderr } = await awards(['sample', '--db', workspace.db]);
    expect(stderr).toMatch(
      code === 0 ? /^$/ : /^awards: (there is no space left|cannot open)[^\n]+ full[^\n]*\n$/,
    );
    const [database] = await examine(workspace);
    expect(database).toMatchObject(
      code === 0 ? { state: 'fine' } : { found: expect.stringMatching(/^there is no/) },
    );
    codes.add(code);
  }
  expect(codes).toEqual(new Set([1, 0]));
});
