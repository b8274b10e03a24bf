/** A reader sees whole snapshots only, while builds of the command line are killed and repeated: the old one, or the new one. */
import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { openDatabase } from '../../data/open.ts';
import { runs } from '../settings.ts';
import { awards, startAwards } from './command-line.ts';
import { writeDatabase } from './databases.ts';
import { faultsOf } from './named-files.ts';
import { type Answers, ask, expectInTurn, openFolder } from './questions.ts';
import { readTree } from './tree.ts';
import { useWorkspace } from './workspace.ts';

const at = useWorkspace();

/** Changes nearly every file. */
const edit = `
  UPDATE movies SET title = title || ' life', runtime = 1;
  UPDATE nominees SET name = name || ' Ann';
  UPDATE categories SET category_name = category_name || ' (Actress)';
`;

async function answersOfCleanBuild(database: string, name: string): Promise<Answers> {
  const connection = openDatabase(database);
  await build(connection, at(name));
  connection.close();
  return ask(openFolder(at(name)));
}

test('a reader never sees half a snapshot while builds are killed at random times', async () => {
  const [database, folder] = [at('live.db'), at('dist')];
  const parameters = ['build', '--db', database, '--out', folder, '--no-downloads'];
  writeDatabase(database, (connection) => generateRecord(connection, { scale: 0.01, seed: 4 }));
  const before = await answersOfCleanBuild(database, 'before');
  expect(await awards(parameters)).toMatchObject({ code: 0 });
  const connection = openDatabase(database);
  connection.exec(edit);
  connection.close();
  const snapshots = [before, await answersOfCleanBuild(database, 'after')];

  for (let attempt = 0; attempt < runs(3); attempt += 1) {
    const earlier = openFolder(folder);
    const { child, outcome } = startAwards(parameters);
    const killed = after(400 + Math.random() * 800).then(() => child.kill('SIGKILL'));
    let over = false;
    const ended = Promise.all([outcome, killed]).finally(() => {
      over = true;
    });
    while (!over) {
      await expectInTurn(folder, earlier, snapshots);
      await after(5);
    }
    await ended;
  }
  expect(await awards(parameters)).toMatchObject({ code: 0, stderr: '' });
  expect(await awards(['verify', '--db', database, '--out', folder])).toMatchObject({ code: 0 });
  expect(await ask(openFolder(folder))).toEqual(snapshots[1]);
  expect(faultsOf(readTree(folder))).toEqual([]);
});
