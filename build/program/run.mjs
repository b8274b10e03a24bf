/**
 * What `npm start` and `npm run awards` run: the command line of this checkout, compiled. Where compiled code
 * cannot be kept, the sources run through tsx.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compiledProgram } from './compile.mjs';

/** @returns {Promise<string>} address of the module that runs the command line */
async function entry() {
  try {
    return pathToFileURL(join(await compiledProgram(), 'build/cli/main.js')).href;
  } catch {
    await import('../../data/system/through-tsx.mjs');
    // A source that does not compile fails here, too, and says why.
    return new URL('../cli/main.ts', import.meta.url).href;
  }
}

await import(await entry());
