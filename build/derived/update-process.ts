/**
 * One update of layers: the process that updater.ts starts. Argument: its request as JSON. It writes the
 * reason of a failure to stderr.
 */
import { layersOf } from './layers.ts';
import { updateLayers } from './update.ts';
import type { LayerOutcome, UpdateRequest } from './updater.ts';

// The work ends with the service. It can be repeated at any time.
process.on('disconnect', () => process.exit());
if (process.connected === false) process.exit();
const { out, layers, check, options } = JSON.parse(process.argv[2]!) as UpdateRequest;
try {
  const reports = await updateLayers(out, layersOf(layers, options), { check });
  for (const { layer, repaired, hasRetired } of reports) {
    const outcome: LayerOutcome = { layer, repaired, hasRetired };
    await new Promise((sent) => process.send!(outcome, undefined, undefined, sent));
  }
} catch (error) {
  process.stderr.write((error as Error).message);
  process.exitCode = 1;
}
process.disconnect?.();
