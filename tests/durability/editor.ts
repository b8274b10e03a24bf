/**
 * An editor that writes over HTTP and remembers what was acknowledged. Each editor has records of its own, and every text
 * names its version, so each record has one right state, or two while an answer is awaited.
 */
import type { Choices } from '../support/random.ts';
import { type Client, isGone, type Reply } from './client.ts';

/** Outcomes of the requests of editors and readers. */
export interface Tally {
  /** Writes answered as done. */
  acknowledged: number;
  /** Acknowledged writes whose answer said that the snapshot does not show them yet. */
  pending: number;
  refused: number;
  /** Answers to readers. */
  answers: number;
  /** Acknowledged writes that are not there. */
  lost: string[];
  /** Wrong answers. */
  wrong: string[];
}

export const emptyTally = (): Tally => ({
  acknowledged: 0,
  pending: 0,
  refused: 0,
  answers: 0,
  lost: [],
  wrong: [],
});

type Fields = Record<string, string | number | boolean>;

interface Known {
  acknowledged: Fields;
  /** Sent, and not answered yet. */
  inFlight: Fields | 'deletion' | undefined;
}

/** Editors are numbered from 1 to 3: the tiny record has a film, a person and two nominations for each. */
export class Editor {
  readonly #number: number;
  readonly #choices: Choices;
  readonly #tally: Tally;
  /** By path. */
  readonly #records = new Map<string, Known>();
  #version = 0;

  constructor(number: number, choices: Choices, tally: Tally) {
    this.#number = number;
    this.#choices = choices;
    this.#tally = tally;
  }

