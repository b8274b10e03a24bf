/** Promise: the same sources give the same site everywhere; its files have no inline code and load nothing from other hosts. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, expect, it, vi } from 'vitest';
import { cachedSite } from '../../build/derived/site.ts';
import { makeSite } from '../../build/site/bundle.ts';
import { editorPageAt, fixedFiles, pageAddresses, pageAt } from '../../build/site/shared/hosting.ts';
import { productCode } from '../../build/snapshot/fingerprint.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Files = ReadonlyMap<string, Uint8Array>;
let files: Files;
beforeAll(async () => {
  files = await makeSite();
});

const textOf = (path: string): string => Buffer.from(files.get(path)!).toString();
const hashesOf = (made: Files): Record<string, string> =>
  Object.fromEntries(
    [...made].map(([path, bytes]) => [path, createHash('sha256').update(bytes).digest('hex')]),
  );

it('the same sources give the same bytes elsewhere, except for a changed file and the worker that lists it', async () => {
  const folder = temporaryFolder();
  for (const name of ['api', 'build', 'data', 'docs', 'package.json', 'package-lock.json'])
    cpSync(join(project, name), join(folder, name), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  appendFileSync(join(folder, 'build/site/public/app.webmanifest'), '\n');
  const script = `
    import { makeSite } from ${JSON.stringify(join(folder, 'build/site/bundle.ts'))};
    import { productCode } from ${JSON.stringify(join(folder, 'build/snapshot/fingerprint.ts'))};
    import { createHash } from 'node:crypto';
    const hashes = {};
    for (const [path, bytes] of await makeSite())
      hashes[path] = createHash('sha256').update(bytes).digest('hex');
    console.log(JSON.stringify({ fingerprint: productCode(), hashes }));`;
  // Another folder, process, working directory and language.
  const words = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', script];
  const env = { PATH: process.env.PATH, LC_ALL: 'tr_TR.UTF-8' };
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: '/', env });
  const elsewhere = JSON.parse(stdout) as { fingerprint: string; hashes: Record<string, string> };
  const here = hashesOf(files);
  expect(hashesOf(await makeSite())).toEqual(here);
  const paths = Object.keys({ ...here, ...elsewhere.hashes });
  const differing = paths.filter((path) => here[path] !== elsewhere.hashes[path]).sort();
  expect(differing).toEqual(['app.webmanifest', 'service-worker.js']);
  expect(elsewhere.fingerprint).not.toBe(productCode());
});

it('a service knows the files without a hash in their names, and waits for them while they are made', () => {
  const isFixed = (path: string) => !/-[A-Z0-9]{8}\.\w+$/.test(path);
  // What a service never sends.
  const hidden = ['_headers', '_redirects', '.assetsignore', '404.html', '404.json'];
  expect([...files.keys()].filter(isFixed).sort()).toEqual([...fixedFiles, ...hidden].sort());
});

it('the cache of the site makes it once per fingerprint, and again where it is damaged or cannot be written', async () => {
  const small = new Map([
    ['b.html', new TextEncoder().encode('<p>é</p>')],
    ['a/empty', new Uint8Array()],
  ]);
  const make = vi.fn(async () => small);
  const file = join(temporaryFolder(), 'cache/site.json');
  const isSame = async (fingerprint: string, at = file) =>
    expect(hashesOf(await cachedSite(fingerprint, make, at))).toEqual(hashesOf(small));
  for (const fingerprint of ['one', 'one', 'other', 'other']) await isSame(fingerprint);
  expect(make).toHaveBeenCalledTimes(2);
  writeFileSync(file, readFileSync(file).subarray(0, -1));
  await isSame('other');
  expect(make).toHaveBeenCalledTimes(3);
  await isSame('one', temporaryFolder());
  expect(make).toHaveBeenCalledTimes(4);
});

it('a page file has no inline code, and refers to existing files and to no other host', () => {
  const isOfRecord = (path: string) => ['manifest.json', 'downloads/index.json'].includes(path);
  for (const page of [...files.keys()].filter((path) => path.endsWith('.html'))) {
    const text = textOf(page);
    expect(text.match(/<script(?![^>]*\ssrc=)/g), page).toBeNull();
    expect(text, page).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/);
    expect(text, page).toMatch(/<html lang="en">[\s\S]*<title>[^<]+<\/title>/);
    const addresses = [...text.matchAll(/\s(?:src|href)="([^"#]+)"/g)].map(([, address]) => address!);
    expect(addresses.length, page).toBeGreaterThan(1);
    for (const address of addresses) {
      const path = address.slice(1);
      const exists = files.has(path) || pageAt(address) !== undefined || isOfRecord(path);
      expect([page, address, exists]).toEqual([page, expect.stringMatching(/^\/(?!\/)/), true]);
    }
  }
  // The page for unknown addresses leads on without a program.
  for (const part of ['action="/search"', 'href="/movies"', 'href="/honors"', 'href="/years"'])
    expect(textOf('404.html')).toContain(part);
});

it('the table of page addresses names existing pages, and gives the rules for hosts of static files', () => {
  for (const [address, file] of pageAddresses) expect(files.has(file), address).toBe(true);
  // A host sends the page there, and not the file.
  for (const path of files.keys()) expect(pageAt(`/${path}`) ?? path).toBe(path);
  for (const address of ['/', '/movies/3481', '/movies/']) expect(pageAt(address)).toBe('index.html');
  for (const address of ['//', '/movies//', '/movies/1/2', '/film', '/movies/{id}/x', '/edit'])
    expect(pageAt(address), address).toBeUndefined();
  const rules = textOf('_redirects').trimEnd().split('\n');
  // Each address but "/" also with a slash at the end.
  expect(rules).toHaveLength(2 * pageAddresses.size - 1);
  for (const rule of ['/ /index.html 200', '/movies/:id /index.html 200', '/docs/ /docs/index.html 200'])
    expect(rules).toContain(rule);
  const patterns = textOf('_headers').match(/^\/.*$/gm)!;
  expect(new Set(patterns).size).toBe(patterns.length);
  for (const rule of rules) expect(patterns).toContain(rule.split(' ')[0]);
});

it('the editor is in a folder of its own, which no other file names, at the addresses of records, receipts and nights', () => {
  const loaded = [...textOf('edit/index.html').matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)];
  const own = [...files.keys()].filter((path) => path.startsWith('edit/'));
  expect(own).toEqual(expect.arrayContaining([...loaded.map(([, path]) => path!), 'edit/index.html']));
  // What opens first is small; the views are loaded when they are shown.
  const script = loaded.map(([, path]) => path!).find((path) => path.endsWith('.js'))!;
  const imported = (path: string): string[] =>
    [...textOf(path).matchAll(/(?:from|import)\s*"\.\/([\w.-]+)"/g)].map(([, name]) => `edit/${name}`);
  const withImports = (path: string): string[] => [path, ...imported(path).flatMap(withImports)];
  const viewOf = (name: string) => own.find((path) => path.startsWith(`edit/${name}-`))!;
  const sizeOf = (names: readonly string[]) =>
    [...new Set([script, ...names.map(viewOf)].flatMap(withImports))]
      .map((path) => brotliCompressSync(files.get(path)!).length)
      .reduce((sum, size) => sum + size);
  for (const view of [[], ['desk'], ['receipts'], ['record-form'], ['merge'], ['night', 'winners']])
    expect(sizeOf(view), view.join()).toBeLessThanOrEqual(60 * 1024);
  // Grids look names up and read sheets.
  for (const view of ['grid', 'sheet', 'honors'])
    expect(sizeOf(['night', view]), view).toBeLessThanOrEqual(69 * 1024);
  for (const path of ['_redirects', '_headers']) expect(textOf(path)).not.toContain('edit/');
  expect(textOf('.assetsignore').split('\n')).toContain('edit/');
  const shown = [
    '',
    '/receipts',
    '/movies/360/',
    '/songs/new',
    '/ceremonies/97/winners',
    '/ceremonies/97/honors',
    '/nominees/7/merge',
  ];
  for (const end of [...shown, '/ceremonies/97/categories/3'])
    expect(editorPageAt(`/edit${end}`), end).toBe('edit/index.html');
  for (const end of ['/a/b/c', '/films/1', '/categories/1', '/movies/0', '/edit.js'])
    expect(editorPageAt(`/edit${end}`), end).toBeUndefined();
});

it('the pages of the explorer load the fonts early, which are small; the service worker keeps them', () => {
  const fonts = [...files.keys()].filter((path) => path.endsWith('.woff2'));
  expect(fonts).toHaveLength(2);
  for (const path of fonts) {
    expect(files.get(path)!.length).toBeLessThanOrEqual(60_000);
    for (const page of ['index.html', '404.html'])
      expect(textOf(page)).toContain(`<link rel="preload" href="/${path}" as="font"`);
    expect(textOf('service-worker.js')).toContain(path);
  }
});

it('the service worker lists what pages of the explorer load, and has a version from the hashes', () => {
  const text = textOf('service-worker.js');
  const loaded = [...textOf('index.html').matchAll(/="\/(assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(loaded.length).toBeGreaterThan(1);
  for (const path of ['index.html', 'icon.svg', 'app.webmanifest', ...loaded]) expect(text).toContain(path);
  expect(text).not.toMatch(/assets\/docs-|edit\/edit-/);
  expect(text).toMatch(/version:\s*"[0-9a-f]{20}"/);
});
