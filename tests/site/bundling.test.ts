/** Promise: the same sources give the same site everywhere; its pages have no inline code and load nothing from other hosts. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { editorPageAt, pageAddresses, pageAt } from '../../build/site/shared/hosting.ts';
import { cachedSite } from '../../build/derived/site.ts';
import { makeSite } from '../../build/site/bundle.ts';
import { productCode } from '../../build/snapshot/fingerprint.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Files = ReadonlyMap<string, Uint8Array>;
let files: Files;
beforeAll(async () => {
  files = await makeSite();
});

const textOf = (path: string): string => Buffer.from(files.get(path)!).toString();
/** Addresses that a page loads or links, except for places in the page itself. */
const addressesIn = (page: string): string[] =>
  [...textOf(page).matchAll(/\s(?:src|href)="([^"#]+)"/g)].map(([, address]) => address!);
const pages = () => [...files.keys()].filter((path) => path.endsWith('.html'));
const hashesOf = (made: Files) =>
  Object.fromEntries(
    [...made].map(([path, bytes]) => [path, createHash('sha256').update(bytes).digest('hex')]),
  );

/** Bundles a copy of the sources in another folder, process, working directory and language. */
async function madeElsewhere(): Promise<{ fingerprint: string; hashes: Record<string, string> }> {
  const folder = temporaryFolder();
  for (const name of ['api', 'build', 'data', 'docs', 'package.json', 'package-lock.json'])
    cpSync(join(project, name), join(folder, name), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  appendFileSync(join(folder, 'build/site/public/app.webmanifest'), '\n');
  const script = `
    const { makeSite } = await import(${JSON.stringify(join(folder, 'build/site/bundle.ts'))});
    const { productCode } = await import(${JSON.stringify(join(folder, 'build/snapshot/fingerprint.ts'))});
    const { createHash } = await import('node:crypto');
    const hashes = {};
    for (const [path, bytes] of await makeSite())
      hashes[path] = createHash('sha256').update(bytes).digest('hex');
    console.log(JSON.stringify({ fingerprint: productCode(), hashes }));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', script],
    { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'tr_TR.UTF-8' } },
  );
  return JSON.parse(stdout) as Awaited<ReturnType<typeof madeElsewhere>>;
}

describe('the same sources', () => {
  it('give the same bytes again, with and without the cache', async () => {
    expect(hashesOf(await makeSite())).toEqual(hashesOf(files));
    const cached = () => cachedSite(productCode(), makeSite);
    for (const site of [await cached(), await cached()]) expect(hashesOf(site)).toEqual(hashesOf(files));
  });

  it('give the same bytes elsewhere, except for a changed file and the worker that lists it', async () => {
    const elsewhere = await madeElsewhere();
    const here = hashesOf(files);
    const differing = Object.keys({ ...here, ...elsewhere.hashes }).filter(
      (path) => here[path] !== elsewhere.hashes[path],
    );
    expect(differing.sort()).toEqual(['app.webmanifest', 'service-worker.js']);
    expect(elsewhere.fingerprint).not.toBe(productCode());
  });
});

describe('a page', () => {
  it('has no inline script, style or handler', () => {
    for (const page of pages()) {
      const text = textOf(page);
      expect(text.match(/<script(?![^>]*\ssrc=)/g), page).toBeNull();
      expect(text, page).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/);
      expect(text, page).toMatch(/<html lang="en">[\s\S]*<title>[^<]+<\/title>/);
    }
  });

  it('refers to existing files and to no other host', () => {
    for (const page of pages()) {
      const addresses = addressesIn(page);
      expect(addresses.length, page).toBeGreaterThan(1);
      for (const address of addresses) {
        expect(address, page).toMatch(/^\/(?!\/)/);
        const exists =
          files.has(address.slice(1)) || (pageAt(address) ?? editorPageAt(address)) !== undefined;
        expect(exists, `${page}: ${address}`).toBe(true);
      }
    }
  });

  it('for an unknown address has the header of the explorer, and needs no program', () => {
    const header = /<header class="site">.*<\/header>/.exec(textOf('404.html'))![0];
    for (const part of [
      '<form action="/search"',
      ...['/', '/movies', '/honors', '/years'].map((path) => `href="${path}"`),
    ])
      expect(header).toContain(part);
    expect(textOf('404.html')).not.toContain('<script');
    const styles = (path: string) => textOf(path).match(/<link rel="stylesheet"[^>]*>/g);
    expect(styles('404.html')).toEqual(styles('index.html'));
  });

  it('loads at most 150 KB first', () => {
    for (const page of pages()) {
      const assets = addressesIn(page).filter((address) => /^\/(assets|edit)\/.*\./.test(address));
      const loaded = [page, ...assets.map((address) => address.slice(1))];
      const sizes = loaded.map((path) => brotliCompressSync(files.get(path)!).length);
      expect(
        sizes.reduce((sum, size) => sum + size),
        page,
      ).toBeLessThan(150_000);
    }
  });
});

describe('the table of page addresses', () => {
  it('names existing pages', () => {
    for (const [address, file] of pageAddresses) expect(files.has(file), address).toBe(true);
  });

  it('accepts a segment for each placeholder, and a trailing slash', () => {
    expect(pageAt('/')).toBe('index.html');
    expect(pageAt('/movies/3481')).toBe('index.html');
    expect(pageAt('/movies/')).toBe('index.html');
    for (const address of ['//', '/movies//', '/movies/1/2', '/film', '/movies/{id}/x', '/edit'])
      expect(pageAt(address), address).toBeUndefined();
  });

  it('gives the rules for hosts of static files', () => {
    const rules = textOf('_redirects').trimEnd().split('\n');
    // Each address but "/" also with a slash at the end.
    expect(rules).toHaveLength(2 * pageAddresses.size - 1);
    for (const rule of ['/ /index.html 200', '/movies/:id /index.html 200', '/docs/ /docs/index.html 200'])
      expect(rules).toContain(rule);
    const patterns = textOf('_headers')
      .split('\n')
      .filter((line) => line.startsWith('/'));
    expect(new Set(patterns).size).toBe(patterns.length);
    for (const rule of rules) expect(patterns).toContain(rule.split(' ')[0]);
  });
});

describe('the editor', () => {
  it('is in a folder of its own, which no other file names', () => {
    const withoutHash = (path: string) => path.replace(/-\w{8}\./, '-HASH.');
    const own = [...files.keys()].filter((path) => path.startsWith('edit/')).map(withoutHash);
    expect(own.sort()).toEqual(['edit/edit-HASH.css', 'edit/edit-HASH.js', 'edit/index.html']);
    const loaded = [...textOf('edit/index.html').matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)];
    expect(loaded.map(([, path]) => withoutHash(path!)).sort()).toEqual(own.slice(0, 2));
    for (const path of ['service-worker.js', '_redirects', '_headers'])
      expect(textOf(path)).not.toContain('edit/');
    expect(textOf('.assetsignore').split('\n')).toContain('edit/');
  });

  it('has its page at the addresses of records, receipts and nights', () => {
    for (const address of [
      '/edit',
      '/edit/receipts',
      '/edit/movies/360/',
      '/edit/songs/new',
      '/edit/ceremonies/97/winners',
      '/edit/ceremonies/97/categories/3',
    ])
      expect(editorPageAt(address), address).toBe('edit/index.html');
    for (const address of [
      '/edit/a/b/c',
      '/edit/films/1',
      '/edit/categories/1',
      '/edit/movies/0',
      '/edit/edit.js',
    ])
      expect(editorPageAt(address), address).toBeUndefined();
  });
});

it('the service worker lists every file that readers need and has a version from their hashes', () => {
  const text = textOf('service-worker.js');
  for (const path of files.keys())
    if (
      !/^([._]|service-worker\.js$|404\.json$|api\/|edit\/|robots\.txt$|llms\.txt$|share(-\w+)?\.png$)/.test(
        path,
      )
    )
      expect(text, path).toContain(path);
  expect(text).toMatch(/version:\s*"[0-9a-f]{20}"/);
});
