/**
 * Updates layers of a folder: the process that update-process.ts starts. Arguments: folder, LayerOptions. Each message names the
 * layers, and whether to check all their files. The answer is the message of the error, or null.
 */
import { register } from 'tsx/esm/api';

/** Milliseconds without a message before the process ends. It holds some 200 MB. */
const idleMs = 10_000;

// A process does not inherit the TypeScript loader of its parent.
register();
// The work ends with the service. It can be repeated at any time.
process.on('disconnect', () => process.exit());
const [out, options] = process.argv.slice(2);
const { updateLayers } = await import('./layer.ts');
const { layersOf } = await import('./all.ts');
let idle;
process.on('message', async ({ layers, check }) => {
  clearTimeout(idle);
  let failure = null;
  try {
    await updateLayers(out, layersOf(layers, JSON.parse(options)), { check });
  } catch (error) {
    failure = error.message;
  }
  process.send(failure);
  idle = setTimeout(() => process.exit(), idleMs);
});
