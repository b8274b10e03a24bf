/** The parts of the service's writer thread, in the process of the test: writer and builder. */
import { setTimeout as pause } from 'node:timers/promises';
import { Writer } from '../../api/write/writer.ts';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import { FolderBusy } from '../../build/snapshot/output-folder.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';

export class WriterHarness {
  /** Everything reported to onError. */
  readonly errors: unknown[] = [];
  readonly #connection: Connection;
  readonly #buildConnection: Connection;
  readonly #builder: SnapshotBuilder;
  readonly #writer: Writer;

  /** @throws UserError if the database cannot be opened */
  constructor(db: string, out: string) {
    this.#connection = openDatabase(db, { mustExist: true, timeoutMs: 0 });
    this.#buildConnection = openDatabase(db, { mustExist: true, timeoutMs: 0 });
    this.#builder = new SnapshotBuilder(this.#buildConnection, out, { retentionMs: 0 });
    const note = (error: unknown) => this.errors.push(error);
    this.#writer = new Writer(this.#connection, () => this.#build(), note);
  }

  write: Writer['write'] = (order) => this.#writer.write(order);

  /** Builds what is not built yet. @returns whether that succeeded */
  settled = async (): Promise<boolean> => (await this.#writer.published()) !== undefined;

  async close(): Promise<void> {
    await this.#writer.close();
    this.#buildConnection.close();
    this.#connection.close();
  }

  async #build(): Promise<string> {
    for (let attempts = 0; ; attempts += 1) {
      try {
        return (await this.#builder.build({ timeoutMs: 0 })).snapshot;
      } catch (error) {
        if (!(error instanceof FolderBusy) || attempts === 20) throw error;
        await pause(5);
      }
    }
  }
}
