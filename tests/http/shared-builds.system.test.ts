/** A write is answered with a snapshot that holds it, and a build that fails is repeated. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Writer } from '../../api/write/writer.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

/** Builds that end when the test says so. */
interface Build {
  succeed(): void;
  fail(): void;
}
const at = useWorkspace();
let connection: Connection;
let builds: Build[];
let writer: Writer;
const errors: unknown[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  builds = [];
  errors.length = 0;
  const build = () =>
    new Promise<string>((resolve, reject) => {
      const id = `snapshot ${builds.length + 1}`;
      builds.push({ succeed: () => resolve(id), fail: () => reject(new Error(id)) });
    });
  connection = openDatabase(at('awards.db'));
  writer = new Writer(connection, build, (error) => errors.push(error));
});
afterEach(async () => {
  const closed = writer.close();
  for (const { succeed } of builds) succeed();
  await closed;
  connection.close();
  vi.useRealTimers();
});

const begun = (count: number) => vi.waitFor(() => expect(builds).toHaveLength(count));

it('a write that arrives during a build is answered with the next one, which others share', async () => {
  const first = writer.published();
  await begun(1);
  const others = [writer.published(), writer.published()];
  builds[0]!.succeed();
  expect(await first).toBe('snapshot 1');
  await begun(2);
  builds[1]!.succeed();
  expect(await Promise.all(others)).toEqual(['snapshot 2', 'snapshot 2']);
  expect(builds).toHaveLength(2);
});

it('the changes of another program during a build are built once more', async () => {
  writer.request();
  await begun(1);
  writer.request();
  builds[0]!.succeed();
  await begun(2);
});

it('a write whose build fails is answered as pending, and built again without a further write', async () => {
  const pending = writer.published();
  await begun(1);
  builds[0]!.fail();
  expect(await pending).toBeUndefined();
  expect(errors).toEqual([new Error('snapshot 1')]);
  await vi.advanceTimersByTimeAsync(60_000);
  await begun(2);
  const settled = writer.published();
  builds[1]!.succeed();
  await begun(3);
  builds[2]!.succeed();
  expect(await settled).toBe('snapshot 3');
});
