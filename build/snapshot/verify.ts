/** Compares a folder with what a clean build of the database would put there, byte for byte, without writing anything. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isMissing } from '../../api/hosts/file-source.ts';
import { refuseBrokenReferences } from '../../data/records.ts';
import type { Connection } from '../../data/open.ts';
import { UserError } from '../../data/user-error.ts';
import { compile } from './compile.ts';
import { bareDocuments, type Documents } from './documents.ts';
import { FolderOutput, type Output } from './output.ts';
import { Staging } from './staging.ts';

export interface Difference {
  path: string;
  problem: 'missing' | 'different' | 'unexpected';
}

export interface Verification {
  /** Ascending by path. */
  differences: Difference[];
  /** Files a clean build has. */
  files: number;
  snapshot: string;
}

/** An output that only looks: what would be written is compared with what is there. */
class ComparingOutput implements Output {
  readonly differences: Difference[] = [];
  readonly #folder: FolderOutput;

  constructor(folder: FolderOutput) {
    this.#folder = folder;
  }

  put(path: string, bytes: Uint8Array): boolean {
    try {
      if (readFileSync(join(this.#folder.root, path)).equals(bytes)) return false;
      this.differences.push({ path, problem: 'different' });
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.differences.push({ path, problem: 'missing' });
    }
    return true;
  }

  remove(path: string): boolean {
    this.differences.push({ path, problem: 'unexpected' });
    return true;
  }

  room(): undefined {}

  async flush(): Promise<void> {}

  list(): Promise<string[]> {
    return this.#folder.list();
  }
}

export interface VerifyOptions {
  /** What the snapshot has besides the record. */
  documents?: Documents;
  onProgress?: (done: number, total: number) => void;
}

/** @throws UserError if there is no such folder, or a reference in the database is broken */
export async function verify(
  connection: Connection,
  out: string,
  { documents = bareDocuments, onProgress }: VerifyOptions = {},
): Promise<Verification> {
  const root = resolve(out);
  if (!existsSync(root)) throw new UserError(`there is no folder ${out}; "awards build" makes it`);
  const output = new ComparingOutput(new FolderOutput(root));
  connection.exec('BEGIN');
  try {
    refuseBrokenReferences(connection);
    const { snapshot, total } = await compile({
      connection,
      output,
      documents,
      staging: new Staging(undefined),
      incremental: undefined,
      onProgress,
    });
    const differences = output.differences.sort((a, b) => (a.path < b.path ? -1 : 1));
    return { differences, files: total!, snapshot };
  } finally {
    connection.exec('COMMIT');
  }
}
