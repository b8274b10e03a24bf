/**
 * The promise: the power may fail at any moment. Acknowledged writes are there afterwards, doctor says what is damaged, no answer
 * is wrong, and the service or a build makes the folder whole again. AWARDS_CUTS=200 cuts the power of an ext4 disk 200 times, up
 * to half a minute after the last write; that takes about half an hour.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { examine } from '../../build/cli/doctor.ts';
import type { Difference, Verification } from '../../build/verify.ts';
import type { Choices } from '../support/random.ts';
import { runs } from '../support/settings.ts';
import { readTree } from '../snapshot/tree.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { awards } from '../support/processes.ts';
import { seeded } from '../support/seed.ts';
import { Crew } from './crew.ts';
import { Fixture } from './fixture.ts';
import type { HistoryReplay } from './history-replay.ts';
import { Ext4Disk, ext4Obstacle, loseChanges } from './power-cuts.ts';
import { askUntilRight, RightAnswers } from './right-answers.ts';
import { ServiceProcess } from './service-process.ts';
import { type Workspace, withDatabase, workspaceIn } from './workspace.ts';

const isMeasured = process.env.AWARDS_CUTS !== undefined;
const cuts = Number(process.env.AWARDS_CUTS ?? runs(5));
/** Milliseconds from the last write to the cut of a disk, at most: it writes meanwhile. */
const maxDiskDelayMs = isMeasured ? 30_000 : 1500;
/** Seconds between two writes of the log: the usual time, or one that short delays exceed. */
const commitSeconds = isMeasured ? 5 : 1;
/** Disks at a time: most of the time they wait. */
const lanes = isMeasured ? 4 : 2;
const maxWrites = 12;
const lists = 5;

const at = useMemoryFolder();
const obstacle = await ext4Obstacle();
const fixture = await Fixture.prepare(at('original'), layerNames);
/** Undone after each test. */
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

/** Runs a command in a process of its own: the bundler of the site cannot be used twice at a time in one. */
const runOn = ({ db, out }: Workspace, ...words: string[]) => awards([...words, '--db', db, '--out', out]);

/** One record whose power is cut again and again. */
class Case {
  readonly #name: string;
  readonly #workspace: Workspace;
  readonly #crew: Crew;
  readonly #replay: HistoryReplay;
  readonly #maxDelayMs: number;

  /** @param maxDelayMs from the last write to the cut */
  constructor(name: string, workspace: Workspace, replay: HistoryReplay, maxDelayMs: number) {
    this.#name = name;
    this.#maxDelayMs = maxDelayMs;
    this.#workspace = workspace;
    this.#crew = new Crew(`${name}, crew`, 3);
    this.#replay = replay;
  }

