/** Everything the service needs to take writes: the writer on its thread, keys, receipts and limits. */

import { openDatabase } from '../../data/open.ts';
import type { Receipt } from '../../data/receipts.ts';
import { listReceipts, readReceipt } from '../../data/receipts.ts';
import { wrongKeysPerMinute } from '../contract/limits.ts';
import { type KeyCheck, keyCheck } from '../write/keys.ts';
import type { ReceiptSource } from '../write/receipts.ts';
import type { WriteOrder, WriteOutcome } from '../write/writer.ts';
import { type RateLimit, rateLimit } from './rate-limit.ts';
import { WriterClient } from './writer-client.ts';

export interface WritingOptions {
  db: string;
  /** Folder of the snapshot. */
  out: string;
  /** Whether the snapshot has the site besides the record. Default false. */
  site?: boolean;
  /** A key besides those in the database. */
  environmentKey?: string | undefined;
  /** Writes per minute and key; 0 for no limit. */
  writeLimit: number;
  onError: (error: unknown) => void;
}

export interface Writing {
  keyOf: KeyCheck;
  write: (order: WriteOrder) => Promise<WriteOutcome>;
  receipts: ReceiptSource;
  writes: RateLimit | undefined;
  failures: RateLimit;
  /** To be called when no write is pending. */
  close(): Promise<void>;
}

/** Milliseconds a read may wait for the database; readers of a WAL hardly ever do. */
const timeoutMs = 250;

/**
 * Opens the database for writing and brings the folder up to date with it.
 * @throws UserError if the database cannot be opened
 */
export async function openWriting(options: WritingOptions): Promise<Writing> {
  const { db, out, site, environmentKey, writeLimit, onError } = options;
  const connection = openDatabase(db, { mustExist: true, timeoutMs });
  const writer = await WriterClient.start({ db, out, site }, onError);
  return {
    keyOf: keyCheck(connection, environmentKey),
    write: (order) => writer.write(order),
    receipts: {
      read: (id): Receipt | undefined => readReceipt(connection, id),
      list: (choice) => listReceipts(connection, choice),
    },
    writes: rateLimit(writeLimit),
    failures: rateLimit(wrongKeysPerMinute)!,
    async close() {
      await writer.close();
      connection.close();
    },
  };
}
