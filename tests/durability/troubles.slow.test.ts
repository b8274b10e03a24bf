/**
 * The promise: whatever ends or hinders the service while editors write, acknowledged writes are there afterwards, a refused
 * write is not made, an answer is right or 503, and the folder becomes that of a clean build. One table of troubles.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
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
import { afterEach, expect, test } from 'vitest';
import { examine } from '../../build/cli/doctor.ts';
import { recordOf } from '../import/record-text.ts';
import { readTree } from '../snapshot/tree.ts';
import { awards, stdoutOf } from '../support/processes.ts';
import { project } from '../support/project.ts';
import type { Choices } from '../support/random.ts';
import { seeded } from '../support/seed.ts';
import { runs } from '../support/settings.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { Crew } from './crew.ts';
import {
  type Client,
  expectAtRestSoon,
  faultsBetween,
  Fixture,
  servedLayers,
  withDatabase,
  type Workspace,
} from './fixture.ts';
import { loseChanges } from './folder-damage.ts';
import { ServiceProcess } from './service-process.ts';

const at = useMemoryFolder();
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
  /** Which of the folders is a small disk of its own. */
  disk?: 'database' | 'snapshot' | 'both';
  environment?: Record<string, string>;
  /** What happens while the crew works. */
  happens(scene: Scene): Promise<unknown>;
  /** What happens to the folder after the service has ended, before it starts again. */
  afterwards?(scene: Scene, before: ReturnType<typeof readTree>): Promise<unknown>;
  /** Whether writes may be refused, or acknowledged as pending. */
  hindersWrites?: boolean;
  /** Whether readers may get 503, too. */
  hindersReads?: boolean;
  /** Whether another program changes records, which gives no receipts. */
  isForeign?: boolean;
}

/** Some writes, and a moment. */
async function someWork({ crew, choices }: Scene): Promise<void> {
  await crew.reach(choices.between(1, 12));
  await pause(choices.between(0, 50));
}

async function kill(scene: Scene): Promise<void> {
  await someWork(scene);
  await scene.service.kill();
}

/** The writer's thread ends: the process says so, and ends with exit code 1. */
const endWriter = (end: string, line: RegExp): Trouble => ({
  what: `the writer's thread ends: ${end}`,
  environment: {
    NODE_OPTIONS: `--import ${join(project, 'tests/durability/ending-writer.mjs')}`,
    AWARDS_TEST_END: end,
  },
  hindersWrites: true,
  async happens(scene) {
    await someWork(scene);
    scene.service.signal('SIGUSR2');
    expect(await scene.service.ended).toBe(1);
    const lines = scene.service.stderr.trimEnd().split('\n');
    const errors = lines.map((text) => JSON.parse(text) as { level: string; msg: string });
    expect(errors.filter(({ msg }) => msg !== 'request')).toEqual([
      expect.objectContaining({ level: 'error', msg: expect.stringMatching(line) }),
    ]);
  },
});

/** The disk is full until the answers show it. With some bytes free, small files still have room. */
const fullDisk = (disk: 'database' | 'snapshot' | 'both', freeBytes: number): Trouble => ({
  what: `the disk of ${disk === 'both' ? 'database and snapshot' : `the ${disk}`} is full, ${freeBytes} bytes free`,
  disk,
  hindersWrites: true,
  async happens({ workspace, crew: { tally } }) {
    const folder = disk === 'snapshot' ? workspace.out : workspace.folder;
    const release = fillUp(folder, freeBytes);
    await pause(500);
    const isShown = () =>
      disk === 'database' ? tally.refused > 0 : tally.pending + tally.refused > 0 || freeBytes > 0;
    await expect.poll(isShown, { timeout: 15_000, interval: 100 }).toBe(true);
    if (disk === 'snapshot' && freeBytes === 0) expect(tally.pending).toBeGreaterThan(0);
    if (disk === 'database') {
      const { stderr } = await awards([
        'build',
        '--no-downloads',
        '--db',
        workspace.db,
        '--out',
        workspace.out,
      ]);
      expect(stderr).toMatch(/^(awards: cannot open the database [^\n]+: its disk is full; make room\n)?$/);
    }
    release();
  },
});

