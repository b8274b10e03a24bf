/** Setup of every test file: fast-check draws from the seed of the run, and temporary folders go with the file. */
import fc from 'fast-check';
import { afterAll } from 'vitest';
import { runSeed } from '../records/seed.ts';
import { removeTemporaryFolders } from './temporary-folder.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: runSeed });
afterAll(removeTemporaryFolders);
