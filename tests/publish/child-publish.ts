/** publish() in a process: node --import tsx child-publish.ts OPTIONS, as JSON. Prints the report or the error as JSON. */
import { type PublishOptions, publish } from '../../build/publish/publish.ts';
import { openDatabase } from '../../data/database/open.ts';

const { database, ...options } = JSON.parse(process.argv[2]!) as PublishOptions & { database: string };
const connection = openDatabase(database, { mustExist: true });
const result = await publish({ ...options, connection }).catch(({ message }: Error) => ({ error: message }));
connection.close();
process.stdout.write(`${JSON.stringify(result)}\n`);
