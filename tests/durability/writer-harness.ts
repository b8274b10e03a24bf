/** The parts of the service's writer thread, in the process of the test: writer, snapshot queue and builder. */
import { setTimeout as pause } from 'node:timers/promises';
import { SnapshotQueue } from '../../api/write/snapshot-queue.ts';
import { type WriteOrder, type WriteOutcome, Writer } from '../../api/write/writer.ts';
import { Builder, BuilderBusy } from '../../build/snapshot/builder.ts';
import { type Connection, openDatabase } from '../../data/open.ts';

export class WriterHarness {
  /** Everything reported to onError. */
  readonly errors: unknown[] = [];
  readonly #connection: Connection;
  readonly #buildConnection: Connection;
  readonly #builder: Builder;
  readonly #queue: SnapshotQueue;
  readonly #writer: Writer;

  /** @throws UserError if the database cannot be opened */
  constructor(db: string, out: string) {
    this.#connection = openDatabase(db, { mustExist: true, timeoutMs: 0 });
    this.#buildConnection = openDatabase(db, { mustExist: true, timeoutMs: 0 });
    this.#builder = new Builder(this.#buildConnection, out);
    const note = (error: unknown) => this.errors.push(error);
    this.#queue = new SnapshotQueue(
      {
        show: () => this.#show(),
        finish: (timeLeft) => this.#builder.finish(timeLeft),
        pageETag: (resource, id) => this.#builder.pageETag(resource, id),
      },
      note,
    );
    this.#writer = new Writer(this.#connection, this.#queue, note);
  }

  write = (order: WriteOrder): Promise<WriteOutcome> => this.#writer.write(order);

  /** Builds what is not built yet. @returns whether that succeeded */
  settled = (): Promise<boolean> => this.#queue.settled();

  async close(): Promise<void> {
    await this.#queue.close();
    this.#buildConnection.close();
    this.#connection.close();
  }

  async #show(): Promise<string> {
    for (let attempts = 0; ; attempts += 1) {
      try {
        return (await this.#builder.show({ timeoutMs: 0 })).snapshot;
      } catch (error) {
        if (!(error instanceof BuilderBusy) || attempts === 20) throw error;
        await pause(5);
      }
    }
  }
}
