/** Where a case takes place: a database and the folder of its snapshot. */
import { join } from 'node:path';
import { type Connection, openDatabase } from '../../data/open.ts';

export interface Place {
  /** Both are below it, and nothing else is. */
  folder: string;
  db: string;
  out: string;
}

export const placeIn = (folder: string): Place => ({
  folder,
  db: join(folder, 'awards.db'),
  out: join(folder, 'dist'),
});

/** Works on the database with a connection of its own. */
export async function withDatabase<T>(
  { db }: Place,
  work: (connection: Connection) => T,
): Promise<Awaited<T>> {
  const connection = openDatabase(db, { mustExist: true });
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}
