/** Setup of every test file: fast-check draws from the seed of the run. */
import fc from 'fast-check';
import { runSeed } from './seed.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: runSeed });
