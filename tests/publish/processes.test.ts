/** The promise: killed at any point, the next publish goes on; and however many publish at once, there is one deploy at a time. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { runs } from '../settings.ts';
import { awards, startScript } from '../snapshot/command-line.ts';
import { quick, useStage } from './stage.ts';

const stage = useStage();
const script = fileURLToPath(new URL('./child-publish.ts', import.meta.url));

interface Said {
  error?: string;
  scope?: string;
  uploaded?: number;
  resumed?: boolean;
}

/** Starts a publish in another process. */
function startPublish(options: object = {}): { kill: () => void; said: Promise<Said | undefined> } {
  const { api, out, database } = stage;
  const all = { ...api.account, ...quick, out, database, project: stage.at('project'), ...options };
  const { child, outcome } = startScript(script, [JSON.stringify(all)]);
  return {
    kill: () => void child.kill('SIGKILL'),
    said: outcome.then(({ stdout, stderr }) => {
      expect(stderr).toBe('');
      return stdout === '' ? undefined : (JSON.parse(stdout) as Said);
    }),
  };
}

describe('killed', () => {
  test('at some upload: what is live stays, the next run goes on with the same deploy, and sends the rest', async () => {
    await stage.publish();
    for (let run = 0; run < runs(3); run += 1) {
      const before = stage.tree();
      await stage.edit();
      const at = 1 + Math.floor(Math.random() * 20);
      const child = startPublish();
      let uploads = 0;
      stage.api.onUpload = () => {
        uploads += 1;
        if (uploads === at) child.kill();
      };
      expect(await child.said, `killed at upload ${at}`).toBeUndefined();
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

  test('and then edited and built: the deploy that was begun is taken back, and what it sent counts', async () => {
    await stage.publish();
    await stage.edit();
    const child = startPublish();
    stage.api.onUpload = () => child.kill();
    await child.said;
    stage.api.onUpload = () => {};
    stage.connection.exec("UPDATE nominees SET name = 'Somebody Else' WHERE id = 2");
    await stage.build();
    expect(await stage.publish()).toMatchObject({ resumed: false });
    expect([...stage.api.deploys.values()].map(({ state }) => state)).toEqual(['ready', 'error', 'ready']);
    stage.expectLive(stage.tree());
  });

  test('while the host makes it live: the next run finds it done, or waits for it', async () => {
    stage.api.delays.processing = 400;
    const child = startPublish();
    let required = Number.POSITIVE_INFINITY;
    stage.api.onUpload = () => {
      required = [...stage.api.deploys.values()][0]!.required.size;
      if (required === 0) setTimeout(child.kill, 50);
    };
    await child.said;
    await stage.publish();
    stage.expectLive(stage.tree());
    expect(stage.api.deploys.size).toBe(1);
  });
});

describe('at once', () => {
  test('two publishers of one folder: one deploys, the other finds it done', async () => {
    const said = await Promise.all([startPublish().said, startPublish().said, stage.publish()]);
    expect(said.map((it) => it?.scope).sort()).toEqual(['deploy', 'nothing', 'nothing']);
    expect([stage.api.deploys.size, stage.api.published.length]).toEqual([1, 1]);
    stage.expectLive(stage.tree());
  });

  test('one that cannot wait any longer says so', async () => {
    stage.api.delays.processing = 3000;
    const first = startPublish();
    const begun = new Promise<void>((resolve) => (stage.api.onUpload = () => resolve()));
    await begun;
    expect(await startPublish({ timeoutMs: 100 }).said).toEqual({
      error: expect.stringMatching(/^another publish of .* is at work; try again when it is done$/),
    });
    expect(await first.said).toMatchObject({ scope: 'deploy' });
  });

  test('two deploys keep their distance, whichever process makes them', async () => {
    const interval = 1500;
    await startPublish({ interval }).said;
    await stage.edit();
    await stage.publish({ interval });
    await stage.edit();
    await startPublish({ interval }).said;
    const begun = [...stage.api.deploys.values()].map(({ begunAt }) => begunAt);
    expect(begun).toHaveLength(3);
    for (const [i, time] of begun.slice(1).entries())
      expect(time - begun[i]!).toBeGreaterThanOrEqual(interval);
    stage.expectLive(stage.tree());
  });

  test('builds that replace what is being published: it begins again, and ends with what is built last', async () => {
    await stage.publish();
    await stage.edit();
    let builds = 0;
    let building: Promise<unknown> = Promise.resolve();
    stage.api.onUpload = () => {
      if (builds === 3) return;
      builds += 1;
      const now = builds;
      building = building.then(async () => {
        stage.connection.exec(
          `UPDATE movies SET title = 'Meanwhile ${now}'; UPDATE nominees SET name = name || '!'`,
        );
        await build(stage.connection, stage.out);
      });
    };
    await stage.publish();
    await building;
    await stage.publish();
    expect(builds).toBe(3);
    stage.expectLive(stage.tree());
  });

  test('a build at work is waited for', async () => {
    const place = ['--db', stage.database, '--out', stage.out, '--no-downloads'];
    await awards(['build', ...place]);
    const [built, published] = await Promise.all([
      awards(['build', '--full', ...place]),
      startPublish().said,
    ]);
    expect([built.code, published?.scope]).toEqual([0, 'deploy']);
    stage.expectLive(stage.tree());
  });
});
