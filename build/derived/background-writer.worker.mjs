/** The thread of background-writer.ts: writes each batch of files and reports it. */
import { writeFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', ({ buffer, files, bytes }) => {
  try {
    let at = 0;
    for (const [file, length] of files) {
      writeFileSync(file, buffer.subarray(at, at + length));
      at += length;
    }
    parentPort?.postMessage({ bytes });
  } catch (error) {
    parentPort?.postMessage({ bytes, error: { message: error.message, code: error.code } });
  }
});
