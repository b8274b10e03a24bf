/** The thread of background-writer.ts: puts each file of a batch into its place, and answers with the error or null. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parentPort } from 'node:worker_threads';

function put(file, bytes) {
  const temporary = join(dirname(file), `.${basename(file)}.unfinished`);
  writeFileSync(temporary, bytes);
  try {
    renameSync(temporary, file);
  } catch {
    // A folder has its place.
    rmSync(file, { recursive: true });
    renameSync(temporary, file);
  }
}

parentPort.on('message', ({ files, buffer }) => {
  try {
    let at = 0;
    for (const [file, length] of files) {
      put(file, buffer.subarray(at, at + length));
      at += length;
    }
    parentPort.postMessage(null);
  } catch ({ message, code }) {
    parentPort.postMessage({ message, code });
  }
});
