/**
 * Editors and readers that use one or several services while the test does something else. An editor remembers what each
 * answer says about its records; a reader checks that each answer is whole, of one snapshot, and no older than one before.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { contentHash } from '../../api/contract/snapshot.ts';
import { Choices } from '../records/random.ts';
import { seeded } from '../records/seed.ts';
import { type Client, isGone, type Reply } from '../support/workspace.ts';

export interface Tally {
  /** Writes answered as done. */
  acknowledged: number;
  /** Acknowledged writes whose answer said that the snapshot does not show them yet. */
  pending: number;
  refused: number;
  /** Answers to readers. */
  answers: number;
  /** Lost writes and wrong answers, a line each. */
  faults: string[];
}

type Fields = Record<string, string | number | boolean>;

/** A record as its editor knows it; undefined if there is none. */
type State = Fields | undefined;

/** A single write, or one of a batch. */
interface Order {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: Fields;
  /** Path of the record, where it is known before the answer. */
  record?: string;
  /** The fields that the record's page shows afterwards. */
  shown?: Fields;
}

/** Editors are numbered from 1 to 3: the tiny record has a film, a person and two nominations for each. */
class Editor {
  readonly #number: number;
  readonly #choices: Choices;
  readonly #tally: Tally;
  /** Path → the states that the record may have: one, or more after a write without a clear answer. */
  readonly #records = new Map<string, State[]>();
  #version = 0;

  constructor(number: number, choices: Choices, tally: Tally) {
    this.#number = number;
    this.#choices = choices;
    this.#tally = tally;
    for (const record of [`movies/${number}`, `nominees/${number}`, `nominations/${number * 2}`])
      this.#records.set(`/api/${record}`, [{}]);
  }

