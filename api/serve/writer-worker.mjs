/** Entry of the writer's thread: a worker does not inherit how its parent reads TypeScript. */
import { register } from 'tsx/esm/api';

register();
await import('./writer-worker.ts');
