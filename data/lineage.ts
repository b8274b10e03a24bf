/** Which record a database holds: an id that goes with every copy of it, so that revisions of strangers are never compared. */
import type { Connection } from './open.ts';

/** The database's own id, 16 hexadecimal digits. */
export function lineage(connection: Connection): string {
  return connection.prepare<[], string>('SELECT id FROM lineage').pluck().get()!;
}
