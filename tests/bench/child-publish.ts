/** One publish in a process: its time without the start of Node and the loading of modules. */
import { type PublishOptions, type PublishReport, publish } from '../../build/publish/publish.ts';
import { openDatabase } from '../../data/open.ts';
import { childInput, report } from './child.ts';
import { timed } from './figures.ts';

export type PublishInput = Pick<PublishOptions, 'out' | 'api' | 'site' | 'token' | 'project' | 'interval'> & {
  database: string;
};

export interface PublishResult extends PublishReport {
  /** Milliseconds. */
  within: number;
}

const { database, ...options } = childInput<PublishInput>();
const { value, elapsed: within } = await timed(async () => {
  const connection = openDatabase(database, { mustExist: true });
  const published = await publish({ ...options, connection });
  connection.close();
  return published;
});
report({ ...value, within } satisfies PublishResult);
