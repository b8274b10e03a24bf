import type { Honor } from '../../api/contract/resources.ts';
import { readRecord } from '../../data/edits.ts';
import type { Connection } from '../../data/open.ts';

/** All honors as lists show them, by id. */
export const honorsOf = (connection: Connection): Honor[] =>
  connection
    .prepare<[], number>('SELECT id FROM honors ORDER BY id')
    .pluck()
    .all()
    .map((id) => readRecord(connection, 'honors', id)!);
