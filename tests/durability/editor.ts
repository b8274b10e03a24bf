/**
 * An editor who writes over HTTP and remembers what was acknowledged. Records that are one editor's are nobody else's, and
 * every text says which version it is, so that after anything there is only one thing that can rightly be there, or two where
 * an answer was still awaited.
 */
import type { Choices } from '../bench/random.ts';
import { type Client, isGone } from './client.ts';
import type { Tally } from './tally.ts';

type Fields = Record<string, string | number | boolean>;

interface Known {
  acknowledged: Fields;
  /** Sent, and not heard of. */
  inFlight: Fields | undefined;
}

/** The record that each editor, counted from 1, finds: a film, a person and two nominations of the tiny record. */
export const maxEditors = 3;

export class Editor {
  readonly #number: number;
  readonly #chance: Choices;
  readonly #tally: Tally;
  /** By address. */
  readonly #records = new Map<string, Known>();
  #version = 0;

  constructor(number: number, chance: Choices, tally: Tally) {
    this.#number = number;
    this.#chance = chance;
    this.#tally = tally;
  }

  /** Writes until the service is gone. @param stopped whether to go on */
  async work(client: Client, stopped: () => boolean): Promise<void> {
    try {
      while (!stopped()) await this.#write(client);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Compares the records with what was acknowledged. */
  async check(client: Client): Promise<void> {
    for (const [path, known] of this.#records) {
      const there = await this.#look(client, path);
      const { acknowledged, inFlight } = known;
      const candidates = inFlight ? [acknowledged, { ...acknowledged, ...inFlight }] : [acknowledged];
      // A new record that was not acknowledged may not be there, or be there as a whole.
      const found = candidates.find((fields) => isIn(fields, there));
      if (there === undefined ? Object.keys(acknowledged).length > 0 : found === undefined)
        this.#tally.lost.push(`${path} is ${JSON.stringify(there)}, known is ${JSON.stringify(known)}`);
      if (there === undefined) this.#records.delete(path);
      else this.#records.set(path, { acknowledged: found ?? {}, inFlight: undefined });
    }
  }

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
    const kind = this.#chance.fraction();
    if (kind < 0.4) await this.#patch(client, `/api/movies/${number}`, { title: `Film ${label}` });
    else if (kind < 0.7) await this.#patch(client, `/api/nominees/${number}`, { name: `Person ${label}` });
    else if (kind < 0.9) {
      const winner = this.#version % 2 === 0;
      await this.#patch(client, `/api/nominations/${number * 2}`, { winner });
    } else if (kind < 0.95) await this.#post(client, '/api/movies', { title: `Another film ${label}` });
    else {
      // Downwards: what others add comes above the highest.
      const references = { ceremony_id: 1, category_id: 1, movie_id: number, nominee_id: number };
      await this.#post(client, '/api/nominations', { id: number * 1_000_000 - this.#version, ...references });
    }
  }

  async #patch(client: Client, path: string, fields: Fields): Promise<void> {
    const known = this.#records.get(path) ?? { acknowledged: {}, inFlight: undefined };
    this.#records.set(path, known);
    known.inFlight = fields;
    const { status, headers, body } = await client.write(path, fields);
    if (this.#isRefused(`PATCH ${path}`, status, headers['retry-after'], body)) return;
    known.acknowledged = { ...known.acknowledged, ...fields };
    known.inFlight = undefined;
    await this.#heard(client, path, fields, headers, body);
  }

  async #post(client: Client, path: string, fields: Fields): Promise<void> {
    const foreseen = fields.id === undefined ? undefined : `${path}/${fields.id}`;
    // The fields of a nomination that its page shows.
    const shown: Fields = foreseen ? { id: fields.id! } : fields;
    if (foreseen) this.#records.set(foreseen, { acknowledged: {}, inFlight: shown });
    const { status, headers, body } = await client.write(path, fields);
    if (this.#isRefused(`POST ${path}`, status, headers['retry-after'], body)) return;
    const { location = '' } = headers;
    if (foreseen !== undefined && location !== foreseen)
      this.#tally.wrong.push(`${foreseen} became ${location}`);
    this.#records.set(location, { acknowledged: shown, inFlight: undefined });
    await this.#heard(client, location, shown, headers, body);
  }

  /** Takes note of a write that was acknowledged: it says what was written, and GET shows it at once. */
  async #heard(
    client: Client,
    path: string,
    fields: Fields,
    headers: Record<string, unknown>,
    body: Buffer,
  ): Promise<void> {
    this.#tally.acknowledged += 1;
    if (!isIn(fields, JSON.parse(body.toString()) as Fields))
      this.#tally.wrong.push(`${path} was acknowledged as ${body}, sent was ${JSON.stringify(fields)}`);
    if (headers['snapshot-pending'] !== undefined) this.#tally.pending += 1;
    else if (this.#chance.chance(0.5)) await this.#expectShown(client, path, fields);
  }

  async #expectShown(client: Client, path: string, fields: Fields): Promise<void> {
    const there = await this.#look(client, path);
    if (!isIn(fields, there))
      this.#tally.wrong.push(`${path} shows ${JSON.stringify(there)} right after ${JSON.stringify(fields)}`);
  }

  /** Whether a write was refused; that should only be for want of space, or with word when to come again. */
  #isRefused(what: string, status: number, retryAfter: string | undefined, body: Buffer): boolean {
    if (status === 200 || status === 201) return false;
    this.#tally.refused += 1;
    if (status !== 507 && !(status === 503 && retryAfter !== undefined))
      this.#tally.wrong.push(`${what}: ${status} ${body}`);
    return true;
  }
}

const isIn = (fields: Fields, record: Fields | undefined): boolean =>
  record !== undefined && Object.entries(fields).every(([field, value]) => record[field] === value);
