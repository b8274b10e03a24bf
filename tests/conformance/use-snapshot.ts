/** The snapshot that every runtime serves, built once for a test file. */
import { beforeAll } from 'vitest';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { builtFolder } from '../http/running-service.ts';

/** A folder with the snapshot of the nasty record and the site, from before the first test to after the last. */
export function useSnapshot(): { out: string } {
  const snapshot = { out: '' };
  beforeAll(async () => {
    const { connection, out } = await builtFolder(fillWithNastyRecord, ['site', 'pages']);
    connection.close();
    snapshot.out = out;
  });
  return snapshot;
}
