/**
 * The promise: the service may be killed at any moment while editors write and others read. What was acknowledged is there
 * after the next start, what is read is always whole, and the snapshot is that of a clean build. `npm run kills` does the same
 * a thousand times.
 */
import { expect, test } from 'vitest';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { runs } from '../settings.ts';
import { KillRounds, nothingFound } from './kill-rounds.ts';
import { Stage } from './stage.ts';
import { useMemoryFolder } from './workspace.ts';

const at = useMemoryFolder();

test('a service that is killed again and again loses nothing that it acknowledged', async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const findings = nothingFound();
  const stage = await Stage.prepare(at('original'), siteDocuments);
  const rounds = await KillRounds.begin(stage, at('rounds'), seed, findings);
  for (let round = 0; round < runs(3); round += 1) await rounds.round();
  await rounds.end();
  const { acknowledged, answers, ...found } = findings;
  const nothing = { kills: runs(3), pending: 0, refused: 0, lost: [], wrong: [], differences: [] };
  expect({ seed, ...found }).toEqual({ seed, ...nothing });
  expect(acknowledged).toBeGreaterThan(0);
  expect(answers).toBeGreaterThan(0);
}, 3_600_000);
