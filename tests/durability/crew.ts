/** Editors and readers that use one or several services while the test does something else. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { Choices } from '../support/random.ts';
import { seeded } from '../support/seed.ts';
import { CheckingReader } from './checking-reader.ts';
import type { Client } from './client.ts';
import { Editor, emptyTally } from './editor.ts';

export class Crew {
  readonly tally = emptyTally();
  readonly #editors: readonly Editor[];
  readonly #readers: readonly CheckingReader[];

  /** @param name names the random choices of the test @param first number of the first editor */
  constructor(name: string, editors: number, readers = 0, first = 1) {
    const choices = seeded(name);
    const split = () => new Choices(choices.between(0, 2 ** 32 - 1));
    this.#editors = Array.from({ length: editors }, (_, i) => new Editor(first + i, split(), this.tally));
    this.#readers = Array.from({ length: readers }, () => new CheckingReader(split(), this.tally));
  }

  /** Works until so many writes were acknowledged, and so many reads answered. */
  async work(clients: readonly Client[], writes: number, reads: number): Promise<void> {
    const { acknowledged, answers } = this.tally;
    const isDone = () =>
      this.tally.acknowledged >= acknowledged + writes && this.tally.answers >= answers + reads;
    await this.during(clients, () => expect.poll(isDone, { timeout: 30_000, interval: 5 }).toBe(true));
  }

  /** Works until `work` is done. Editor and reader i use client i, modulo their number. */
  async during(clients: readonly Client[], work: () => Promise<unknown>): Promise<void> {
    const { acknowledged } = this.tally;
    let isDone = false;
    const isStopped = () => isDone;
    const client = (i: number) => clients[i % clients.length]!;
    const working = Promise.all([
      ...this.#editors.map((editor, i) => editor.work(client(i), isStopped)),
      ...this.#readers.map((reader, i) => reader.read(client(i), isStopped, () => pause(5))),
    ]);
    await work().finally(() => {
      isDone = true;
    });
    await working;
    expect(this.tally.acknowledged).toBeGreaterThan(acknowledged);
  }

  /**
   * Expects every service to show what was acknowledged, and no wrong answer so far.
   * @param isCurrent whether the snapshots hold everything committed. A write without an answer may show later otherwise.
   */
  async expectNothingLost(clients: readonly Client[], isCurrent = true): Promise<void> {
    for (const client of clients) for (const editor of this.#editors) await editor.check(client, isCurrent);
    expect(this.tally).toMatchObject({ lost: [], wrong: [] });
  }
}
