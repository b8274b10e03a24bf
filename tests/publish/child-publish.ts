/** A publish in a process of its own: node --import tsx child-publish.ts OPTIONS, as JSON; prints its report, or why there is none. */
import { type PublishOptions, publish } from '../../build/publish/publish.ts';
import { openDatabase } from '../../data/open.ts';

const { database, ...options } = JSON.parse(process.argv[2]!) as PublishOptions & { database: string };
const connection = openDatabase(database, { mustExist: true });
try {
  const report = await publish({ ...options, connection });
  process.stdout.write(`${JSON.stringify(report)}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
} finally {
  connection.close();
}
