/** A database and its snapshot in one folder. */
import { join } from 'node:path';
import { type Connection, openDatabase } from '../../data/database/open.ts';

export interface Workspace {
  /** Holds the database and the snapshot, and nothing else. */
  folder: string;
  db: string;
  out: string;
}

export const workspaceIn = (folder: string): Workspace => ({
  folder,
  db: join(folder, 'awards.db'),
  out: join(folder, 'dist'),
});

/** Works on the database with a connection of its own. */
export async function withDatabase<T>(
  { db }: Workspace,
  work: (connection: Connection) => T,
): Promise<Awaited<T>> {
  const connection = openDatabase(db, { mustExist: true });
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}
