/** Makes the downloads of a folder and ends: what keeping.ts starts. A process does not inherit how its parent reads TypeScript. */
import { register } from 'tsx/esm/api';

register();
const { makeDownloads } = await import('./downloads.ts');
try {
  await makeDownloads(process.argv[2]);
} catch (error) {
  process.stderr.write(error.message);
  process.exitCode = 1;
}
