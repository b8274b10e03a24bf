/** One full build in a process of its own; its time without Node's start and the loading of modules, as in child-write.ts. */
import '../../build/snapshot/compile.ts';
import { build } from '../support/build.ts';
import { openDatabase } from '../../data/open.ts';
import { childInput, report } from './child.ts';
import { timed } from './figures.ts';

export interface BuildResult {
  /** Milliseconds. */
  elapsed: number;
}

const { database, out } = childInput<{ database: string; out: string }>();
const { elapsed } = await timed(async () => {
  const connection = openDatabase(database, { mustExist: true });
  await build(connection, out);
  connection.close();
});
report({ elapsed } satisfies BuildResult);
