/** The index of search after writes is that of a clean build, and a write remakes few shards of it. */
import { beforeEach, expect, test } from 'vitest';
import type { Connection } from '../../data/database/open.ts';
import { build, verify } from '../support/build.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { memoryDatabase } from './databases.ts';

const at = useWorkspace();
let connection: Connection;

beforeEach(async () => {
  connection = memoryDatabase((database) => {
    const insert = database.prepare('INSERT INTO movies (id, title) VALUES (?, ?)');
    const films: [number, string][] = [
      [1, 'Alpha Beta'],
      [2, 'Gamma Beta Beta'],
      [3, 'Alpha Beta'],
      [8192, 'Delta'],
      [2 ** 40, 'Alpha Omega'],
      [2 ** 40 + 1, 'Omega'],
    ];
    for (const film of films) insert.run(...film);
  });
  await build(connection, at('dist'), { layers: [], full: true });
});

test.each([
  [
    'two films swap their titles',
    "UPDATE movies SET title = iif(id = 1, 'Gamma Beta Beta', 'Alpha Beta') WHERE id < 3",
    4,
  ],
  ['the film that names a text goes', 'DELETE FROM movies WHERE id = 1', 3],
  ['the other film with a title gets another one', "UPDATE movies SET title = 'Eta' WHERE id = 3", 4],
  ['a lower id gets a title that another film has', "UPDATE movies SET title = 'Delta' WHERE id = 2", 5],
  ['a film comes with a large id', `INSERT INTO movies (id, title) VALUES (${2 ** 40 - 1}, 'Omega')`, 2],
  ['a title has no words', "UPDATE movies SET title = '?!' WHERE id = 8192", 2],
  ['a film has another runtime', 'UPDATE movies SET runtime = 90 WHERE id = 1', 0],
])('%s', async (_what, sql, most) => {
  connection.exec(sql);
  const { scope, files } = await build(connection, at('dist'), { layers: [] });
  expect(scope).toBe('changes');
  const written = files.filter(
    ({ path, action }) => action === 'written' && path.startsWith('shards/search/'),
  );
  expect(written.length).toBeLessThanOrEqual(most);
  expect((await verify(connection, at('dist'), [])).differences).toEqual([]);
  connection.close();
});
