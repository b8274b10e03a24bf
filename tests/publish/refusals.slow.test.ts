/**
 * A publish that cannot succeed changes nothing there, and says in one line what to do. An older snapshot never replaces a newer
 * one; where the order is unknown, only --force replaces the live deploy.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { layerHeadText } from '../../api/contract/layer-index.ts';
import { program } from '../../build/cli/program.ts';
import { formatTitle, parseTitle } from '../../build/publish/deploy-title.ts';
import { OutputFolder } from '../../build/snapshot/output-folder.ts';
import { openDatabase } from '../../data/database/open.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { expectSameTree, readTree } from '../records/tree.ts';
import { awards } from '../support/processes.ts';
import { token } from '../support/deploy-api.ts';
import { build, publicFiles, useStage } from './stage.ts';

const stage = useStage();
const newer = /shows a newer snapshot .*revision [0-9]+.*--force/;
const unknown = /it is unknown which is newer; --force replaces it/;

test('a refusal of Netlify is final: no request is repeated', async () => {
  for (const [status, message] of [
    [400, /^Netlify refuses \(400\): as the test has it$/],
    [401, /^Netlify does not accept the token in NETLIFY_AUTH_TOKEN \(401\); make a new one/],
    [403, /^the token in NETLIFY_AUTH_TOKEN may not publish to site .* \(403\); use/],
    [404, /^Netlify knows no site .*\(404\); NETLIFY_SITE_ID is/],
    [422, /^Netlify refuses \(422\): as the test has it$/],
  ] as const) {
    stage.api.requests.length = 0;
    stage.api.refuseWith = status;
    await expect(stage.publish()).rejects.toThrow(message);
    expect(stage.api.requests).toHaveLength(1);
  }
  // During uploads, of which five are sent at a time.
  stage.api.refuseWith = undefined;
  stage.api.onUpload = () => {
    stage.api.refuseWith = 422;
  };
  await expect(stage.publish()).rejects.toThrow(/^Netlify refuses \(422\)/);
  const refused = stage.api.requests.filter((it) => it.status === 422 && it.path.includes('/files/'));
  expect(refused.length).toBeLessThanOrEqual(5);
  expect(new Set(refused.map(({ path }) => path)).size).toBe(refused.length);
  stage.expectLive(new Map());
});

describe('an incomplete snapshot is not published:', () => {
  const write = (path: string, content: string | Buffer) => writeFileSync(join(stage.out, path), content);
  const remove = (path: string) => rmSync(join(stage.out, path), { recursive: true });
  const index = 'layers/pages.json';
  const pages = () => new OutputFolder(stage.out).layerHead('pages')!;
  const alter = (change: object) => write(index, layerHeadText({ ...pages(), ...change }));
  const page = 'api/movies/1.json';
  const behind = /the pages layer of .* is not at the snapshot; "awards build" brings it up to date$/;

  test.each<[string, () => unknown, RegExp]>([
    ['no folder', () => remove('.'), /^there is no folder .*"awards build" makes it$/],
    ['no manifest', () => remove('manifest.json'), /holds no snapshot .*"awards build" makes one$/],
    ['no pages', () => remove(index), behind],
    ['an interrupted update of the pages', () => alter({ isFinished: false }), behind],
    [
      'pages of an earlier snapshot',
      () => alter({ manifest: { ...pages().manifest, snapshot: 'f'.repeat(20) } }),
      behind,
    ],
    ['a page is missing', () => remove(page), /1\.json in .* is missing; "awards build --full" repairs/],
    ['a page is damaged', () => write(page, '{}'), /1\.json in .* is damaged; "awards build --full" re/],
    [
      'a damaged index of the downloads, which would take them off the site',
      async () => {
        await build(stage.connection, stage.out, true);
        write('layers/downloads.json', '{}');
      },
      /the downloads layer of .* is not at the snapshot/,
    ],
  ])('%s', async (_name, damage, message) => {
    await damage();
    await expect(stage.publish()).rejects.toThrow(message);
    await expect(stage.copy()).rejects.toThrow(message);
    expect(stage.api.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('unless the layers are brought up to date first', async () => {
    remove(index);
    await stage.publish({ updateLayers: () => build(stage.connection, stage.out) });
    stage.expectLive(stage.tree());
  });
});

test('a copy from before an edit is refused, at Netlify and in a folder; a newer one is not', async () => {
  await stage.connection.backup(stage.at('older.db'));
  await stage.edit();
  await Promise.all([stage.publish(), stage.copy()]);
  const after = stage.tree();
  const connection = openDatabase(stage.at('older.db'));
  const older = { out: stage.at('older'), connection };
  await build(connection, older.out);
  await expect(stage.publish(older)).rejects.toThrow(newer);
  await expect(stage.copy(older)).rejects.toThrow(newer);
  stage.expectLive(after);
  expectSameTree(publicFiles(stage.to), after);
  expect(stage.api.deploys.size).toBe(1);
  await stage.publish({ ...older, force: true });
  await stage.copy({ ...older, force: true });
  expectSameTree(stage.liveTree(), stage.tree(older.out));
  expectSameTree(publicFiles(stage.to), stage.tree(older.out));
  // It continues the record elsewhere.
  await stage.publish();
  connection.exec("UPDATE movies SET title = 'x'; UPDATE movies SET title = 'y'");
  await build(connection, older.out);
  expect(await stage.publish(older)).toMatchObject({ scope: 'deploy' });
  connection.close();
});

test('another record, or a snapshot without its database, is refused; so is a site of another tool, or a locked one', async () => {
  const { api } = stage;
  api.publishElsewhere('My first site', new Map([['index.html', Buffer.from('hello')]]));
  await expect(stage.publish()).rejects.toThrow(/did not upload; --force replaces them/);
  await stage.publish({ force: true });
  const before = stage.tree();
  const other = openDatabase(stage.at('other.db'));
  fillWithTinyRecord(other);
  other.exec("UPDATE movies SET title = 'Another'; UPDATE movies SET title = 'Third'");
  await build(other, stage.at('other'));
  await expect(stage.publish({ out: stage.at('other'), connection: other })).rejects.toThrow(unknown);
  other.close();
  await stage.edit();
  const alone = { out: stage.at('alone'), connection: undefined };
  cpSync(stage.out, alone.out, { recursive: true });
  await expect(stage.publish(alone)).rejects.toThrow(unknown);
  api.locked = true;
  await expect(stage.publish()).rejects.toThrow(/is locked to the deploy it shows; start auto publishing/);
  api.locked = false;
  stage.expectLive(before);
  await stage.publish({ ...alone, force: true });
  stage.expectLive(stage.tree());
});

test('a publish without the database keeps the place of the snapshot, so that the right database goes on', async () => {
  const alone = { connection: undefined };
  const titles = () => [
    [...stage.api.deploys.values()].at(-1)!.title,
    readFileSync(join(stage.to, '.awards.published'), 'utf8'),
  ];
  await Promise.all([stage.publish(), stage.copy()]);
  const before = titles();
  expect(await stage.publish(alone)).toMatchObject({ scope: 'nothing' });
  await stage.copy(alone);
  expect(titles()).toEqual(before);
  // Other files of the same snapshot.
  await stage.publish({ ...alone, pages: 'none' });
  await stage.copy({ ...alone, pages: 'none' });
  for (const title of titles()) expect(parseTitle(title)?.place).toEqual(parseTitle(before[0]!)!.place);
  await stage.edit();
  await Promise.all([stage.publish(), stage.copy()]);
  stage.expectLive(stage.tree());
});

test('a publish from another folder does not take the edge functions off the site', async () => {
  const folder = stage.at('project/.netlify/edge-functions-dist');
  mkdirSync(folder, { recursive: true });
  for (const name of ['manifest.json', 'abc.eszip']) writeFileSync(join(folder, name), name);
  await stage.publish();
  const live = stage.api.live()!;
  await stage.edit();
  const elsewhere = { project: stage.at('elsewhere') };
  const message =
    /^.* answers by edge functions, and .*elsewhere.\.netlify has none: publish from the folder where "npx netlify-cli build" has made them, or use --force/;
  await expect(stage.plan(elsewhere)).rejects.toThrow(message);
  await expect(stage.publish(elsewhere)).rejects.toThrow(message);
  expectSameTree(stage.api.live()!, live);
  expect(stage.api.deploys.size).toBe(1);
  await stage.publish();
  await stage.publish({ ...elsewhere, force: true });
  expect([...stage.api.live()!.keys()].filter((path) => path.startsWith('.netlify/'))).toEqual([]);
  // A site without functions needs none.
  await stage.edit();
  await stage.publish(elsewhere);
  stage.expectLive(stage.tree());
});

test('a newer snapshot that another publisher makes live during the uploads stays', async () => {
  await stage.publish();
  const title = parseTitle([...stage.api.deploys.values()][0]!.title)!;
  await stage.edit();
  const elsewhere = new Map([['manifest.json', Buffer.from('newer')]]);
  const later = { ...title, snapshot: 'f'.repeat(20), place: { ...title.place!, revision: 1_000_000 } };
  stage.api.onUpload = () => {
    stage.api.onUpload = () => {};
    stage.api.publishElsewhere(formatTitle(later), elsewhere);
  };
  await expect(stage.publish()).rejects.toThrow(newer);
  expect(stage.api.live()).toEqual(elsewhere);
  expect([...stage.api.deploys.values()].map(({ state }) => state)).toEqual(['ready', 'error', 'ready']);
});

test('a deploy that Netlify ends with an error is reported, and the next publish makes another one', async () => {
  stage.api.delays.processing = 300;
  stage.api.onUpload = () => {
    const [deploy] = stage.api.deploys.values();
    if (deploy!.required.size > 0) return;
    setTimeout(() => Object.assign(deploy!, { state: 'error', message: 'Canceled by a person' }), 50);
  };
  await expect(stage.publish()).rejects.toThrow(
    /^Netlify could not complete the deploy .*: Canceled by a person; publish again$/,
  );
  stage.api.onUpload = () => {};
  expect(await stage.publish()).toMatchObject({ resumed: false, uploaded: 0 });
  stage.expectLive(stage.tree());
});

test('a folder with other files, a file, and a folder in or around that of the snapshot are refused', async () => {
  mkdirSync(stage.to);
  writeFileSync(join(stage.to, 'holiday.jpg'), 'photo');
  writeFileSync(stage.at('file'), 'mine');
  symlinkSync(stage.out, stage.at('link'));
  const before = readTree(stage.to);
  await expect(stage.copy()).rejects.toThrow(
    /not a snapshot \(such as holiday\.jpg\); choose another folder with/,
  );
  await expect(stage.copy({ to: stage.at('file') })).rejects.toThrow(
    /file is not a folder; choose another one/,
  );
  for (const name of ['dist', 'dist/copy', 'dist/..copy', 'link/a/copy', '.', 'link'])
    await expect(stage.copy({ to: stage.at(name) })).rejects.toThrow(
      /is inside the other; choose another folder/,
    );
  expectSameTree(readTree(stage.to), before);
});

test('the command prints what it does and will do, names a wrong setting, and never prints the token', async () => {
  const run = async (words: string[] = [], environment: Record<string, string> = {}) => {
    const place = ['--db', stage.database, '--out', stage.out];
    const outcome = await awards(['publish', ...place, ...words], {
      ...stage.api.environment,
      ...environment,
    });
    expect(outcome.stdout + outcome.stderr).not.toContain(token);
    return outcome;
  };
  for (const [environment, words, message] of [
    [{ NETLIFY_AUTH_TOKEN: 'a\nb' }, [], /NETLIFY_AUTH_TOKEN: It must be printable/],
    [{ NETLIFY_SITE_ID: '' }, [], /NETLIFY_SITE_ID is not set; it is the project id/],
    [{}, ['--site', '../users'], /'\.\.\/users' is invalid. It must be the id of a site/],
    [{ NETLIFY_API_URL: 'http://api.netlify.com' }, [], /NETLIFY_API_URL: It must be an https address/],
  ] as const) {
    for (const [name, value] of Object.entries({ ...stage.api.environment, ...environment }))
      vi.stubEnv(name, value);
    const own = ['publish', '--db', stage.database, '--out', stage.out, ...words];
    await expect(program().parseAsync(own, { from: 'user' })).rejects.toThrow(message);
  }
  vi.unstubAllEnvs();
  const list = 'new \\.assetsignore \\([0-9]+ bytes\\)\n[^]*\nnew 404\\.html [^]*';
  const plan = ' shows no snapshot; snapshot \\w{20} would send \\d+ files of .* nothing was done\n$';
  const without = await run(['--dry-run'], { NETLIFY_AUTH_TOKEN: '' });
  expect(without.stdout).toMatch(new RegExp(`^NETLIFY_AUTH_TOKEN is not set: .*\n${list}${plan}`));
  expect((await run(['--dry-run'])).stdout).toMatch(new RegExp(`^${list}${plan}`));
  expect(stage.api.deploys.size).toBe(0);
  const first = await run();
  expect(first.code).toBe(0);
  expect(first.stderr).toMatch(/^awards: the address of the site is not given, [^\n]+\n$/);
  expect(first.stdout).toMatch(
    /^http.*\/live: snapshot \w{20} is live, \d+ files of \d+ sent \([\d,]+ KB\) in /,
  );
  stage.expectLive(stage.tree());
  stage.connection.exec("UPDATE movies SET tagline = 'Unbuilt' WHERE id = 1");
  expect((await run()).stdout).toMatch(
    /shows snapshot \w{20} already .*\nthe database holds 1 more change; "awards build" adds them to the snapshot\n$/,
  );
  const machine = (await run(['--json'])).stdout;
  expect(machine).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(machine)).toMatchObject({ scope: 'nothing', resumed: false, behind: 1 });
});
