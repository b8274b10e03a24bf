/**
 * Fills an empty database with generated records: every field set, at any multiple of the size of the real
 * record. The records depend on the scale and the seed only. Ceremony by ceremony is generated and written,
 * so that memory holds one.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import type { Connection } from '../../data/database/open.ts';
import { writeTransaction } from '../../data/database/transaction.ts';
import { countRecords, isEmpty } from '../../data/record/records.ts';
import { noteGenerated } from '../../data/record/sources.ts';
import { UserError } from '../../data/system/messages.ts';
import { Generation } from './generation.ts';
import { Random } from './random.ts';

export interface GenerateOptions {
  /** How many times the real size; 1 is 16,609 nominations. Above 0, at most 1000. */
  scale: number;
  /** Any text or number; equal seeds give equal records. */
  seed: string | number;
  /** Called after each ceremony with the number of records so far, and of all. */
  onProgress?: (done: number, total: number) => void;
}

/**
 * Fills an empty database with generated records in one transaction.
 * @returns the number of records of each resource
 * @throws UserError if the database is not empty or is locked by another program, or the scale is out of
 *   range
 */
export function generateRecord(
  connection: Connection,
  { scale, seed, onProgress }: GenerateOptions,
): Record<ResourceName, number> {
  if (!(scale > 0 && scale <= 1000))
    throw new UserError(`the scale must be above 0 and at most 1000, not ${scale}`);
  writeTransaction(connection, () => {
    if (!isEmpty(connection))
      throw new UserError('the database already holds records; generate fills an empty one only');
    new Generation(connection, new Random(String(seed)), scale).run(onProgress);
    noteGenerated(connection);
  });
  return countRecords(connection);
}
