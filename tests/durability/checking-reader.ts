/** A reader that checks each answer: whole, of one snapshot, and never older than an answer before it. */
import { contentHash } from '../../api/contract/snapshot.ts';
import type { Choices } from '../support/random.ts';
import { type Client, isGone, type Reply } from './client.ts';
import type { Tally } from './editor.ts';

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

/** A text written by an editor: its name and version. */
const versioned = /"((?:Film|Person) [0-9]+) v([0-9]+)"/g;

export class CheckingReader {
  readonly #choices: Choices;
  readonly #tally: Tally;
  /** Text → latest version seen. What was seen is durable, so this outlives the service. */
  readonly #seen = new Map<string, number>();

  constructor(choices: Choices, tally: Tally) {
    this.#choices = choices;
    this.#tally = tally;
  }

  /** Reads until the service is gone or `isStopped`. */
  async read(client: Client, isStopped: () => boolean, pause: () => Promise<unknown>): Promise<void> {
    try {
      while (!isStopped()) {
        const address = this.#choices.pick(addresses);
        const reply = await client.get(address);
        this.#tally.answers += 1;
        for (const fault of this.#faultsOf(reply))
          this.#tally.wrong.push(`GET ${address}: ${fault}: ${reply.body}`);
        await pause();
      }
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  #faultsOf({ status, headers, body }: Reply): string[] {
    if (status !== 200) return [`status ${status}`];
    if (headers.etag !== `"${contentHash(body)}"`) return ['the ETag is not the hash of the body'];
    const text = body.toString();
    return [...this.#mixtures(text), ...miscounts(JSON.parse(text) as object)];
  }

  /** Texts that appear in several versions, or in an older one than before. */
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

/** Lists whose length differs from their pagination. */
function miscounts(document: object): string[] {
  const { data, pagination } = document as { data?: unknown[]; pagination?: Pagination };
  if (data === undefined || pagination === undefined) return [];
  const { page, limit, total } = pagination;
  const length = Math.max(0, Math.min(limit, total - (page - 1) * limit));
  return data.length === length ? [] : [`${data.length} of ${total} records on page ${page}`];
}