const troubles: Trouble[] = [
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
      if (choices.chance(0.3))
        await stdoutOf(['build', '--no-downloads', '--db', workspace.db, '--out', workspace.out]);
    },
  },
  endWriter('crash', /^the writer ended: Cannot read properties of null/),
  endWriter('terminate', /^the writer ended: no cause/),
  ...[0, 20_000].map((freeBytes) => fullDisk('snapshot', freeBytes)),
  fullDisk('database', 0),
  fullDisk('both', 30_000),
  {
    what: 'a file takes the place of the folder of the snapshot',
    hindersWrites: true,
    hindersReads: true,
    async happens({ workspace: { out }, client, crew }) {
      // In one step: the service writes into the folder meanwhile.
      renameSync(out, `${out}-before`);
      writeFileSync(out, 'not a folder');
      const { tally } = crew;
      await expect
        .poll(() => [tally.pending > 0, tally.refused > 0], { timeout: 15_000 })
        .toEqual([true, true]);
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
  {
    what: 'another program builds everything into the folder',
    hindersWrites: true,
    happens: ({ workspace: { db, out } }) =>
      stdoutOf(['build', '--full', '--no-downloads', '--db', db, '--out', out]),
  },
  {
    what: 'another program imports films',
    // It holds the lock of the database for a moment.
    hindersWrites: true,
    isForeign: true,
    async happens({ workspace: { db, folder }, client, crew }) {
      writeFileSync(
        join(folder, 'source.tsv'),
        recordOf({}, { Film: 'Flow', FilmId: 'tt4772188', Winner: '' }),
      );
      await stdoutOf(['import', join(folder, 'source.tsv'), '--db', db]);
      // It is shown with the next write.
      await crew.reach(2);
      expect(await client.read('/api/movies?title=flow')).toMatchObject({ pagination: { total: 1 } });
    },
  },
  {
    what: 'another program locks the database',
    isForeign: true,
    hindersWrites: true,
    async happens({ workspace: { db }, client, crew, choices }) {
      await pause(choices.between(0, 20));
      const other = new Database(db);
      other.exec("BEGIN IMMEDIATE; UPDATE songs SET artist_names = 'Half way'");
      await expect.poll(() => crew.tally.refused, { timeout: 15_000 }).toBeGreaterThan(0);
      expect(await client.read('/readyz')).toMatchObject({
        problems: expect.arrayContaining(['another program has locked the database: writes are refused']),
      });
      expect(await client.read('/api/songs/1')).toMatchObject({ artist_names: 'José & Ann' });
      other.exec('COMMIT');
      other.close();
      await crew.reach(2);
      expect(await client.read('/api/songs/1')).toMatchObject({ artist_names: 'Half way' });
    },
  },
];

const isCurrent = (client: Client) =>
  expect.poll(() => client.isCurrent(), { timeout: 30_000, interval: 20 }).toBe(true);

async function start(workspace: Workspace, environment: Record<string, string> = {}) {
  const service = new ServiceProcess(workspace, undefined, environment);
  undo.push(() => service.kill());
  return { service, client: await service.client };
}

const obstacle = mountObstacle();

test.for(troubles.map((trouble) => [trouble.what, trouble] as const))(
  'nothing is lost when %s',
  { timeout },
  async ([what, trouble], { skip }) => {
    const { disk, happens, afterwards } = trouble;
    skip(disk !== undefined && obstacle !== undefined, obstacle);
    const name = what.replaceAll(/\W+/g, '-');
    const choices = seeded(name);
    const separate = disk === 'database' ? at(`${name}-dist`) : join(at(name), 'dist');
    if (disk) undo.push(mountSmallDisk(disk === 'snapshot' ? separate : at(name)));
    const workspace = fixture.copyTo(at(name), separate);
    const replay = await fixture.replay();
    const crew = new Crew(name, 3, trouble.hindersReads ? 0 : 2);
    let { service, client } = await start(workspace, trouble.environment);
    await isCurrent(client);
    for (let round = 0; round < runs(/killed$|not synced/.test(what) ? 2 : 1); round += 1) {
      const before = readTree(workspace.out);
      const scene = { workspace, service, client, crew, choices };
      await crew.during([client], () => happens(scene));
      const isEnded = !(await client.get('/healthz').then(
        () => true,
        () => false,
      ));
      if (isEnded) {
        expect(faultsBetween(workspace.out)).toEqual([]);
        await afterwards?.(scene, before);
        ({ service, client } = await start(workspace));
        // The service answers first, and catches up behind. What was acknowledged was shown already, unless files are lost.
        if (!afterwards) await crew.expectNothingLost([client], false);
      }
      await isCurrent(client);
      await crew.expectNothingLost([client]);
      const faults = await withDatabase(workspace, (connection) => replay.follow(connection));
      if (!trouble.isForeign) expect(faults).toEqual([]);
    }
    await expectAtRestSoon(workspace);
    await crew.work([client], 3);
    expect(await service.stop()).toBe(0);
    if (!trouble.hindersWrites) expect(crew.tally).toMatchObject({ pending: 0, refused: 0 });
    await expectAtRestSoon(workspace);
  },
);

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
function mountSmallDisk(folder: string, size = '16m'): () => void {
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
  for (const size of ['200k', '900k', '1500k', '4m']) {
    const unmount = mountSmallDisk(at('small'), size);
    undo.push(() => rmSync(at('small'), { recursive: true, force: true }));
    const db = join(at('small'), 'awards.db');
    const { code, stderr } = await awards(['sample', '--db', db]);
    expect(stderr).toMatch(
      code === 0 ? /^$/ : /^awards: (there is no space left|cannot open)[^\n]+ full[^\n]*\n$/,
    );
    const { stdout } = await awards(['doctor', '--db', db, '--out', at('small')]);
    expect(stdout).toMatch(code === 0 ? /✓ database/ : /✗ database +there is no/);
    codes.add(code);
    unmount();
  }
  expect(codes).toEqual(new Set([1, 0]));
});
