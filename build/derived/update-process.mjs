/**
 * Updates layers of a folder: the process that update-runner.ts starts. Arguments: folder, LayerOptions. Each message is an
 * UpdateTask. The answer is the message of its error, or null.
 */
import { register } from 'tsx/esm/api';

// A process does not inherit the TypeScript loader of its parent.
register();
// The work ends with the service. It can be repeated at any time.
process.on('disconnect', () => process.exit());
const [out, options] = process.argv.slice(2);
const { updateLayers } = await import('./layer.ts');
const { layersOf } = await import('./all.ts');
process.on('message', async ({ mode, layers }) => {
  let failure = null;
  try {
    await updateLayers(out, layersOf(out, layers, JSON.parse(options)), { check: mode !== 'update' });
  } catch (error) {
    failure = error.message;
  }
  process.send(failure);
});