  /** Writes one order, or several as a batch. */
  async write(client: Client): Promise<void> {
    const orders = this.#orders();
    const before = orders.map(({ record }) => this.#records.get(record ?? '') ?? [undefined]);
    const after = orders.map(({ shown }, i) => before[i]!.map((state) => shown && { ...state, ...shown }));
    const know = (states: State[][]) => {
      for (const [i, { record }] of orders.entries()) if (record) this.#records.set(record, states[i]!);
    };
    know(after.map((states, i) => [...before[i]!, ...states]));
    const [{ method, path, body }] = orders as [Order];
    const members = orders.map(({ method, path, body }) => ({ method, path, body: body! }));
    const isBatch = orders.length > 1;
    const reply = await (isBatch
      ? client.send('POST', '/api/batch', members)
      : client.send(method, path, body));
    if (reply.status >= 300) {
      if (this.#refused(path, reply)) know(before);
      return;
    }
    if (reply.headers.location) orders[0]!.record = reply.headers.location;
    know(after);
    this.#tally.acknowledged += 1;
    if (reply.headers['snapshot-pending'] !== undefined) this.#tally.pending += 1;
    else if (this.#choices.chance(0.5)) for (const { record } of orders) await this.#check(client, record!);
  }

  /** Compares the records with what was acknowledged. @param decides whether the snapshot holds everything committed */
  async check(client: Client, decides: boolean): Promise<void> {
    for (const record of this.#records.keys()) {
      const found = await this.#check(client, record);
      if (decides) this.#records.set(record, [found]);
    }
  }

  async #check(client: Client, record: string): Promise<State> {
    const { status, body } = await client.get(record);
    const states = this.#records.get(record)!;
    const there = status === 404 ? undefined : (JSON.parse(body.toString()) as Fields);
    const isIt = (state: State) =>
      state && there
        ? Object.entries(state).every(([field, value]) => there[field] === value)
        : state === there;
    const found = states.findLast(isIt);
    if ((status !== 200 && status !== 404) || !states.some(isIt))
      this.#tally.faults.push(`${record} is ${status} ${body}, known is ${JSON.stringify(states)}`);
    return found;
  }

  /** @returns whether the answer says that nothing was changed */
  #refused(path: string, { status, headers, body }: Reply): boolean {
    this.#tally.refused += 1;
    if (status !== 507 && !(status === 503 && headers['retry-after'] !== undefined))
      this.#tally.faults.push(`write of ${path}: ${status} ${body}`);
    return body.includes('nothing was changed');
  }

  /** Each text names its version, so that a record has one right state. */
  #orders(): Order[] {
    this.#version += 1;
    const number = this.#number;
    const label = `${number} v${this.#version}`;
    const patch = (record: string, body: Fields): Order => {
      const path = `/api/${record}`;
      return { method: 'PATCH', path, body, record: path, shown: body };
    };
    const film = patch(`movies/${number}`, { title: `Film ${label}` });
    const person = patch(`nominees/${number}`, { name: `Person ${label}` });
    const title = { title: `Another film ${label}` };
    // Downwards: new nominations of other editors get the next id above the highest.
    const id = number * 1_000_000 - this.#version;
    const nomination: Order = {
      method: 'POST',
      path: '/api/nominations',
      body: { id, ceremony_id: 1, category_id: 1, movie_id: number, nominee_id: number },
      record: `/api/nominations/${id}`,
      // The page shows records in place of the other ids.
      shown: { id },
    };
    const kind = this.#choices.fraction();
    if (kind < 0.05) return [film, person, nomination];
    if (kind < 0.1) return [nomination];
    if (kind < 0.3) return [patch(`nominations/${number * 2}`, { winner: this.#version % 2 === 0 })];
    if (kind < 0.6) return [person];
    if (kind < 0.65) return [{ method: 'POST', path: '/api/movies', body: title, shown: title }];
    const own = [...this.#records].find(
      ([path, states]) => /movies\/\d{2,}$/.test(path) && states.length === 1 && states[0],
    );
    return kind < 0.7 && own ? [{ method: 'DELETE', path: own[0], record: own[0] }] : [film];
  }
}

const addresses = [
  '/api/nominations',
  '/api/nominations?limit=4&page=2',
  '/api/nominations?movie=film&winner=true',
  '/api/movies',
  '/api/movies/1',
  '/api/movies?title=film&limit=2',
  '/api/nominees/2',
  '/api/search?q=film+person',
  '/api/categories/1',
  '/api/stats/top-movies?sort=wins',
];

/** A text written by an editor: its name and version. */
const versioned = /"((?:Film|Person) [0-9]+) v([0-9]+)"/g;

class CheckingReader {
  readonly #choices: Choices;
  readonly #tally: Tally;
  /** Text → latest version seen. What was seen is durable, so this outlives the service. */
  readonly #seen = new Map<string, number>();

  constructor(choices: Choices, tally: Tally) {
    this.#choices = choices;
    this.#tally = tally;
  }

  async read(client: Client): Promise<void> {
    const address = this.#choices.pick(addresses);
    const reply = await client.get(address);
    this.#tally.answers += 1;
    for (const fault of this.#faultsOf(reply))
      this.#tally.faults.push(`GET ${address}: ${fault}: ${reply.body}`);
    await pause(5);
  }

  #faultsOf({ status, headers, body }: Reply): string[] {
    if (status !== 200) return [`status ${status}`];
    if (headers.etag !== `"${contentHash(body)}"`) return ['the ETag is not the hash of the body'];
    const faults: string[] = [];
    const versions = new Map<string, number>();
    for (const [, name, digits] of body.toString().matchAll(versioned)) {
      const version = Number(digits);
      if ((versions.get(name!) ?? version) !== version) faults.push(`${name} in two versions`);
      if (version < (this.#seen.get(name!) ?? 0)) faults.push(`${name} is older than before`);
      versions.set(name!, version);
    }
    for (const [name, version] of versions) this.#seen.set(name, version);
    const { data, pagination } = JSON.parse(body.toString()) as {
      data?: unknown[];
      pagination?: Record<'page' | 'limit' | 'total', number>;
    };
    if (!data || !pagination) return faults;
    const { page, limit, total } = pagination;
    const due = Math.max(0, Math.min(limit, total - (page - 1) * limit));
    return data.length === due ? faults : [...faults, `${data.length} records on the page, and not ${due}`];
  }
}

export class Crew {
  readonly tally: Tally = { acknowledged: 0, pending: 0, refused: 0, answers: 0, faults: [] };
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
  async work(clients: readonly Client[], writes: number, reads = 0): Promise<void> {
    await this.during(clients, () => this.reach(writes, reads));
  }

  /** Waits until the crew, which is at work, has so many more writes acknowledged and reads answered. */
  async reach(writes: number, reads = 0): Promise<void> {
    const { acknowledged, answers } = this.tally;
    const isDone = () =>
      this.tally.acknowledged >= acknowledged + writes && this.tally.answers >= answers + reads;
    await expect.poll(isDone, { timeout: 60_000, interval: 5 }).toBe(true);
  }

  /** Works until `work` is done, or the services are gone. Editor and reader i use client i, modulo their number. */
  async during(clients: readonly Client[], work: () => Promise<unknown>, isReading = true): Promise<void> {
    let isDone = false;
    const repeat = async (act: (client: Client) => Promise<void>, i: number) => {
      try {
        while (!isDone) await act(clients[i % clients.length]!);
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    };
    const working = Promise.all([
      ...this.#editors.map((editor, i) => repeat((client) => editor.write(client), i)),
      ...(isReading ? this.#readers : []).map((reader, i) => repeat((client) => reader.read(client), i)),
    ]);
    await work().finally(() => {
      isDone = true;
    });
    await working;
  }

  /**
   * Expects every service to show what was acknowledged, and no wrong answer so far.
   * @param isCurrent whether the snapshots hold everything committed. A write without an answer may show later otherwise.
   */
  async expectNothingLost(clients: readonly Client[], isCurrent = true): Promise<void> {
    for (const client of clients) for (const editor of this.#editors) await editor.check(client, isCurrent);
    expect(this.tally.faults).toEqual([]);
  }
}
