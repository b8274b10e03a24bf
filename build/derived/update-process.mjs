/**
 * One update of layers: the process that updater.ts starts. Argument: its request as JSON. It writes the
 * reason of a failure to stderr.
 */
import { register } from 'tsx/esm/api';

// A process does not inherit the TypeScript loader of its parent.
register();
// The work ends with the service. It can be repeated at any time.
process.on('disconnect', () => process.exit());
if (process.connected === false) process.exit();
const { out, layers, check, options } = JSON.parse(process.argv[2]);
const { updateLayers } = await import('./update.ts');
const { layersOf } = await import('./all.ts');
try {
  for (const { layer, repaired } of await updateLayers(out, layersOf(layers, options), { check }))
    if (repaired)
      await new Promise((sent) =>
        process.send({ layer, repaired: repaired.length, first: repaired[0] }, sent),
      );
} catch (error) {
  process.stderr.write(error.message);
  process.exitCode = 1;
}
process.disconnect?.();
