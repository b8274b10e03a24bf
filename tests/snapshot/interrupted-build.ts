/**
 * A build with all layers, in a process that is killed at its Nth change to the folder:
 * interrupted-build.ts DATABASE FOLDER N [full]
 */
import { layerNames } from '../../api/contract/layers.ts';
import { openDatabase } from '../../data/open.ts';
import { build } from '../support/build.ts';
import { installFailingDisk } from './failing-disk.ts';

const [database, folder, last, full] = process.argv.slice(2) as [string, string, string, string?];
installFailingDisk(folder, Number(last), () => {
  process.kill(process.pid, 'SIGKILL');
  // The signal arrives at the end of the system call.
  throw new Error('still alive');
});
await build(openDatabase(database), folder, { layers: layerNames, full: full === 'full' });