  /** Writes until the service is gone or `isStopped`. */
  async work(client: Client, isStopped: () => boolean): Promise<void> {
    try {
      while (!isStopped()) await this.#write(client);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /**
   * Compares the records with what was acknowledged.
   * @param isCurrent whether the snapshot holds everything committed, so that it decides about writes without an answer
   */
  async check(client: Client, isCurrent: boolean): Promise<void> {
    for (const [path, known] of this.#records) {
      const there = await this.#look(client, path);
      const { acknowledged, inFlight } = known;
      const isDeletion = inFlight === 'deletion';
      const candidates =
        inFlight && !isDeletion ? [acknowledged, { ...acknowledged, ...inFlight }] : [acknowledged];
      // A new record without an acknowledgement may be missing, but not incomplete.
      const found = candidates.find((fields) => isIn(fields, there));
      const mayBeMissing = isDeletion || Object.keys(acknowledged).length === 0;
      if (there === undefined ? !mayBeMissing : found === undefined)
        this.#tally.lost.push(`${path} is ${JSON.stringify(there)}, known is ${JSON.stringify(known)}`);
      if (!isCurrent) continue;
      if (there === undefined) this.#records.delete(path);
      else this.#records.set(path, { acknowledged: found ?? {}, inFlight: undefined });
    }
  }

  /** A record as GET shows it; undefined for 404. */
  async #look(client: Client, path: string): Promise<Fields | undefined> {
    const { status, body } = await client.get(path);
    if (status === 200) return JSON.parse(body.toString()) as Fields;
    if (status !== 404) this.#tally.wrong.push(`GET ${path}: ${status} ${body}`);
    return undefined;
  }

  async #write(client: Client): Promise<void> {
    this.#version += 1;
    const number = this.#number;
    const label = `${number} v${this.#version}`;
    const kind = this.#choices.fraction();
    const patch = (path: string, fields: Fields) => this.#send(client, path, fields, path, fields);
    if (kind < 0.05) await this.#delete(client);
    else if (kind < 0.1) await this.#sendBatch(client, label);
    else if (kind < 0.4) await patch(`/api/movies/${number}`, { title: `Film ${label}` });
    else if (kind < 0.7) await patch(`/api/nominees/${number}`, { name: `Person ${label}` });
    else if (kind < 0.9) await patch(`/api/nominations/${number * 2}`, { winner: this.#version % 2 === 0 });
    else if (kind < 0.95) {
      const movie = { title: `Another film ${label}` };
      await this.#send(client, '/api/movies', movie, undefined, movie);
    } else {
      const nomination = this.#newNomination();
      const { id } = nomination;
      // The page of a nomination shows records in place of the ids sent.
      await this.#send(client, '/api/nominations', nomination, `/api/nominations/${id}`, { id });
    }
  }

  #newNomination() {
    const number = this.#number;
    // Downwards: new nominations of other editors get the next id above the highest.
    const id = number * 1_000_000 - this.#version;
    return { id, ceremony_id: 1, category_id: 1, movie_id: number, nominee_id: number };
  }

  /** Sends a film, a person and a new nomination together: `batchSize` writes that each change a record. */
  async #sendBatch(client: Client, label: string): Promise<void> {
    const nomination = this.#newNomination();
    const change = (path: string, fields: Fields) => ({ method: 'PATCH', path, body: fields });
    const writes = [
      change(`/api/movies/${this.#number}`, { title: `Film ${label}` }),
      change(`/api/nominees/${this.#number}`, { name: `Person ${label}` }),
      { method: 'POST', path: '/api/nominations', body: nomination },
    ];
    const shown = writes.map(({ method, path, body }): [string, Fields] =>
      method === 'POST' ? [`${path}/${nomination.id}`, { id: nomination.id }] : [path, body],
    );
    for (const [record, fields] of shown)
      this.#records.set(record, { ...(this.#records.get(record) ?? { acknowledged: {} }), inFlight: fields });
    const { status, headers, body } = await client.write('/api/batch', writes);
    if (status !== 200) return this.#refused('/api/batch', status, headers, body);
    for (const [record, fields] of shown) {
      const acknowledged = { ...this.#records.get(record)!.acknowledged, ...fields };
      this.#records.set(record, { acknowledged, inFlight: undefined });
    }
    this.#tally.acknowledged += 1;
    if (headers['snapshot-pending'] !== undefined) this.#tally.pending += 1;
    else for (const [record, fields] of shown) await this.#expectShown(client, record, fields);
  }

  /** Deletes a new film of this editor, which no nomination refers to. */
  async #delete(client: Client): Promise<void> {
    const path = [...this.#records.keys()].find((own) => /^\/api\/movies\/\d{2,}$/.test(own));
    const known = this.#records.get(path ?? '');
    // Whether one in flight was deleted is known only after a check.
    if (path === undefined || known === undefined || known.inFlight !== undefined) return;
    known.inFlight = 'deletion';
    const { status, headers, body } = await client.remove(path);
    if (status !== 200) return this.#refused(path, status, headers, body);
    this.#records.delete(path);
    this.#tally.acknowledged += 1;
    if (headers['snapshot-pending'] !== undefined) this.#tally.pending += 1;
    else if ((await this.#look(client, path)) !== undefined)
      this.#tally.wrong.push(`${path} is shown after its deletion`);
  }

  #refused(path: string, status: number, headers: Reply['headers'], body: Buffer): void {
    this.#tally.refused += 1;
    if (status !== 507 && !(status === 503 && headers['retry-after'] !== undefined))
      this.#tally.wrong.push(`write of ${path}: ${status} ${body}`);
  }

  /**
   * @param record path of the record, where it is known before the answer
   * @param shown the fields that the answer and the record's page show
   */
  async #send(client: Client, path: string, sent: Fields, record: string | undefined, shown: Fields) {
    const known: Known = this.#records.get(record ?? '') ?? { acknowledged: {}, inFlight: undefined };
    known.inFlight = shown;
    if (record !== undefined) this.#records.set(record, known);
    const { status, headers, body } = await client.write(path, sent);
    if (status !== 200 && status !== 201) return this.#refused(path, status, headers, body);
    const written = status === 201 ? headers.location! : path;
    if (record !== undefined && written !== record) this.#tally.wrong.push(`${record} became ${written}`);
    known.acknowledged = { ...known.acknowledged, ...shown };
    known.inFlight = undefined;
    this.#records.set(written, known);
    this.#tally.acknowledged += 1;
    if (!isIn(shown, JSON.parse(body.toString()) as Fields))
      this.#tally.wrong.push(`${written} was acknowledged as ${body}, sent was ${JSON.stringify(sent)}`);
    if (headers['snapshot-pending'] !== undefined) this.#tally.pending += 1;
    else if (this.#choices.chance(0.5)) await this.#expectShown(client, written, shown);
  }

  async #expectShown(client: Client, path: string, fields: Fields): Promise<void> {
    const there = await this.#look(client, path);
    if (!isIn(fields, there))
      this.#tally.wrong.push(`${path} shows ${JSON.stringify(there)} right after ${JSON.stringify(fields)}`);
  }
}

const isIn = (fields: Fields, record: Fields | undefined): boolean =>
  record !== undefined && Object.entries(fields).every(([field, value]) => record[field] === value);
