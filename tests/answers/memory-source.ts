/** Builds a snapshot in memory. */
import type { Source } from '../../api/read/source.ts';
import { compile } from '../../build/snapshot/compile.ts';
import { bareDocuments } from '../../build/snapshot/documents.ts';
import type { Output } from '../../build/snapshot/output.ts';
import { Staging } from '../../build/snapshot/staging.ts';
import type { Connection } from '../../data/open.ts';

/** The output of a build and the source of a reader. */
export class MemoryOutput implements Output, Source {
  readonly files = new Map<string, Uint8Array>();

  put(path: string, bytes: Uint8Array): boolean {
    this.files.set(path, bytes.slice());
    return true;
  }

  remove(path: string): boolean {
    return this.files.delete(path);
  }

  room(): undefined {}

  async flush(): Promise<void> {}

  async list(): Promise<string[]> {
    return [...this.files.keys()];
  }

  async manifest(): Promise<Uint8Array | undefined> {
    return this.files.get('manifest.json');
  }

  async shard(path: string): Promise<Uint8Array | undefined> {
    return this.files.get(path);
  }
}

export async function compileInMemory(connection: Connection): Promise<MemoryOutput> {
  const output = new MemoryOutput();
  await compile({
    connection,
    output,
    documents: bareDocuments,
    staging: new Staging(undefined),
    incremental: undefined,
  });
  return output;
}
