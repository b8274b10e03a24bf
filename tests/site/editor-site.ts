/** The editor's page over a service that takes writes, in one browser for all tests of a file. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openWriting, type Writing } from '../../api/serve/writing.ts';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { createKey } from '../../data/keys.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { builtFolder, type RunningService, startService } from '../service/running-service.ts';
import { removeTemporaryFolders } from '../service/temporary-folder.ts';
import { findChromium } from './chromium.ts';

/** Without it the tests of a file are skipped. */
export const executablePath = findChromium();

export interface EditorSite {
  origin: string;
  /** The same snapshot where nothing can be written. */
  readingOrigin: string;
  key: string;
  browser: Browser;
  service: RunningService;
  /** A page of its own, closed after the test. */
  open(address: string, options?: BrowserContextOptions): Promise<Page>;
}

/** There before the first test of the file, gone after the last; nothing where there is no browser. */
export function useEditor(): EditorSite {
  removeTemporaryFolders();
  const site = {} as EditorSite;
  const pages: Page[] = [];
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    if (!executablePath) return;
    const { connection, out } = await builtFolder(fillWithSample, siteDocuments);
    site.key = createKey(connection, 'editor', new Date());
    const failures: unknown[] = [];
    const onError = (error: unknown): void => void failures.push(error);
    const writing: Writing = await openWriting({
      db: connection.name,
      out,
      site: true,
      writeLimit: 0,
      onError,
    });
    site.service = await startService(out, { writing, onError });
    const reading = await startService(out);
    site.origin = `http://127.0.0.1:${site.service.port}`;
    site.readingOrigin = `http://127.0.0.1:${reading.port}`;
    site.browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    stops.push(
      () => site.browser.close(),
      () => site.service.stop(),
      () => reading.stop(),
      () => writing.close(),
      async () => connection.close(),
      async () => expect(failures).toEqual([]),
    );
  });
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.context().close()));
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });
  site.open = async (address, options = {}) => {
    const context = await site.browser.newContext({ serviceWorkers: 'block', ...options });
    const page = await context.newPage();
    pages.push(page);
    await page.goto(address);
    return page;
  };
  return site;
}
