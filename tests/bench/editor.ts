/** Editors who make one edit after the other, and look whether each of them shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Receipt } from '../../data/receipts.ts';
import type { ServerChild } from './children.ts';
import { Client, type Reply } from './client.ts';
import type { Edit } from './edits.ts';
import type { WritingService } from './writing-service.ts';

export interface RewrittenFile {
  path: string;
  bytes: Buffer;
}

export interface Made {
  /** Milliseconds from sending the request to the last byte of its answer. */
  elapsed: number;
  /** What the rebuild for it wrote, with the bytes it has after it. */
  files: RewrittenFile[];
}

/** At our service. */
export class Editor {
  readonly #service: WritingService;
  readonly #client: Client;
  readonly #key: string;

  constructor(service: WritingService) {
    this.#service = service;
    this.#client = new Client(service.origin);
    this.#key = service.keys[0]!;
  }

  /** Makes edits in turn. @throws Error unless every one shows in its answer, in a snapshot and on the page right after it */
  async makeAll(edits: readonly Edit[]): Promise<Made[]> {
    const made: Made[] = [];
    for (const edit of edits) {
      const { elapsed, answer, page } = await changed(this.#client, edit, this.#key);
      const { snapshot, etag, receipt } = answer.headers;
      if (!snapshot || !etag || page.headers.etag !== etag)
        throw new Error(`${edit.path} is not the page that the answer to its change names`);
      made.push({ elapsed, files: await this.#rewritten(String(receipt)) });
    }
    this.#client.close();
    return made;
  }

  async #rewritten(receipt: string): Promise<RewrittenFile[]> {
    const { body } = await this.#client.get(receipt, this.#key);
    const { files } = JSON.parse(body.toString()) as Receipt;
    return files!
      .filter(({ action }) => action === 'written')
      .map(({ path }) => ({ path, bytes: readFileSync(join(this.#service.out, path)) }));
  }
}

/** At the SQL alternative. */
export class SqlEditor {
  readonly #client: Client;

  constructor(server: ServerChild) {
    this.#client = new Client(server.origin);
  }

  /** Makes edits in turn. @returns milliseconds that each took. @throws Error unless every one shows */
  async makeAll(edits: readonly Edit[]): Promise<number[]> {
    const taken: number[] = [];
    for (const edit of edits) taken.push((await changed(this.#client, edit)).elapsed);
    this.#client.close();
    return taken;
  }
}

/** Changes a record that was just read, so that the connection is open, and reads it again. */
async function changed(
  client: Client,
  edit: Edit,
  key?: string,
): Promise<{ elapsed: number; answer: Reply; page: Reply }> {
  await client.get(edit.path);
  const began = performance.now();
  const answer = await client.write(edit, key);
  const elapsed = performance.now() - began;
  const page = await client.get(edit.path);
  if (answer.status !== 200 || !shows(answer, edit) || !shows(page, edit))
    throw new Error(`${edit.method} ${edit.path} was answered with ${answer.status}: ${answer.body}`);
  return { elapsed, answer, page };
}

function shows({ body }: Reply, edit: Edit): boolean {
  const record = JSON.parse(body.toString()) as Record<string, unknown>;
  return Object.entries(edit.body).every(([field, value]) => record[field] === value);
}
