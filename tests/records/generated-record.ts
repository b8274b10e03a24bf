/** A generated record in which nothing is in the order of anything else. */
import type { Connection } from '../../data/database/open.ts';
import { generateRecord } from '../../tools/generate/generate.ts';

/** Years do not ascend with the ids. A joint entry is won by a later nominee of it only, in the even years. */
export const fillWithGenerated = (scale: number) => (connection: Connection) => {
  generateRecord(connection, { scale, seed: 11 });
  connection.exec(
    `UPDATE ceremonies SET ceremony_year = 1929 + id * 37 % 89;
     UPDATE songs SET streaming_year = 1929 + id * 37 % 89;
     UPDATE nominations SET winner = (
       SELECT count(*) > 1 AND max(n.id) = nominations.id FROM nominations AS n
       WHERE (n.ceremony_id, n.category_id, n.entry) = (nominations.ceremony_id, nominations.category_id, nominations.entry))
     WHERE ceremony_id % 2 = 0`,
  );
};
