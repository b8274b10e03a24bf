/** Single edits over HTTP, each checked to show, by two sides in turns. */
import type { PlainRecord } from '../oracle/record.ts';
import { Client } from './client.ts';
import type { Reply } from '../support/http.ts';
import { drawEdits, type Edit } from './edits.ts';

/** Edits before any counts, and those in a row on one side before the other has its turn. */
const warmUps = 40;
const turn = 20;

export interface Made {
  answered: number;
  /** Milliseconds from sending the request to the last byte of the GET after it, which shows the change. */
  shown: number;
}

export class Editor {
  readonly #client: Client;

  /** @param key needed at our service */
  constructor(origin: string, key?: string) {
    this.#client = new Client(origin, key);
  }

  /** Makes edits in turn. @throws Error unless each shows in its answer and in a GET right after it */
  async makeAll(edits: readonly Edit[]): Promise<Made[]> {
    const made: Made[] = [];
    for (const edit of edits) made.push(await this.#make(edit));
    this.#client.close();
    return made;
  }

  async #make(edit: Edit): Promise<Made> {
    // Opens the connection.
    await this.#client.get(edit.path);
    const start = performance.now();
    const answer = await this.#client.write(edit);
    const answered = performance.now() - start;
    const page = await this.#client.get(edit.path);
    const shown = performance.now() - start;
    if (answer.status !== 200 || !shows(answer, edit) || !shows(page, edit))
      throw new Error(`${edit.method} ${edit.path}: ${answer.status} ${answer.body}; then GET: ${page.body}`);
    return { answered, shown };
  }
}

function shows({ body }: Reply, edit: Edit): boolean {
  const record = JSON.parse(body.toString()) as Record<string, unknown>;
  return Object.entries(edit.body).every(([field, value]) => record[field] === value);
}

export interface Side {
  editor: Editor;
  /** The record that its service started with. */
  record: PlainRecord;
}

/** All sides make edits of a kind in turns, after some that do not count. */
export async function editInTurns<Sides extends readonly Side[]>(
  kind: 'title' | 'winner',
  count: number,
  ...sides: Sides
): Promise<{ [I in keyof Sides]: Made[] }> {
  for (const { editor, record } of sides) await editor.makeAll(drawEdits(record, kind, warmUps, 2));
  const edits = sides.map(({ record }) => drawEdits(record, kind, count));
  const taken = sides.map((): Made[] => []);
  for (let start = 0; start < count; start += turn)
    for (const [i, { editor }] of sides.entries())
      taken[i]!.push(...(await editor.makeAll(edits[i]!.slice(start, start + turn))));
  return taken as { [I in keyof Sides]: Made[] };
}
