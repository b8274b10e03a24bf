/** The command "publish": its output, its errors, and that the token never appears in either. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { awards } from '../support/processes.ts';
import { token } from './deploy-api.ts';
import { useStage } from './stage.ts';

const stage = useStage();
const run = (words: string[] = [], environment: Record<string, string> = stage.api.environment) =>
  awards(['publish', '--db', stage.database, '--out', stage.out, ...words], environment);

test('a dry run, a publish and a second publish tell what they do', async () => {
  const dry = await run(['--dry-run']);
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout).toMatch(/^new \.assetsignore \([0-9]+ bytes\)\nnew 404\.html /);
  expect(dry.stdout).toMatch(
    /shows no snapshot; snapshot [0-9a-f]{20} would send [0-9]+ files of [0-9]+ at most \([0-9,]+ KB\) and remove 0; nothing was done\n$/,
  );
  expect(stage.api.deploys.size).toBe(0);
  const first = await run();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(
    /^http.*\/live: snapshot [0-9a-f]{20} is live, [0-9]+ files of [0-9]+ sent \([0-9,]+ KB\) in [0-9.]+ s\n$/,
  );
  stage.expectLive(stage.tree());
  stage.connection.exec("UPDATE movies SET tagline = 'Unbuilt' WHERE id = 1");
  const again = await run();
  expect(again.stdout).toMatch(
    /shows snapshot [0-9a-f]{20} already .*\nthe database holds 1 more change; "awards build" adds them to the snapshot\n$/,
  );
  for (const { stdout } of [dry, first, again]) expect(stdout).not.toContain(token);
});

test('a dry run without a token tells what the first publish would send', async () => {
  const asked = await run(['--dry-run', '--json']);
  const { site, ...expected } = JSON.parse(asked.stdout) as Record<string, unknown>;
  expect(site).toMatch(/^http/);
  const machine = await run(['--dry-run', '--json'], {});
  expect([machine.code, machine.stderr]).toEqual([0, '']);
  expect(JSON.parse(machine.stdout)).toEqual(expected);
  const { stdout } = await run(['--dry-run'], {});
  expect(stdout).toMatch(/^NETLIFY_AUTH_TOKEN is not set: .*\nnew \.assetsignore .*\nnew 404\.html /);
  expect(stdout).toMatch(
    /\nan empty site shows no snapshot; snapshot [0-9a-f]{20} would send [0-9]+ files .* nothing was done\n$/,
  );
});

test('a dry run names a missing file and its repair', async () => {
  rmSync(join(stage.out, 'api/movies/1.json'));
  for (const environment of [{}, stage.api.environment]) {
    const { code, stderr } = await run(['--dry-run'], environment);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^awards: api\/movies\/1\.json in [^\n]+ is missing; "awards build --full" repairs it\n$/,
      ),
    ]);
  }
});

test('--json prints one line', async () => {
  for (const [words, expected] of [
    [['--dry-run', '--pages', 'none'], { dryRun: true, removed: [], behind: 0 }],
    [[], { scope: 'deploy', resumed: false, behind: 0 }],
    [['--to', stage.at('elsewhere')], { removed: 0 }],
  ] as const) {
    const { code, stdout, stderr } = await run(['--json', ...words]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(stdout)).toMatchObject(expected);
  }
});

describe('refused in one line, with exit code 1:', () => {
  test.each<[string, Record<string, string>, string[], RegExp]>([
    ['no token', { NETLIFY_AUTH_TOKEN: '' }, [], /NETLIFY_AUTH_TOKEN is not set; make a token/],
    ['a line feed in the token', { NETLIFY_AUTH_TOKEN: 'a\nb' }, [], /NETLIFY_AUTH_TOKEN is not a token/],
    ['a wrong token', { NETLIFY_AUTH_TOKEN: 'stolen' }, [], /does not accept the token/],
    ['no site', { NETLIFY_SITE_ID: '' }, [], /NETLIFY_SITE_ID is not set; it is the project id/],
    ['an unknown site', {}, ['--site', 'my-blog'], /Netlify knows no site my-blog/],
    ['an invalid site', {}, ['--site', '../users'], /"\.\.\/users" is not the id of a site/],
    ['an API without TLS', { NETLIFY_API_URL: 'http://api.netlify.com' }, [], /must be an https address/],
    ['no folder', {}, ['--out', '/nowhere/dist'], /there is no folder \/nowhere\/dist; "awards build"/],
    ['no folder to copy from', {}, ['--out', '/nowhere/dist', '--to', '/tmp/x-y-z'], /there is no folder/],
  ])('%s', async (_name, environment, words, message) => {
    const { code, stdout, stderr } = await run(words, { ...stage.api.environment, ...environment });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^awards: [^\n]+\n$/);
    expect(stderr).not.toContain(token);
    expect([code, stdout]).toEqual([1, '']);
    expect(stage.api.deploys.size).toBe(0);
  });
});

test('wrong usage: exit code 2', async () => {
  for (const words of [['--to', 'x', '--site', 'y'], ['--to', ''], ['--sight']])
    expect((await run(words)).code, words.join(' ')).toBe(2);
});

test('publishing works without a database', async () => {
  const { code, stdout } = await run(['--json', '--db', stage.at('none.db')]);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { scope: 'deploy', behind: 0 }]);
  stage.expectLive(stage.tree());
});
