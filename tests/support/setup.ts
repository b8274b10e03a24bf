/**
 * Setup of every test file: fast-check draws from the seed of the run; temporary folders, and what replaces functions,
 * globals and variables, go with the file. Files of a worker share their modules.
 */
import fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { runSeed } from '../records/seed.ts';
import { removeTemporaryFolders } from './temporary-folder.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: runSeed });
afterAll(removeTemporaryFolders);
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
