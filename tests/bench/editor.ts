/** Single edits over HTTP, each checked to show, by two sides in turns. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReceiptDocument } from '../../api/contract/answers.ts';
import type { PlainRecord } from '../oracle/record.ts';
import { Client } from './client.ts';
import type { Reply } from '../support/http.ts';
import { drawEdits, type Edit } from './edits.ts';

/** Edits before any counts, and those in a row on one side before the other has its turn. */
const warmUps = 40;
const turn = 20;

interface WrittenFile {
  path: string;
  bytes: Buffer;
}

export interface Made {
  answered: number;
  /** Milliseconds from sending the request to the last byte of the GET after it, which shows the change. */
  shown: number;
  /** What the build of the snapshot wrote. */
  files: WrittenFile[];
}

export class Editor {
  readonly #client: Client;
  readonly #out: string | undefined;

  /**
   * @param key needed at our service
   * @param out folder of the service's snapshot, for the files of every edit
   */
  constructor(origin: string, key?: string, out?: string) {
    this.#client = new Client(origin, key);
    this.#out = out;
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
    return { answered, shown, files: await this.#writtenFor(answer, page) };
  }

  async #writtenFor({ headers }: Reply, page: Reply): Promise<WrittenFile[]> {
    if (this.#out === undefined) return [];
    if (!headers.snapshot || !headers.etag || page.headers.etag !== headers.etag)
      throw new Error('the page after a change is not the one that the answer to the change names');
    const { body } = await this.#client.get(String(headers.receipt));
    const { files } = JSON.parse(body.toString()) as ReceiptDocument;
    return files!
      .filter(({ action }) => action === 'written')
      .map(({ path }) => ({ path, bytes: readFileSync(join(this.#out!, path)) }));
  }
}

function shows({ body }: Reply, edit: Edit): boolean {
  const record = JSON.parse(body.toString()) as Record<string, unknown>;
  return Object.entries(edit.body).every(([field, value]) => record[field] === value);
}

/**
 * The floor under an edit: its files, already in memory, each replaced by a rename, as a build does.
 * @param root a build of the same record
 * @returns milliseconds
 */
function replaceFiles(root: string, files: readonly WrittenFile[]): number {
  for (const { path } of files) mkdirSync(dirname(join(root, path)), { recursive: true });
  const start = performance.now();
  for (const { path, bytes } of files) {
    const file = join(root, path);
    const temporary = join(dirname(file), '.unfinished');
    writeFileSync(temporary, bytes);
    renameSync(temporary, file);
  }
  return performance.now() - start;
}

export interface Side {
  editor: Editor;
  /** The record that its service started with. */
  record: PlainRecord;
  /** A folder with the same files as the service's, to replace them in. */
  replaced?: string;
}

export interface Taken {
  made: Made[];
  /** Milliseconds for replacing the files of each edit. */
  replacing: number[];
}

/** All sides make edits of a kind in turns, after some that do not count. */
export async function editInTurns<Sides extends readonly Side[]>(
  kind: 'title' | 'winner',
  count: number,
  ...sides: Sides
): Promise<{ [I in keyof Sides]: Taken }> {
  for (const { editor, record } of sides) await editor.makeAll(drawEdits(record, kind, warmUps, 2));
  const edits = sides.map(({ record }) => drawEdits(record, kind, count));
  const taken = sides.map((): Taken => ({ made: [], replacing: [] }));
  for (let start = 0; start < count; start += turn)
    for (const [i, { editor, replaced }] of sides.entries()) {
      const made = await editor.makeAll(edits[i]!.slice(start, start + turn));
      taken[i]!.made.push(...made);
      if (replaced) taken[i]!.replacing.push(...made.map(({ files }) => replaceFiles(replaced, files)));
    }
  return taken as { [I in keyof Sides]: Taken };
}
