/** Promise: the reference names everything of the API, is true for the record that is served, and is small on every device. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { problems } from '../../api/contract/problems.ts';
import { sampleTargets } from '../../build/site/docs/answers.ts';
import { components, operations } from '../../build/site/docs/openapi.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { builtFolder, useService } from '../http/running-service.ts';
import { executablePath, useBrowser, violations } from '../site/chromium.ts';
import { build } from '../support/build.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const running = useService({}, fillWithSample, ['site']);
const pageIn = (out: string) => readFileSync(join(out, 'docs/index.html'), 'utf8');
const html = () => pageIn(running.built.out);
const plain = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
/** The blocks of code below a heading, in order: curl, JavaScript, the answer. */
function blocksOf(id: string, text = html()): string[] {
  const section = text.slice(text.indexOf(`<section id="${id}">`)).split('</section>', 1)[0]!;
  return [...section.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].map(([, code]) => plain(code!));
}

describe('the text', () => {
  it('has each operation with its parameters, and each object, header and error', () => {
    for (const { operationId, path, parameters = [] } of operations) {
      expect(html()).toContain(`<section id="${operationId}">`);
      expect(html()).toContain(`<code>${path}</code>`);
      for (const { name } of parameters) expect(html()).toContain(` id="${operationId}-${name}"`);
    }
    for (const [name, { properties = {} }] of Object.entries(components.schemas!))
      for (const id of [name, ...Object.keys(properties).map((field) => `${name}-${field}`)])
        expect(html()).toContain(` id="${id}"`);
    for (const name of Object.keys(components.headers!)) expect(html()).toContain(` id="header-${name}"`);
    for (const code of Object.keys(problems)) expect(html()).toContain(` id="problem-${code}"`);
  });

  it('has no mark that is left, no link that leads nowhere, and no id twice', () => {
    const ids = [...html().matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...html().matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(html()).not.toMatch(/\{\{|\}\}|undefined|\[object/);
  });

  it('has at most 40 KB with its style and script', () => {
    const assets = [...html().matchAll(/ (?:href|src)="\/(assets\/[^"]+)"/g)].map(([, path]) => path!);
    const files = ['docs/index.html', ...assets].map((path) => readFileSync(join(running.built.out, path)));
    for (const compressed of [brotliCompressSync, (file: Buffer) => gzipSync(file, { level: 9 })])
      expect(files.reduce((sum, file) => sum + compressed(file).length, 0)).toBeLessThan(40_000);
  });
});

/** Whether an answer is what the page shows of it: "…" stands for what is left out. */
function fits(shown: unknown, actual: unknown): boolean {
  if (Array.isArray(shown) && Array.isArray(actual))
    return shown.every((part, i) => (part === '…' && i > 0 ? actual.length > i : fits(part, actual[i])));
  if (typeof shown === 'string' && shown.endsWith('…')) return String(actual).startsWith(shown.slice(0, -1));
  if (typeof shown !== 'object' || shown === null) return shown === actual;
  const members = Object.entries(shown);
  const others = actual as Readonly<Record<string, unknown>>;
  return (
    members.length === Object.keys(others).length && members.every(([name, own]) => fits(own, others[name]))
  );
}

describe('the record', () => {
  it.each(Object.keys(sampleTargets))('has what the sample of %s asks for, and the answer', async (id) => {
    const [curl = '', javascript, shown = ''] = blocksOf(id);
    const target = /^curl 'https:\/\/awards\.example([^']+)'$/.exec(curl)![1]!;
    expect(javascript).toContain(`fetch('https://awards.example${target}')`);
    const { status, body } = await running.service.ask(target);
    expect(status).toBe(200);
    expect(fits(JSON.parse(shown), JSON.parse(body.toString())), shown).toBe(true);
  });

  it('changes the page as in a clean build, and only if the page shows the change', async () => {
    const { connection, out } = await builtFolder(fillWithSample, ['site']);
    const shown = (JSON.parse(blocksOf('getMovie', pageIn(out))[2]!) as { id: number }).id;
    const change = async (id: number) => {
      connection.prepare('UPDATE movies SET title = ? WHERE id = ?').run(`A <b> {{id}} "${id}"`, id);
      const { files } = await build(connection, out, { layers: ['site'] });
      return files.map(({ path }) => path).filter((path) => !path.startsWith('shards/'));
    };
    expect(await change(shown + 1)).not.toContain('docs/index.html');
    expect(await change(shown)).toContain('docs/index.html');
    const clean = temporaryFolder();
    await build(connection, clean, { layers: ['site'] });
    expect(pageIn(out)).toBe(pageIn(clean));
    expect(pageIn(out)).toContain(`A &#60;b&#62; {{id}} &#34;${shown}&#34;`);
    connection.close();
  });

  it('can be empty', async () => {
    const { connection, out } = await builtFolder(() => {}, ['site']);
    expect(blocksOf('getMovie', pageIn(out))[2]).toBe('"There is no such record yet."');
    connection.close();
  });
});

describe.skipIf(!executablePath)('in a browser', () => {
  const openPage = useBrowser();
  const open = (options = {}) => openPage(`http://127.0.0.1:${running.service.port}/docs`, options);
  const size = (page: Page) =>
    page.evaluate<{ height: number; isWide: boolean }>(
      '({ height: document.documentElement.scrollHeight, isWide: document.documentElement.scrollWidth > innerWidth })',
    );

  it('sends a request without JavaScript', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.locator('#getMovies').getByRole('button', { name: 'Try it' }).click();
    await page.waitForURL('**/api/movies?*');
    expect(new URL(page.url()).search).toMatch(/^\?(?!.*=(&|$)).*title=/);
    expect(await page.textContent('body')).toMatch(/^\{"data":\[\{"id":/);
  });

  it('shows the answer below the form, for an id and for parameters, and copies samples of this service', async () => {
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
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /^curl 'http:\/\/127\.0\.0\.1:\d+\/api/,
    );
    expect(messages).toEqual([]);
  });

  it('is at most a third of the earlier 134,000 pixels high on a phone', async () => {
    const page = await open({ viewport: { width: 390, height: 844 } });
    expect((await size(page)).height).toBeLessThan(44_600);
  });

  it.each([
    ['light', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
    ['dark', { colorScheme: 'dark' }],
    ['forced colours', { forcedColors: 'active' }],
  ])('is accessible as a whole, with everything open: %s', { timeout: 180_000 }, async (_name, options) => {
    const page = await open(options);
    await page.evaluate('for (const folded of document.querySelectorAll("details")) folded.open = true');
    await page.locator('#getMovies').getByRole('button', { name: 'Try it' }).click();
    await page.locator('#getMovies output + pre').waitFor();
    expect(await violations(page, { rules: { 'target-size': { enabled: true } } })).toEqual([]);
    expect((await size(page)).isWide).toBe(false);
  });
});
