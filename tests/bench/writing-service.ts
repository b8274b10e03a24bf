/** Our service with writing, on copies of its own: whatever is written, the other parts measure what was there before. */
import { type Verification, verify } from '../../build/snapshot/verify.ts';
import { createKey } from '../../data/keys.ts';
import { openDatabase } from '../../data/open.ts';
import { type ServerChild, startServer } from './children.ts';
import type { Workplace, World } from './workplace.ts';

export const editors = 8;

export interface WritingService extends ServerChild {
  /** Folder of its snapshot. */
  out: string;
  /** One for each editor. */
  keys: readonly string[];
  /** Compares the folder with what a clean build would make of the database. Only once it is stopped. */
  verify(): Promise<Verification>;
}

/** Copies the database of a world and starts the service on it, which builds the copy into a new folder. */
export async function startWritingService(workplace: Workplace, world: World): Promise<WritingService> {
  const db = workplace.newPath('awards.db');
  const out = workplace.newPath('snapshot');
  const original = openDatabase(world.database, { mustExist: true });
  await original.backup(db);
  original.close();
  const copy = openDatabase(db, { mustExist: true });
  const keys = Array.from({ length: editors }, (_, i) => createKey(copy, `editor-${i + 1}`, new Date()));
  copy.close();
  const server = await startServer('child-serve-writing.ts', { db, out });
  return { ...server, out, keys, verify: () => verified(db, out) };
}

async function verified(db: string, out: string): Promise<Verification> {
  const connection = openDatabase(db, { mustExist: true });
  try {
    return await verify(connection, out);
  } finally {
    connection.close();
  }
}
