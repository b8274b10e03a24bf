/** Entry of the writer's thread: a worker does not inherit the TypeScript loader of its parent. */
import { register } from 'tsx/esm/api';

register();
await import('./writer-worker.ts');
