/** The writer: a write is answered with a snapshot that holds it, writes share builds, and a build that fails is repeated. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pageETags, Writer } from '../../api/write/writer.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
let connection: Connection;
/** Ends each build that has begun, in its order. */
let builds: { succeed(): void; fail(): void }[];
let writer: Writer;
let errors: unknown[];
let cases = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  [builds, errors] = [[], []];
  connection = openDatabase(at(`${(cases += 1)}.db`));
  const build = () =>
    new Promise<string>((resolve, reject) => {
      const id = `snapshot ${builds.length + 1}`;
      builds.push({ succeed: () => resolve(id), fail: () => reject(new Error(id)) });
    });
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
  // The changes of another program, too.
  writer.request();
  builds[0]!.succeed();
  expect(await first).toBe('snapshot 1');
  await begun(2);
  builds[1]!.succeed();
  expect(await Promise.all(others)).toEqual(['snapshot 2', 'snapshot 2']);
  expect(builds).toHaveLength(2);
});

it('a write whose build fails is pending, further ones are refused, and the build is repeated by itself', async () => {
  fillWithTinyRecord(connection);
  const write = (tagline: string) =>
    writer.write({ resource: 'movies', id: 1, body: { tagline }, ifMatch: undefined, key: 'editor' });
  const pending = write('first');
  await begun(1);
  builds[0]!.fail();
  expect(await pending).toMatchObject({ snapshot: undefined, data: [{ status: 200, etag: null }] });
  expect(errors).toEqual([new Error('snapshot 1')]);
  expect(await write('second')).toMatchObject({ problem: 'writing-unavailable' });
  // Another program's changes do not hurry it.
  writer.request();
  await vi.advanceTimersByTimeAsync(60_000);
  await begun(2);
  const settled = writer.published();
  builds[1]!.succeed();
  await begun(3);
  builds[2]!.succeed();
  expect(await settled).toBe('snapshot 3');
  const third = write('third');
  await begun(4);
  builds[3]!.succeed();
  expect(await third).toMatchObject({ snapshot: 'snapshot 4', data: [{ etag: expect.any(String) }] });
});

it('If-Match is compared with the record as it is, without waiting for a build: eight editors share one', async () => {
  fillWithTinyRecord(connection);
  const write = (id: number, tagline: string, ifMatch: string) =>
    writer.write({ resource: 'movies', id, body: { tagline }, ifMatch, key: 'editor' });
  const etagNow = (id: number) => pageETags(connection, 'movies', id)[0]!;
  const stale = etagNow(1);
  connection.exec("UPDATE movies SET tagline = 'theirs' WHERE id = 1");
  expect(await write(1, 'ours', stale)).toMatchObject({ problem: 'precondition-failed' });
  const writing = Array.from({ length: 8 }, (_, editor) => write(2, `${editor}`, etagNow(2)));
  const taglines = connection.prepare('SELECT tagline FROM movies WHERE id IN (1, 2) ORDER BY id').pluck();
  expect(taglines.all()).toEqual(['theirs', '7']);
  await begun(1);
  builds[0]!.succeed();
  const shown = { snapshot: 'snapshot 1', data: [{ etag: expect.any(String) }] };
  for (const outcome of await Promise.all(writing)) expect(outcome).toMatchObject(shown);
});
