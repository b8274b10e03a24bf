/** Loaded before the service: ends the writer's thread with an uncaught error when the process gets SIGUSR2. */
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

if (threads.isMainThread) {
  threads.Worker = class extends threads.Worker {
    /** @param {ConstructorParameters<typeof threads.Worker>} parameters */
    constructor(...parameters) {
      super(...parameters);
      // A message that the thread cannot handle.
      if (String(parameters[0]).includes('writer-worker'))
        process.once('SIGUSR2', () => this.postMessage(null));
    }
  };
  syncBuiltinESMExports();
}
