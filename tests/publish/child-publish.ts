/** publish() to Netlify in a process: node child-publish.ts OPTIONS, as JSON. Prints the report or the error as JSON. */
import { type NetlifyOptions, NetlifyTarget } from '../../build/publish/netlify-target.ts';
import { type PublishOptions, publish } from '../../build/publish/publish.ts';
import { openDatabase } from '../../data/database/open.ts';

type Options = PublishOptions & NetlifyOptions & { database: string };
const { database, ...options } = JSON.parse(process.argv[2]!) as Options;
const connection = openDatabase(database, { mustExist: true });
const result = await publish({ ...options, connection }, new NetlifyTarget(options)).then(
  ({ outcome }) => outcome,
  ({ message }: Error) => ({ error: message }),
);
connection.close();
process.stdout.write(`${JSON.stringify(result)}\n`);
