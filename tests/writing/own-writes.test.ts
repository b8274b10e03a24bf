/** Who waited for the snapshot to be taken up is answered from it, however many wait at once and however long each look takes. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Resolver } from '../../api/read/resolve.ts';
import { openDatabase } from '../../data/open.ts';
import { compileInMemory, type MemoryOutput } from '../answers/memory-source.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { runs } from '../settings.ts';

const connection = openDatabase(':memory:');
/** One after the other: in snapshot n the film runs for n minutes. */
const snapshots: MemoryOutput[] = [];
const film = { method: 'GET', path: '/api/movies/27', queryString: '' };
const minutes = (body: Uint8Array | null): number =>
  (JSON.parse(new TextDecoder().decode(body!)) as { runtime: number }).runtime;

beforeAll(async () => {
  fillWithNastyRecord(connection);
  for (let number = 0; number < 4; number += 1) {
    connection.exec(`UPDATE movies SET runtime = ${number} WHERE id = 27`);
    snapshots.push(await compileInMemory(connection));
  }
});
afterAll(() => connection.close());

it('no answer comes from a snapshot older than the one waited for, or than the last answer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      let current = 0;
      let latest = 0;
      const moment = () => scheduler.schedule(Promise.resolve());
      const resolver = new Resolver({
        async manifest() {
          await moment();
          const manifest = await snapshots[current]!.manifest();
          await moment();
          return manifest;
        },
        async shard(path) {
          for (const snapshot of snapshots) {
            const shard = await snapshot.shard(path);
            if (shard) return shard;
          }
          return undefined;
        },
      });
      const read = async () => {
        const before = latest;
        const { body } = resolver.kept(film) ?? (await resolver.answer(film));
        const found = minutes(body);
        expect(found).toBeGreaterThanOrEqual(before);
        latest = Math.max(latest, found);
        return found;
      };
      const editor = async () => {
        await moment();
        current += 1;
        const due = current;
        await resolver.refresh();
        expect(await read()).toBeGreaterThanOrEqual(due);
      };
      const reader = async () => {
        for (let times = 0; times < 3; times += 1) {
          await moment();
          await read();
        }
      };
      await scheduler.waitFor(read());
      await scheduler.waitFor(Promise.all([editor(), editor(), editor(), reader()]));
      expect(latest).toBe(3);
    }),
    { numRuns: runs(300) },
  );
});
