/**
 * Rounds of a service that is used and killed: started over what the last round left, compared with what was acknowledged,
 * written to and read from by several at once, and killed at a random moment, sometimes while it is starting.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { Choices } from '../bench/random.ts';
import { Client } from './client.ts';
import { Editor, maxEditors } from './editor.ts';
import { type Place, withDatabase } from './place.ts';
import { ReaderOfAll } from './reader.ts';
import type { Retelling } from './retelling.ts';
import { ServiceProcess } from './service-process.ts';
import { faultsAtRest, faultsBetween, type Stage } from './stage.ts';
import { emptyTally, type Tally } from './tally.ts';

/** The kill comes when so many writes are acknowledged at most, and so many milliseconds later at most. */
const maxWrites = 12;
const maxDelayMs = 50;
/** Looks for them, a hundredth of a second apart, before there should have been so many. */
const maxLooks = 3000;
/** Milliseconds from the start of a service that is killed as it starts, at most. */
const maxStartMs = 1200;
/** Share of kills during a start. */
const killedAtStart = 0.1;

export interface Findings extends Tally {
  kills: number;
  answers: number;
  /** Between the folder and a clean build, or between the record and its receipts. */
  differences: string[];
}

export const nothingFound = (): Findings => ({ ...emptyTally(), kills: 0, answers: 0, differences: [] });

export class KillRounds {
  readonly #place: Place;
  readonly #retelling: Retelling;
  readonly #chance: Choices;
  readonly #findings: Findings;
  /** Of this service alone, as far as numbers go. */
  readonly #tally: Tally;
  readonly #editors: Editor[];
  readonly #readers: ReaderOfAll[];

  private constructor(place: Place, retelling: Retelling, seed: number, findings: Findings) {
    this.#place = place;
    this.#retelling = retelling;
    this.#findings = findings;
    this.#tally = { ...emptyTally(), lost: findings.lost, wrong: findings.wrong };
    this.#chance = new Choices(seed);
    const choices = () => new Choices(this.#chance.between(0, 2 ** 32 - 1));
    this.#editors = Array.from({ length: maxEditors }, (_, i) => new Editor(i + 1, choices(), this.#tally));
    this.#readers = Array.from({ length: 2 }, () => new ReaderOfAll(choices(), findings.wrong));
  }

  /** Begins with a fresh copy of the stage. */
  static async begin(stage: Stage, folder: string, seed: number, findings: Findings): Promise<KillRounds> {
    return new KillRounds(stage.copyTo(folder), await stage.retelling(), seed, findings);
  }

  /** One kill. */
  async round(): Promise<void> {
    const service = new ServiceProcess(this.#place);
    try {
      if (this.#chance.chance(killedAtStart)) await pause(this.#chance.between(0, maxStartMs));
      else await this.#use(service, await service.address);
    } finally {
      await service.kill();
    }
    this.#findings.kills += 1;
    this.#findings.differences.push(...faultsBetween(this.#place.out));
  }

  /** A last start, and an orderly end. */
  async end(): Promise<void> {
    const service = new ServiceProcess(this.#place);
    try {
      const client = new Client(await service.address);
      await this.#check(client);
      client.close();
      const code = await service.stop();
      if (code !== 0 || service.complaints !== '')
        this.#findings.wrong.push(`ended with ${code}: ${service.complaints}`);
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
    const rest = () => pause(this.#chance.between(0, 10));
    const work = [
      ...this.#editors.map((editor) => editor.work(client, isStopped)),
      ...this.#readers.map((reader) => reader.read(client, isStopped, rest)),
    ];
    const working = Promise.all(work);
    const enough = this.#tally.acknowledged + this.#chance.between(0, maxWrites);
    const early = await Promise.race([working.then(() => 'ended by itself'), this.#acknowledged(enough)]);
    if (early !== undefined) this.#findings.wrong.push(`${early}: ${service.complaints}`);
    await pause(this.#chance.between(0, maxDelayMs));
    await service.kill();
    stopped = true;
    await working;
    client.close();
    for (const count of ['acknowledged', 'pending', 'refused'] as const) {
      this.#findings[count] += this.#tally[count];
      this.#tally[count] = 0;
    }
    this.#findings.answers += this.#readers.reduce((sum, reader) => sum + reader.takeAnswers(), 0);
    if (service.complaints !== '') this.#findings.wrong.push(`complained: ${service.complaints}`);
  }

  /** Waits until so many writes are acknowledged. @returns what is wrong if that takes too long */
  async #acknowledged(enough: number): Promise<string | undefined> {
    for (let looks = 0; this.#tally.acknowledged < enough; looks += 1) {
      if (looks === maxLooks) return 'takes no writes';
      await pause(10);
    }
    return undefined;
  }

  async #check(client: Client): Promise<void> {
    for (const editor of this.#editors) await editor.check(client);
    await this.#compare();
  }

  async #compare(): Promise<void> {
    const found = await withDatabase(this.#place, async (connection) => [
      ...this.#retelling.follow(connection),
      ...(await faultsAtRest(connection, this.#place.out, siteDocuments)),
    ]);
    this.#findings.differences.push(...found);
  }
}
