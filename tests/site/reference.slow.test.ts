/** The promise: the reference at /docs names everything of the API, is true for the record that is served, and is small and accessible. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { problems } from '../../api/contract/problems.ts';
import { sampleTargets } from '../../build/site/docs/answers.ts';
import { components, operations } from '../../build/site/docs/openapi.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { builtFolder, useService } from '../support/running-service.ts';
import { executablePath, useBrowser, violations } from '../support/chromium.ts';
import { build } from '../records/build.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const running = useService({}, fillWithSample, ['site']);
const pageIn = (out: string) => readFileSync(join(out, 'docs/index.html'), 'utf8');
/** The blocks of code below a heading, in order: curl, JavaScript, the answer. */
function blocksOf(id: string, html: string): string[] {
  const section = html.slice(html.indexOf(`<section id="${id}">`)).split('</section>', 1)[0]!;
  return [...section.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].map(([, code]) =>
    code!.replace(/&#(\d+);/g, (_, character) => String.fromCharCode(Number(character))),
  );
}

it('has each operation, parameter, object, header and error once, no link that leads nowhere, and at most 40 KiB without the fonts', () => {
  const html = pageIn(running.built.out);
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
  expect(new Set(ids).size).toBe(ids.length);
  const named = [
    ...operations.flatMap(({ operationId, parameters = [] }) => [
      operationId,
      ...parameters.map(({ name }) => `${operationId}-${name}`),
    ]),
    ...Object.entries(components.schemas!).flatMap(([name, { properties = {} }]) => [
      name,
      ...Object.keys(properties).map((field) => `${name}-${field}`),
    ]),
    ...Object.keys(components.headers!).map((name) => `header-${name}`),
    ...Object.keys(problems).map((code) => `problem-${code}`),
  ];
  const present = new Set(ids);
  expect(named.filter((id) => !present.has(id))).toEqual([]);
  for (const { path } of operations) expect(html).toContain(`<code>${path}</code>`);
  for (const part of ['name="file" value="winners.json"', 'name="imdb_id" value="tt0120338"'])
    expect(html).toContain(part);
  const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id!);
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((id) => !present.has(id))).toEqual([]);
  expect(html).not.toMatch(/\{\{|\}\}|undefined|\[object/);
  const assets = [...html.matchAll(/ (?:href|src)="\/(assets\/[^"]+)"/g)].map(([, path]) => path!);
  // All pages share the fonts.
  const own = ['docs/index.html', ...assets.filter((path) => !path.endsWith('.woff2'))];
  const files = own.map((path) => readFileSync(join(running.built.out, path)));
  for (const compressed of [brotliCompressSync, gzipSync])
    expect(files.reduce((sum, file) => sum + compressed(file).length, 0)).toBeLessThan(40 * 1024);
});

/** Whether an answer is what the page shows of it: "…" stands for what is left out. */
function fits(shown: unknown, actual: unknown): boolean {
  if (Array.isArray(shown) && Array.isArray(actual))
    return shown.every((part, i) => (part === '…' && i > 0 ? actual.length > i : fits(part, actual[i])));
  if (typeof shown === 'string' && shown.endsWith('…')) return String(actual).startsWith(shown.slice(0, -1));
  if (typeof shown !== 'object' || shown === null) return shown === actual;
  const [members, others] = [Object.entries(shown), actual as Readonly<Record<string, unknown>>];
  return (
    members.length === Object.keys(others).length && members.every(([name, own]) => fits(own, others[name]))
  );
}

it('shows samples for records that are there, with their answers', async () => {
  for (const id of Object.keys(sampleTargets)) {
    const [curl = '', javascript, shown = ''] = blocksOf(id, pageIn(running.built.out));
    const target = /^curl 'https:\/\/awards\.example([^']+)'$/.exec(curl)![1]!;
    expect(javascript).toContain(`fetch('https://awards.example${target}')`);
    const { status, body } = await running.service.ask(target);
    expect(status, target).toBe(200);
    expect(fits(JSON.parse(shown), JSON.parse(body.toString())), shown).toBe(true);
  }
});

it('follows a change that it shows, as in a clean build, and no other; the record can be empty', async () => {
  const { connection, out } = await builtFolder(fillWithSample, ['site']);
  const { id: shown } = JSON.parse(blocksOf('getMovie', pageIn(out))[2]!) as { id: number };
  const change = async (id: number) => {
    connection.prepare('UPDATE movies SET title = ? WHERE id = ?').run(`A <b> {{id}} "${id}"`, id);
    const { files } = await build(connection, out, { layers: ['site'] });
    return files.map(({ path }) => path);
  };
  expect(await change(shown + 1)).not.toContain('docs/index.html');
  expect(await change(shown)).toContain('docs/index.html');
  const clean = temporaryFolder();
  await build(connection, clean, { layers: ['site'] });
  expect(pageIn(out)).toBe(pageIn(clean));
  expect(pageIn(out)).toContain(`A &#60;b&#62; {{id}} &#34;${shown}&#34;`);
  connection.close();
  const empty = await builtFolder(() => {}, ['site']);
  expect(blocksOf('getMovie', pageIn(empty.out))[2]).toBe('"There is no such record yet."');
  empty.connection.close();
});

describe.skipIf(!executablePath)('in a browser', () => {
  const openPage = useBrowser();
  const open = (options = {}) => openPage(`http://127.0.0.1:${running.service.port}/docs`, options);
  const tryIt = (page: Page) => page.locator('#getMovies').getByRole('button', { name: 'Try it' }).click();

  it('sends a request without JavaScript', async () => {
    const page = await open({ javaScriptEnabled: false });
    await tryIt(page);
    await page.waitForURL('**/api/movies?*');
    expect(new URL(page.url()).search).toMatch(/^\?(?!.*=(&|$)).*title=/);
    expect(await page.textContent('body')).toMatch(/^\{"data":\[\{"id":/);
  });

  it('shows the answer below the form, and copies samples of this service', async () => {
    const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    const film = page.locator('#getMovie');
    await film.getByText(/^Parameters: /).click();
    await film.getByLabel('id').first().fill('2');
    await film.getByLabel('fields').fill('id,title');
    await film.getByRole('button', { name: 'Try it' }).click();
    await film.getByText('GET /api/movies/2?fields=id%2Ctitle 200').waitFor();
    expect(JSON.parse((await film.locator('output + pre').textContent())!)).toHaveProperty('id', 2);
    await film.getByRole('button', { name: /^Copy/ }).first().click();
    await film.getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toMatch(/^curl 'http:\/\/127\.0\.0\.1:\d+\/api/);
    expect(messages).toEqual([]);
  });

  it('is accessible with everything open, and no wider than a phone; in dark colours too', async () => {
    const page = await open({ viewport: { width: 390, height: 844 } });
    // A third of what it once was.
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(44_600);
    await page.evaluate(`for (const folded of document.querySelectorAll("details")) folded.open = true`);
    await tryIt(page);
    await page.locator('#getMovies output + pre').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const rules = { 'target-size': { enabled: true }, 'color-contrast': { enabled: false } };
    expect(await violations(page, { rules })).toEqual([]);
    // A part of each kind: the others have the same styles, and this rule is slow.
    const parts = ['#getMovies', '#Movie', '#problem-no-such-record'];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page, { runOnly: ['color-contrast'] }, parts)).toEqual([]);
    }
  });
});
