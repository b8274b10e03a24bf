/** Updates layers of a folder and exits: the process that updater.ts starts. Arguments: folder, UpdateMode, LayerOptions, layer names. */
import { register } from 'tsx/esm/api';

// A process does not inherit the TypeScript loader of its parent.
register();
// The work ends with the service. It can be repeated at any time.
process.on('disconnect', () => process.exit());
const [out, mode, options, ...names] = process.argv.slice(2);
const { updateLayers } = await import('./layer.ts');
const { layersOf } = await import('./all.ts');
try {
  await updateLayers(out, layersOf(out, names, JSON.parse(options)), { check: mode !== 'update' });
} catch (error) {
  process.stderr.write(error.message);
  process.exitCode = 1;
}
process.disconnect?.();
