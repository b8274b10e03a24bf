/**
 * A build that is killed at its Nth change to the folder, run as a process of its own:
 * node --import tsx killed-build.ts DATABASE FOLDER N [full]
 */
import { build } from '../support/build.ts';
import { openDatabase } from '../../data/open.ts';
import { installFailingDisk } from './failing-disk.ts';

const [database, folder, last, full] = process.argv.slice(2) as [string, string, string, string?];
const connection = openDatabase(database, { mustExist: true });
const disk = installFailingDisk(folder, Number(last), () => {
  process.kill(process.pid, 'SIGKILL');
  // The signal arrives at the end of the system call: nothing more happens.
  throw new Error('still alive');
});
await build(connection, folder, { full: full === 'full' });
connection.close();
process.stdout.write(`${disk.attempts}`);
