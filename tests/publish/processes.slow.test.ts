/** A killed publish is resumed by the next one, and of several publishers of a folder one works at a time. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publishToFolder } from '../../build/publish/publish-to-folder.ts';
import { runs } from '../support/settings.ts';
import { seeded } from '../support/seed.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { bundleScript } from '../support/bundle.ts';
import { awards, outcomeOf, startScript } from '../support/processes.ts';
import { useStage } from './stage.ts';

const stage = useStage();
/** The stage removes its own folder before every test. */
const at = useWorkspace();
mkdirSync(at('bundle'));
const script = await bundleScript('tests/publish/child-publish.ts', at('bundle'));

interface Result {
  scope?: string;
}

/** Starts a publish in another process. Its result is undefined if it was killed. */
function startPublish(options: object = {}): { kill: () => void; result: Promise<Result | undefined> } {
  const all = { ...stage.options, database: stage.database, ...options };
  const child = startScript(script, [JSON.stringify(all)]);
  return {
    kill: () => void child.kill('SIGKILL'),
    result: outcomeOf(child).then(({ stdout, stderr }) => {
      expect(stderr).toBe('');
      return stdout === '' ? undefined : (JSON.parse(stdout) as Result);
    }),
  };
}

describe('killed', () => {
  test('at some upload: the live deploy stays, and the next publish resumes with the missing files', async () => {
    await stage.publish();
    const choices = seeded('killed at an upload');
    for (let run = 0; run < runs(2); run += 1) {
      const before = stage.tree();
      await stage.edit();
      const at = choices.between(1, 20);
      const child = startPublish();
      let uploads = 0;
      stage.api.onUpload = () => {
        uploads += 1;
        if (uploads === at) child.kill();
      };
      expect(await child.result, `killed at upload ${at}`).toBeUndefined();
      stage.expectLive(before);
      const sent = new Set(stage.api.uploads.map(({ digest }) => digest));
      stage.api.onUpload = () => {};
      stage.api.uploads.length = 0;
      expect(await stage.publish(), `killed at upload ${at}`).toMatchObject({ resumed: true });
      expect(stage.api.uploads.filter(({ digest }) => sent.has(digest))).toEqual([]);
      stage.expectLive(stage.tree());
      expect(stage.api.deploys.size).toBe(run + 2);
    }
  });

  test('before an edit and a build: the unfinished deploy is cancelled, and its uploads are not repeated', async () => {
    await stage.publish();
    await stage.edit();
    const child = startPublish();
    stage.api.onUpload = () => child.kill();
    await child.result;
    stage.api.onUpload = () => {};
    stage.connection.exec("UPDATE nominees SET name = 'Somebody Else' WHERE id = 2");
    await stage.build();
    expect(await stage.publish()).toMatchObject({ resumed: false });
    expect(stage.deployStates()).toEqual(['ready', 'error', 'ready']);
    stage.expectLive(stage.tree());
  });

  test('while Netlify makes the deploy live: the next publish waits for it', async () => {
    stage.api.delays.processing = 400;
    const child = startPublish();
    stage.api.onUpload = () => {
      const [deploy] = stage.api.deploys.values();
      if (deploy!.required.size === 0) setTimeout(child.kill, 50);
    };
    await child.result;
    await stage.publish();
    stage.expectLive(stage.tree());
    expect(stage.api.deploys.size).toBe(1);
  });
});

describe('at the same time', () => {
  test('three publishers of one folder: one deploys, the others find it done', async () => {
    const results = await Promise.all([startPublish().result, startPublish().result, stage.publish()]);
    expect(results.map((it) => it?.scope).sort()).toEqual(['deploy', 'nothing', 'nothing']);
    expect([stage.api.deploys.size, stage.api.published.length]).toEqual([1, 1]);
    stage.expectLive(stage.tree());
  });

  test('a publisher that waits too long for another one fails', async () => {
    stage.api.delays.processing = 3000;
    const first = startPublish();
    await new Promise<void>((resolve) => (stage.api.onUpload = () => resolve()));
    expect(await startPublish({ timeoutMs: 100 }).result).toEqual({
      error: expect.stringMatching(/^another publish of .* is running; try again when it is done$/),
    });
    expect(await first.result).toMatchObject({ scope: 'deploy' });
  });

  test('deploys of several processes keep the interval', async () => {
    const interval = 1500;
    await startPublish({ interval }).result;
    await stage.edit();
    await stage.publish({ interval });
    await stage.edit();
    await startPublish({ interval }).result;
    const begun = [...stage.api.deploys.values()].map(({ begunAt }) => begunAt);
    expect(begun).toHaveLength(3);
    for (const [i, time] of begun.slice(1).entries())
      expect(time - begun[i]!).toBeGreaterThanOrEqual(interval);
    stage.expectLive(stage.tree());
  });

  test('builds during a publish do not change what it makes live', async () => {
    await stage.publish();
    await stage.edit();
    const frozen = stage.tree();
    let building: Promise<unknown> | undefined;
    stage.api.onUpload = () => {
      building ??= (async () => {
        stage.connection.exec(
          "UPDATE movies SET title = 'Meanwhile'; UPDATE nominees SET name = name || '!'",
        );
        // Replaces every file that can be replaced, and removes those of the snapshot before.
        await stage.build();
      })();
    };
    await stage.publish();
    await building;
    stage.expectLive(frozen);
    await stage.publish();
    stage.expectLive(stage.tree());
  });

  test('the frozen copy is removed, also that of a killed publish', async () => {
    const folder = join(stage.at('.dist.publish'), 'frozen');
    const child = startPublish();
    stage.api.onUpload = () => child.kill();
    await child.result;
    expect(readdirSync(folder).length).toBeGreaterThan(0);
    stage.api.onUpload = () => {};
    await stage.publish();
    expect(existsSync(folder)).toBe(false);
    await publishToFolder({ out: stage.out, to: stage.at('elsewhere'), connection: stage.connection });
    expect(existsSync(folder)).toBe(false);
  });

  test('publish waits for a running build', async () => {
    const place = ['--db', stage.database, '--out', stage.out, '--no-downloads'];
    await awards(['build', ...place]);
    const [built, published] = await Promise.all([
      awards(['build', '--full', ...place]),
      startPublish().result,
    ]);
    expect([built.code, published?.scope]).toEqual([0, 'deploy']);
    stage.expectLive(stage.tree());
  });
});