  /** Writes, stops or builds, and then cuts the power. */
  async writeUntil(cut: () => Promise<unknown>, choices: Choices): Promise<void> {
    const service = this.#start();
    const client = await service.client;
    const { tally } = this.#crew;
    const target = tally.acknowledged + choices.between(1, maxWrites);
    const written = () =>
      expect.poll(() => tally.acknowledged, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(target);
    const end = choices.pick(['at work', 'idle', 'stopped', 'built']);
    await this.#crew.during([client], async () => {
      await written();
      if (end !== 'at work') return;
      await cut();
      await service.kill();
    });
    if (end === 'stopped') await service.stop();
    if (end === 'built') {
      await service.kill();
      const full = choices.chance(0.5) ? ['--full'] : [];
      expect(await runOn(this.#workspace, 'build', ...full)).toMatchObject({ code: 0, stderr: '' });
    }
    if (end === 'at work') return;
    await pause(choices.between(0, this.#maxDelayMs));
    await cut();
    await service.kill();
  }

  /** Expects that nothing is lost, and that the folder becomes whole. */
  async expectRecovery(choices: Choices): Promise<void> {
    await this.#expectHonestDoctor();
    await withDatabase(this.#workspace, (connection) => expect(this.#replay.follow(connection)).toEqual([]));
    const isBuiltFirst = choices.chance(0.5);
    if (isBuiltFirst) await this.#build();
    await this.#serve(choices);
    if (!isBuiltFirst) await this.#build();
  }

  /** If doctor finds nothing, there is nothing: no file that is missing or has other bytes. */
  async #expectHonestDoctor(): Promise<void> {
    const findings = await examine(this.#workspace, undefined);
    expect(findings.find(({ subject }) => subject === 'database')).toMatchObject({ state: 'fine' });
    const ofFolder = findings.filter(({ subject }) => ['snapshot', ...layerNames].includes(subject));
    if (ofFolder.some(({ state }) => state !== 'fine')) return;
    const differences = await this.#differences();
    expect(differences.filter(({ problem }) => problem !== 'unexpected')).toEqual([]);
  }

  async #differences(): Promise<Difference[]> {
    const { stdout } = await runOn(this.#workspace, 'verify', '--json');
    return (JSON.parse(stdout) as Verification).differences;
  }

  async #build(): Promise<void> {
    expect(await runOn(this.#workspace, 'build')).toMatchObject({ code: 0, stderr: '' });
    expect(await this.#differences()).toEqual([]);
  }

  #start(): ServiceProcess {
    const service = new ServiceProcess(this.#workspace, []);
    undo.push(() => service.kill());
    return service;
  }

  /** A clean build of a copy of the database. */
  async #cleanFolder(): Promise<string> {
    const clean = workspaceIn(at(`${this.#name}, clean`));
    rmSync(clean.folder, { recursive: true, force: true });
    mkdirSync(clean.folder);
    await withDatabase(this.#workspace, (connection) => connection.prepare('VACUUM INTO ?').run(clean.db));
    expect(await runOn(clean, 'build')).toMatchObject({ code: 0, stderr: '' });
    return clean.out;
  }

  async #serve(choices: Choices): Promise<void> {
    const service = this.#start();
    const client = await service.client;
    try {
      const right = new RightAnswers(await this.#cleanFolder());
      const asked = await right.lists(lists, choices);
      await askUntilRight(client, asked, true);
      await this.#crew.expectNothingLost([client]);
    } catch (error) {
      throw new Error(service.stderr.slice(-2000), { cause: error });
    }
    await service.stop();
  }
}

/** Cuts the power of one disk again and again. */
async function cutDisk(lane: number): Promise<void> {
  const name = `ext4 ${lane}`;
  const disk = new Ext4Disk(at(name));
  undo.push(() => disk.unmount());
  const one = new Case(name, fixture.copyTo(disk.folder), await fixture.replay(), maxDiskDelayMs);
  spawnSync('sync', ['-f', disk.folder]);
  for (let cut = lane; cut < cuts; cut += lanes) {
    const choices = seeded(`${name}, cut ${cut}`);
    await one.writeUntil(async () => disk.cut(), choices);
    await disk.unmount();
    disk.mount(choices, commitSeconds);
    await one.expectRecovery(choices);
    if (isMeasured) process.stdout.write(`cut ${cut} of ${cuts}\n`);
  }
}

test.skipIf(obstacle)(
  `an ext4 disk recovers from power cuts${obstacle ? ` (skipped: ${obstacle})` : ''}`,
  async () => {
    const ends = await Promise.allSettled(Array.from({ length: lanes }, (_, lane) => cutDisk(lane)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  },
  3_600_000,
);

test('a folder recovers from the loss of files that were not synced', async () => {
  const workspace = fixture.copyTo(at('lossy'));
  const one = new Case('lossy', workspace, await fixture.replay(), 0);
  for (let cut = 0; cut < cuts; cut += 1) {
    const choices = seeded(`lossy, cut ${cut}`);
    const before = readTree(workspace.out);
    await one.writeUntil(async () => {}, choices);
    loseChanges(workspace.out, before, choices);
    await one.expectRecovery(choices);
  }
}, 3_600_000);
