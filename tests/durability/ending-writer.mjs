/** Loaded before the service: ends the writer's thread when the process gets SIGUSR2. AWARDS_TEST_END says how. */
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

if (threads.isMainThread) {
  threads.Worker = class extends threads.Worker {
    constructor(...parameters) {
      super(...parameters);
      if (!String(parameters[0]).includes('writer-worker')) return;
      process.once('SIGUSR2', () => {
        // A message that the thread cannot handle: it ends with an uncaught error.
        if (process.env.AWARDS_TEST_END === 'crash') this.postMessage(null);
        else this.terminate();
      });
    }
  };
  syncBuiltinESMExports();
}
