/**
 * The promise: a build may end at any point, killed or for want of space. Readers see the last snapshot, the new one or, while
 * there is none, that there is none; and the next build makes everything right.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { runs } from '../settings.ts';
import { startScript } from './command-line.ts';
import { installFailingDisk, noSpaceLeft } from './failing-disk.ts';
import { Scene, type Start } from './killed.ts';
import { useWorkspace } from './workspace.ts';

const starts: Start[] = [
  'an empty folder',
  'the last snapshot',
  'the last snapshot, all of it to be built again',
];
const again = (start: Start) => start === 'the last snapshot, all of it to be built again';

const scene = new Scene(useWorkspace());
beforeAll(() => scene.prepare());

/** Number of changes an undisturbed build makes to the folder. */
async function changesFrom(start: Start): Promise<number> {
  const take = await scene.take(start);
  const disk = installFailingDisk(take.folder, Number.POSITIVE_INFINITY, noSpaceLeft);
  try {
    await build(take.connection, take.folder, { full: again(start) });
    return disk.attempts;
  } finally {
    disk.repair();
    take.close();
  }
}

/** About `count` numbers from 0 up to, not including, `end`; always the first few and the last few. */
function sample(end: number, count: number): number[] {
  const step = Math.max(1, Math.floor(end / count));
  return Array.from({ length: end }, (_, n) => n).filter((n) => n < 2 || n >= end - 2 || n % step === 0);
}

describe.each(starts)('a disk that is full while a build goes on from %s', (start) => {
  test('at any point leaves whole snapshots only, and the next build converges', async () => {
    const changes = await changesFrom(start);
    expect(changes).toBeGreaterThan(20);
    for (const last of sample(changes, runs(6))) {
      const take = await scene.take(start);
      const disk = installFailingDisk(take.folder, last, noSpaceLeft);
      await expect(build(take.connection, take.folder, { full: again(start) }))
        .rejects.toThrow('ENOSPC')
        .finally(disk.repair);
      await take.expectWholeOrNothing();
      await take.expectNextBuildConverges();
      take.close();
    }
  });
});

describe.each(starts)('a build killed on its way from %s', (start) => {
  test('leaves whole snapshots only, and the next build converges', async () => {
    const script = new URL('./killed-build.ts', import.meta.url).pathname;
    const changes = await changesFrom(start);
    for (let i = 1; i <= runs(2); i += 1) {
      const last = Math.floor((changes * (i * 2 - 1)) / (runs(2) * 2));
      const take = await scene.take(start);
      const parameters = [scene.databaseFile(), take.folder, String(last), ...(again(start) ? ['full'] : [])];
      expect(await startScript(script, parameters).outcome).toMatchObject({ signal: 'SIGKILL', stderr: '' });
      await take.expectWholeOrNothing();
      await take.expectNextBuildConverges();
      take.close();
    }
  });
});
