/** A site whose snapshot is replaced while clients read it, behind a network with delays and faults. */
import { setImmediate } from 'node:timers/promises';
import { Resolver } from '../../api/read/resolve.ts';
import { answerAt, compiledRecord, type MemoryFolder } from '../support/build.ts';
import type { Choices } from '../support/random.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { fileAt } from './static-host.ts';

/** Together they read every family of shards and pages. */
export const addresses = [
  '/api/nominations',
  '/api/nominations?page=2',
  '/api/nominations?winner=true&yearStart=1930',
  '/api/nominations?movie=the&nominee=a',
  '/api/nominations?include=details',
  '/api/nominations/12',
  '/api/movies/27',
  '/api/movies/45',
  '/api/movies?title=m',
  '/api/movies?year=2025',
  '/api/movies?genre=war',
  '/api/nominees',
  '/api/nominees?known_for_department=acting',
  '/api/nominees/1',
  '/api/ceremonies',
  '/api/ceremonies?yearEnd=1930',
  '/api/categories',
  '/api/categories/1',
  '/api/categories?category_group=acting',
  '/api/honors',
  '/api/songs',
  '/api/songs?title=the',
  '/api/search?q=ann+actor',
  '/api/search?q=th&winner=true',
  '/api/stats/top-movies',
  '/api/stats/top-movies?yearStart=1930',
  '/api/stats/top-nominees?category=actor',
  '/api/stats/top-nominees?category=actor&limit=3',
];

/** SQL for each snapshot: names shown almost everywhere, orders that change, and records that come and go. */
const edits = [
  '',
  `UPDATE movies SET title = title || ' the second';
   UPDATE nominees SET name = 'Ann ' || name;
   UPDATE nominations SET winner = 1 - winner;`,
  `UPDATE categories SET category_name = 'Actor ' || category_name;
   UPDATE ceremonies SET ceremony_year = ceremony_year + 1 WHERE ceremony_year BETWEEN 1900 AND 2030;
   DELETE FROM movies WHERE id = 45;`,
  `UPDATE songs SET original_title = original_title || ' the';
   UPDATE movies SET overview = 'Seen.';
   DELETE FROM nominations WHERE id > 12;`,
];

export interface PublishedSnapshot {
  files: MemoryFolder;
  /** Status, ETag and body of each address. */
  answers: ReadonlyMap<string, string>;
}

export const answerText = (status: number, etag: string | null | undefined, body: string): string =>
  `${status} ${etag ?? ''} ${body}`;

/** Snapshots that differ in nearly every document. */
export async function differentSnapshots(): Promise<PublishedSnapshot[]> {
  return Promise.all(
    edits.map(async (edit) => {
      const { files } = await compiledRecord((connection) => {
        fillWithNastyRecord(connection);
        connection.exec(edit);
      });
      return { files, answers: await answersOf(files) };
    }),
  );
}

async function answersOf(files: MemoryFolder): Promise<ReadonlyMap<string, string>> {
  const resolver = new Resolver(files, { writable: false });
  const answers = new Map<string, string>();
  for (const address of addresses) {
    const { status, headers, body } = await answerAt(resolver, address);
    answers.set(address, answerText(status, headers.ETag, new TextDecoder().decode(body!)));
  }
  return answers;
}

export class ReplacingSite {
  readonly #snapshots: readonly PublishedSnapshot[];
  readonly #choices: Choices;
  /** Share of files that are stale, truncated, missing, or lost with the connection. */
  readonly #faults: number;
  /** Indexes of the snapshots published so far. */
  readonly #published: number[] = [0];
  /** Number of file requests until the next replacement. */
  #requestsLeft = Number.POSITIVE_INFINITY;
  replacements = 0;

  constructor(snapshots: readonly PublishedSnapshot[], choices: Choices, faults: number) {
    this.#snapshots = snapshots;
    this.#choices = choices;
    this.#faults = faults;
  }

  /** The published snapshot. */
  get current(): PublishedSnapshot {
    return this.#snapshots[this.#published.at(-1)!]!;
  }

  /** Publishes another snapshot. */
  replace(): void {
    const other = this.#choices.between(1, this.#snapshots.length - 1);
    this.#published.push((this.#published.at(-1)! + other) % this.#snapshots.length);
    this.replacements += 1;
  }

  /** Publishes another snapshot after this number of file requests. */
  replaceAfter(files: number): void {
    this.#requestsLeft = files;
  }

  /** In place of the global fetch. */
  fetch = async (input: string | URL | Request): Promise<Response> => {
    const choices = this.#choices;
    if (this.#requestsLeft === 0) this.replace();
    this.#requestsLeft -= 1;
    // The delay of the network, in turns of the event loop.
    for (let turns = choices.between(0, 2); turns > 0; turns -= 1) await setImmediate();
    const { pathname } = new URL(String(input));
    const wrong = choices.chance(this.#faults);
    const fault = wrong ? choices.pick(['stale', 'truncated', 'missing', 'lost'] as const) : undefined;
    if (fault === 'lost') throw new TypeError('the connection was lost');
    const earlier = this.#snapshots[this.#published.at(-2) ?? 0]!;
    const { files } = fault === 'stale' ? earlier : this.current;
    const bytes = files.files.get(fileAt(pathname) ?? '');
    if (bytes === undefined || fault === 'missing') return new Response('none', { status: 404 });
    return new Response(
      bytes.slice(0, fault === 'truncated' ? choices.between(0, bytes.length - 1) : bytes.length),
    );
  };
}
