/**
 * Rounds of a service that is used and killed. Each round starts the service over what the last one left, compares the record
 * with what was acknowledged, lets several clients write and read at once, and kills the service at a random moment, sometimes
 * while it starts.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { Choices } from '../bench/random.ts';
import { CheckingReader } from './checking-reader.ts';
import { Client } from './client.ts';
import { Editor, emptyTally, maxEditors, type Tally } from './editor.ts';
import { type Fixture, faultsAtRest, faultsBetween } from './fixture.ts';
import type { HistoryReplay } from './history-replay.ts';
import { ServiceProcess } from './service-process.ts';
import { type Workspace, withDatabase } from './workspace.ts';

/** The kill comes after this many acknowledged writes at most, and this much later at most. */
const maxWrites = 12;
const maxDelayMs = 50;
/** A service that acknowledges too few writes for so long has failed. */
const maxWaitMs = 30_000;
/** The share of services killed during their start, and how long after the start at most. */
const killedAtStart = 0.1;
const maxStartMs = 400;

export interface Findings extends Tally {
  kills: number;
  answers: number;
  /** Between the folder and a clean build, or between the record and its receipts. */
  differences: string[];
}

export const noFindings = (): Findings => ({ ...emptyTally(), kills: 0, answers: 0, differences: [] });

export class KillRounds {
  readonly #workspace: Workspace;
  readonly #replay: HistoryReplay;
  readonly #choices: Choices;
  readonly #findings: Findings;
  /** Counts of this service; its lists are those of the findings. */
  readonly #tally: Tally;
  readonly #editors: Editor[];
  readonly #readers: CheckingReader[];

  private constructor(workspace: Workspace, replay: HistoryReplay, choices: Choices, findings: Findings) {
    this.#workspace = workspace;
    this.#replay = replay;
    this.#choices = choices;
    this.#findings = findings;
    this.#tally = { ...emptyTally(), lost: findings.lost, wrong: findings.wrong };
    const split = () => new Choices(choices.between(0, 2 ** 32 - 1));
    this.#editors = Array.from({ length: maxEditors }, (_, i) => new Editor(i + 1, split(), this.#tally));
    this.#readers = Array.from({ length: 2 }, () => new CheckingReader(split(), findings.wrong));
  }

  /** Begins with a fresh copy of the fixture. */
  static async begin(fixture: Fixture, folder: string, choices: Choices, findings: Findings) {
    return new KillRounds(fixture.copyTo(folder), await fixture.replay(), choices, findings);
  }

  /** One kill. */
  async round(): Promise<void> {
    const service = new ServiceProcess(this.#workspace);
    try {
      if (this.#choices.chance(killedAtStart)) await pause(this.#choices.between(0, maxStartMs));
      else await this.#use(service, await service.address);
    } finally {
      await service.kill();
    }
    this.#findings.kills += 1;
    this.#findings.differences.push(...faultsBetween(this.#workspace.out));
  }

  /** A last start, and an orderly end. */
  async end(): Promise<void> {
    const service = new ServiceProcess(this.#workspace);
    try {
      await this.#check(new Client(await service.address));
      const code = await service.stop();
      if (code !== 0 || service.stderr !== '')
        this.#findings.wrong.push(`ended with ${code}: ${service.stderr}`);
      await this.#compare();
    } finally {
      await service.kill();
    }
  }

  async #use(service: ServiceProcess, address: string): Promise<void> {
    const client = new Client(address);
    let stopped = false;
    const isStopped = () => stopped;
    await this.#check(client);
    const rest = () => pause(this.#choices.between(0, 10));
    const working = Promise.all([
      ...this.#editors.map((editor) => editor.work(client, isStopped)),
      ...this.#readers.map((reader) => reader.read(client, isStopped, rest)),
    ]);
    const target = this.#tally.acknowledged + this.#choices.between(0, maxWrites);
    const fault = await Promise.race([working.then(() => 'ended by itself'), this.#acknowledged(target)]);
    if (fault !== undefined) this.#findings.wrong.push(`${fault}: ${service.stderr}`);
    await pause(this.#choices.between(0, maxDelayMs));
    await service.kill();
    stopped = true;
    await working;
    for (const count of ['acknowledged', 'pending', 'refused'] as const) {
      this.#findings[count] += this.#tally[count];
      this.#tally[count] = 0;
    }
    this.#findings.answers += this.#readers.reduce((sum, reader) => sum + reader.takeAnswers(), 0);
    if (service.stderr !== '') this.#findings.wrong.push(`wrote to stderr: ${service.stderr}`);
  }

  /** Waits for acknowledged writes. @returns the fault if that takes too long */
  async #acknowledged(target: number): Promise<string | undefined> {
    for (let waitedMs = 0; this.#tally.acknowledged < target; waitedMs += 10) {
      if (waitedMs === maxWaitMs) return 'takes no writes';
      await pause(10);
    }
    return undefined;
  }

  async #check(client: Client): Promise<void> {
    for (const editor of this.#editors) await editor.check(client);
    await this.#compare();
  }

  async #compare(): Promise<void> {
    const found = await withDatabase(this.#workspace, async (connection) => [
      ...this.#replay.follow(connection),
      ...(await faultsAtRest(connection, this.#workspace.out, siteDocuments)),
    ]);
    this.#findings.differences.push(...found);
  }
}
