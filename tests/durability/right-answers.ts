/** Asks a service for lists, until every answer is right. No answer may be wrong meanwhile. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { fileSource } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import type { Choices } from '../support/random.ts';
import { readTree, type Tree } from '../snapshot/tree.ts';
import type { Client, Reply } from './client.ts';

export interface Question {
  address: string;
  /** The right body. */
  body: Buffer;
  isAnswered: boolean;
  /** Whether an answer was 503. */
  wasRefused: boolean;
}

const lists = ['nominations', 'search', 'movies', 'nominees', 'categories', 'stats/top-movies'];

/** The right answers, from a clean folder. */
export class RightAnswers {
  readonly tree: Tree;
  readonly #resolver: Resolver;

  /** @param folder whole, with all layers, and left alone */
  constructor(folder: string) {
    this.tree = readTree(folder);
    this.#resolver = new Resolver(fileSource(folder));
  }

  /** Questions for lists. */
  async lists(count: number, choices: Choices): Promise<Question[]> {
    const asked: Question[] = [];
    for (const name of choices.picks(lists, count)) {
      const path = `/api/${name}`;
      const queryString = `${name === 'search' ? 'q=the&' : ''}year=${choices.between(1930, 2024)}`;
      const { body } = await this.#resolver.answer({ method: 'GET', path, queryString });
      asked.push(question(`${path}?${queryString}`, Buffer.from(body!)));
    }
    return asked;
  }
}

const question = (address: string, body: Buffer): Question => ({
  address,
  body,
  isAnswered: false,
  wasRefused: false,
});

/**
 * Asks until each answer is right.
 * @param mayBeBehind whether whole answers of an earlier snapshot are right at first
 * @returns milliseconds. @throws if an answer is wrong, or not the right one after a minute
 */
export async function askUntilRight(
  client: Client,
  asked: readonly Question[],
  mayBeBehind = false,
): Promise<number> {
  const began = performance.now();
  for (;;) {
    const open = asked.filter(({ isAnswered }) => !isAnswered);
    if (open.length === 0) return performance.now() - began;
    if (performance.now() - began > 60_000)
      throw new Error(`no right answer for a minute: ${open.map(({ address }) => address).join(' ')}`);
    await Promise.all(
      open.map(async (each) => {
        // The service closes connections that were idle for long.
        const reply = await client.get(each.address).catch(() => undefined);
        if (reply) judge(each, reply, mayBeBehind);
      }),
    );
    await pause(25);
  }
}

function judge(asked: Question, { status, headers, body }: Reply, mayBeBehind: boolean): void {
  const { address } = asked;
  if (status === 503) {
    asked.wasRefused = true;
    expect(Number(headers['retry-after']), address).toBeGreaterThan(0);
  } else if (mayBeBehind && !body.equals(asked.body)) {
    expect([status, isWhole(body)], address).toEqual([expect.toBeOneOf([200, 404]), true]);
  } else {
    const [is, should] = [body, asked.body].map((bytes) => bytes.subarray(0, 200).toString());
    expect({ address, status, length: body.length, is }).toEqual({
      address,
      status: 200,
      length: asked.body.length,
      is: should,
    });
    expect(body.equals(asked.body), address).toBe(true);
    asked.isAnswered = true;
  }
}

/** Whether a body can be that of another snapshot: not empty, and not cut short. */
function isWhole(body: Buffer): boolean {
  return JSON.parse(body.toString()) !== undefined;
}
