/** The tiny record built into a folder, which is restored before every test of a file. */
import { beforeAll, beforeEach } from 'vitest';
import { build } from '../support/build.ts';
import { memoryDatabase } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { readTree, type Tree, writeTree } from './tree.ts';

export interface BuiltTiny {
  whole: Tree;
  /** The database after the build; see revive(). */
  original: Buffer;
}

/**
 * Call it once, at the top of a test file. The result is filled before the first test.
 * @param folder where to build
 */
export function useBuiltTiny(folder: () => string): BuiltTiny {
  const built = {} as BuiltTiny;
  beforeAll(async () => {
    const connection = memoryDatabase(fillWithTinyRecord);
    await build(connection, folder());
    built.original = connection.serialize();
    connection.close();
    built.whole = readTree(folder());
  });
  beforeEach(() => writeTree(folder(), built.whole));
  return built;
}
