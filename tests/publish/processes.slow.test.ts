/** A killed publish is resumed by the next one; of several publishers of a folder one works at a time; "serve --publish" follows builds. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, inject, test, vi } from 'vitest';
import { publishAfterBuilds } from '../../build/publish/publish-loop.ts';
import { recordOf } from '../records/record-text.ts';
import { compiledScript } from '../support/compiled.ts';
import { awards, outcomeOf, startScript } from '../support/processes.ts';
import { project } from '../support/project.ts';
import { seeded } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { useStage } from './stage.ts';

const stage = useStage();
/** The stage removes its own folder before every test. */
const at = useWorkspace();
mkdirSync(at('bundle'));
const script = await compiledScript('tests/publish/child-publish.ts', at('bundle'));

/** Starts a publish in another process. Its result is undefined if it was killed. */
function startPublish(options: object = {}) {
  const all = { ...stage.options, database: stage.database, ...options };
  const child = startScript(script, [JSON.stringify(all)]);
  return {
    kill: () => void child.kill('SIGKILL'),
    result: outcomeOf(child).then(({ stdout, stderr }) => {
      expect(stderr).toBe('');
      return stdout === '' ? undefined : (JSON.parse(stdout) as { scope?: string });
    }),
  };
}

/** Kills a publish at an upload. */
async function killAt(upload: number): Promise<void> {
  const child = startPublish();
  let uploads = 0;
  stage.api.onUpload = () => {
    uploads += 1;
    if (uploads === upload) child.kill();
  };
  expect(await child.result, `killed at upload ${upload}`).toBeUndefined();
  stage.api.onUpload = () => {};
}

test('killed at an upload: the live deploy stays, the next publish sends what is missing and removes the frozen copy', async () => {
  await stage.publish();
  const choices = seeded('killed at an upload');
  const frozen = join(stage.at('.dist.publish'), 'frozen');
  for (let run = 0; run < runs(2); run += 1) {
    const before = stage.tree();
    await stage.edit();
    stage.api.uploads.length = 0;
    await killAt(choices.between(1, 20));
    stage.expectLive(before);
    expect(readdirSync(frozen).length).toBeGreaterThan(0);
    expect(await stage.publish()).toMatchObject({ resumed: true });
    expect(new Set(stage.api.uploads.map(({ digest }) => digest)).size).toBe(stage.api.uploads.length);
    expect(existsSync(frozen)).toBe(false);
    stage.expectLive(stage.tree());
    expect(stage.api.deploys.size).toBe(run + 2);
  }
  // An unfinished deploy of an older snapshot is cancelled, and one of the same snapshot with other files.
  for (const pages of ['all', 'none'] as const) {
    await stage.edit();
    await killAt(1);
    if (pages === 'all') await stage.edit();
    expect(await stage.publish({ pages })).toMatchObject({ resumed: false });
    expect([...stage.api.deploys.values()].map(({ state }) => state).slice(-2)).toEqual(['error', 'ready']);
    if (pages === 'all') stage.expectLive(stage.tree());
  }
});

test('killed while Netlify makes the deploy live: the next publish waits for it', async () => {
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

test('three publishers of one folder: one deploys, the others find it done; one that waits too long says so', async () => {
  const results = await Promise.all([startPublish().result, startPublish().result, stage.publish()]);
  expect(results.map((it) => it?.scope).sort()).toEqual(['deploy', 'nothing', 'nothing']);
  expect([stage.api.deploys.size, stage.api.published.length]).toEqual([1, 1]);
  stage.expectLive(stage.tree());
  await stage.edit();
  // The first one ends when the other has given up.
  let end = () => {};
  stage.api.held = new Promise<void>((resolve) => (end = resolve));
  const first = startPublish();
  await new Promise<void>((resolve) => (stage.api.onUpload = () => resolve()));
  await expect(stage.publish({ timeoutMs: 100 })).rejects.toThrow(
    /^another publish of .* is running; try again when it is done$/,
  );
  end();
  expect(await first.result).toMatchObject({ scope: 'deploy' });
});

test('deploys of several processes keep the interval, and publish waits for a running build', async () => {
  const interval = 800;
  await startPublish({ interval }).result;
  await stage.edit();
  await stage.publish({ interval });
  const [first, second] = [...stage.api.deploys.values()].map(({ begunAt }) => begunAt);
  expect(second! - first!).toBeGreaterThanOrEqual(interval);
  const place = ['--db', stage.database, '--out', stage.out, '--no-downloads'];
  const [built, published] = await Promise.all([
    awards(['build', '--full', ...place]),
    startPublish().result,
  ]);
  expect([built.code, published?.scope !== undefined]).toEqual([0, true]);
  await stage.publish();
  stage.expectLive(stage.tree());
});

test('"serve --publish": edits become live; a publish that it stops is resumed by the next one', async () => {
  const { api } = stage;
  const errors: unknown[] = [];
  const options = { ...stage.options, interval: 50, db: stage.database };
  const start = () => publishAfterBuilds({ ...options, onError: (error) => errors.push(error) });
  const untilLive = () => vi.waitFor(() => stage.expectLive(stage.tree()), { timeout: 60_000, interval: 50 });
  const first = start();
  for (let edit = 0; edit < 5; edit += 1) {
    await stage.edit();
    await after(30);
  }
  await untilLive();
  expect(api.published.length).toBeLessThanOrEqual(6);
  const before = stage.liveTree();
  const uploading = new Promise<void>((resolve) => (api.onUpload = () => resolve()));
  await stage.edit();
  await uploading;
  await first.close();
  stage.expectLive(before, stage.tree());
  const next = start();
  await untilLive();
  await next.close();
  expect(errors).toEqual([]);
});

test('the steps of the GitHub workflow import, build, verify and publish; Netlify compares many files in the background', async () => {
  const workflow = readFileSync(join(project, '.github/workflows/publish.yml'), 'utf8');
  const out = stage.at('site');
  const source = stage.at('record.tsv');
  writeFileSync(source, recordOf({}));
  const own = { AWARDS_DB: stage.at('ci.db'), AWARDS_DIST: out, AWARDS_SOURCE: source, REPLACE: 'false' };
  // "npm run -s awards -- WORDS", from the bundle.
  const npm = `npm() { shift 4; ${process.execPath} ${inject('cli')} "$@"; }\n`;
  stage.api.delays = { preparing: 120, processing: 120 };
  for (const step of ['Import', 'Build', 'Verify', 'Publish']) {
    const [text = ''] = workflow.split(`- name: ${step}\n`)[1]!.split(/^ {6}- /m);
    const [, lines, line = lines] = /^ {8}run: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/m.exec(text) ?? [];
    const env = { ...stage.api.environment, ...own, PATH: process.env.PATH };
    await promisify(execFile)('bash', ['-e', '-c', npm + line], { cwd: project, env });
  }
  expect(stage.tree(out).size).toBeGreaterThan(100);
  stage.expectLive(stage.tree(out));
});
