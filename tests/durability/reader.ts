/** A reader who takes nothing on trust: each answer must be whole, of one snapshot, and never of one older than seen before. */
import { contentHash } from '../../api/contract/snapshot.ts';
import type { Choices } from '../bench/random.ts';
import { type Client, isGone, type Reply } from './client.ts';

const addresses = [
  '/api/nominations',
  '/api/nominations?limit=4&page=2',
  '/api/nominations?movie=film&winner=true',
  '/api/movies',
  '/api/movies/1',
  '/api/movies?title=film&limit=2',
  '/api/nominees/2',
  '/api/nominees?name=person',
  '/api/search?q=film+person',
  '/api/categories/1',
  '/api/stats/top-movies?sort=wins',
  '/api/stats/top-nominees',
];

interface Pagination {
  page: number;
  limit: number;
  total: number;
}

/** A text that an editor wrote: which one, and its version. */
const versioned = /"((?:Film|Person) [0-9]+) v([0-9]+)"/g;

export class ReaderOfAll {
  readonly #chance: Choices;
  readonly #wrong: string[];
  /** The latest version seen of each text. What was seen is durable, so this outlives the service. */
  readonly #seen = new Map<string, number>();
  #answers = 0;

  /** @param wrong told of every answer that should not have been given */
  constructor(chance: Choices, wrong: string[]) {
    this.#chance = chance;
    this.#wrong = wrong;
  }

  /** Reads until the service is gone. @param stopped whether to go on */
  async read(client: Client, stopped: () => boolean, pause: () => Promise<unknown>): Promise<void> {
    try {
      while (!stopped()) {
        const address = this.#chance.pick(addresses);
        const reply = await client.get(address);
        this.#answers += 1;
        for (const fault of this.#faultsOf(reply))
          this.#wrong.push(`GET ${address}: ${fault}: ${reply.body}`);
        await pause();
      }
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Answers since the last time. */
  takeAnswers(): number {
    const answers = this.#answers;
    this.#answers = 0;
    return answers;
  }

  #faultsOf({ status, headers, body }: Reply): string[] {
    if (status !== 200) return [`status ${status}`];
    if (headers.etag !== `"${contentHash(body)}"`) return ['the ETag is not of the body'];
    const text = body.toString();
    return [...this.#mixtures(text), ...miscounts(JSON.parse(text) as object)];
  }

  /** Texts in several versions, or in one that is older than before. */
  #mixtures(text: string): string[] {
    const inAnswer = new Map<string, number>();
    const faults: string[] = [];
    for (const [, name, digits] of text.matchAll(versioned)) {
      const version = Number(digits);
      if ((inAnswer.get(name!) ?? version) !== version) faults.push(`${name} in two versions`);
      inAnswer.set(name!, version);
    }
    for (const [name, version] of inAnswer) {
      if (version < (this.#seen.get(name) ?? 0))
        faults.push(`${name} v${version} after v${this.#seen.get(name)}`);
      this.#seen.set(name, version);
    }
    return faults;
  }
}

/** Whether a list is as long as it says. */
function miscounts(document: object): string[] {
  const { data, pagination } = document as { data?: unknown[]; pagination?: Pagination };
  if (data === undefined || pagination === undefined) return [];
  const { page, limit, total } = pagination;
  const length = Math.max(0, Math.min(limit, total - (page - 1) * limit));
  return data.length === length ? [] : [`${data.length} of ${total} records on page ${page}`];
}
