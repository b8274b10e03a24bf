/** Promise: pages show pictures of the hosts that the operator allows, and of no others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrichmentSources } from '../../api/contract/enrichment.ts';
import { imageOrigins } from '../../build/cli/environment.ts';
import { openDatabase } from '../../data/database/open.ts';
import { type RunningService, startService } from '../service/running-service.ts';
import { markGiven } from '../support/given.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { build } from '../support/build.ts';
import { executablePath, useBrowser } from './chromium.ts';

describe('AWARDS_IMAGE_ORIGINS', () => {
  it('is a list of https origins', () => {
    expect(imageOrigins('')).toEqual([]);
    expect(imageOrigins(' https://a.example, https://b.example:8443,https://a.example')).toEqual([
      'https://a.example',
      'https://b.example:8443',
    ]);
  });

  it.each([
    'http://a.example',
    'a.example',
    'https://a.example/',
    'https://a.example/path',
    'https://*.example',
    "https://a.example;script-src'unsafe-inline'",
    'https://user@a.example',
    'https://A.example',
    "'self'",
  ])('refuses %s', (text) => {
    expect(() => imageOrigins(`https://b.example,${text}`)).toThrow(`"${text}" is not an origin`);
  });
});

const allowed = ['https://posters.example', 'https://portraits.example'];
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(!executablePath)('a picture', () => {
  const openPage = useBrowser();
  let service: RunningService;
  let out: string;
  beforeAll(async () => {
    const folder = temporaryFolder();
    out = join(folder, 'dist');
    const connection = openDatabase(join(folder, 'awards.db'));
    connection.exec(`
      INSERT INTO movies (id, title, poster_path) VALUES
        (1, 'Allowed', 'https://posters.example/1.png'), (2, 'Gone', 'https://posters.example/2.png'),
        (3, 'Elsewhere', 'https://elsewhere.example/3.png');
      INSERT INTO nominees (id, name, profile_path) VALUES (1, 'Person', 'https://portraits.example/1.png');
    `);
    markGiven(connection, 'movies', 1, ['poster_path'], 'tmdb');
    await build(connection, out, { layers: ['pages', 'site'], imageOrigins: allowed });
    connection.close();
    service = await startService(out, { imageOrigins: allowed });
  });
  afterAll(() => service?.stop());

  /** Addresses of other hosts that the page asks for, with the Referer. */
  async function opened(path: string): Promise<{ page: Page; asked: [string, string | undefined][] }> {
    const page = await openPage('about:blank');
    const asked: [string, string | undefined][] = [];
    await page.route(/^https:/, async (route) => {
      const url = route.request().url();
      asked.push([url, (await route.request().allHeaders()).referer]);
      await (url.endsWith('/2.png')
        ? route.abort()
        : route.fulfill({ body: picture, contentType: 'image/png' }));
    });
    await page.goto(`http://127.0.0.1:${service.port}${path}`);
    await page.locator('article h1').waitFor();
    return { page, asked };
  }

  it.each([
    ['/movies/1', 'https://posters.example/1.png'],
    ['/nominees/1', 'https://portraits.example/1.png'],
  ])('of an allowed host is shown at %s, and the host does not learn the page', async (path, address) => {
    const { page, asked } = await opened(path);
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('img.picture')?.naturalWidth === 1,
    );
    expect(asked).toEqual([[address, undefined]]);
  });

  it('that cannot be loaded, and one of another host, is replaced by a card', async () => {
    for (const path of ['/movies/2', '/movies/3']) {
      const { page, asked } = await opened(path);
      await page.locator('.picture.card').waitFor();
      expect(asked.map(([url]) => new URL(url).host)).toEqual(
        path === '/movies/2' ? ['posters.example'] : [],
      );
    }
  });

  it('is allowed by the same policy in the headers of the service and in the rules for hosts', async () => {
    const { headers, body } = await service.ask('/movies/1-allowed');
    const images = `img-src 'self' data: ${allowed.join(' ')};`;
    expect(headers['content-security-policy']).toContain(images);
    expect(body.toString()).toContain(images.replaceAll("'", '&#39;').slice(0, -1));
    expect(readFileSync(join(out, '_headers'), 'utf8')).toContain(images);
  });

  it('of a source with terms comes with the notice that they demand', async () => {
    const { page } = await opened('/movies/1');
    await page.locator('footer').getByText(enrichmentSources.tmdb.notice).waitFor();
  });
});

it('the site without other hosts allows none', async () => {
  const folder = temporaryFolder();
  const connection = openDatabase(join(folder, 'awards.db'));
  await build(connection, join(folder, 'dist'), { layers: ['site'] });
  connection.close();
  for (const file of ['index.html', '_headers']) {
    const text = readFileSync(join(folder, 'dist', file), 'utf8').replaceAll('&#39;', "'");
    expect(text).toMatch(/img-src 'self' data:;/);
  }
});
