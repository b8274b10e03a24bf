/** A service with the sample and an editor's key, and pages of its editor in a browser. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { openWriting } from '../../api/serve/writing.ts';
import { createKey } from '../../data/keys.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { builtFolder, type Reply, type RunningService, startService } from '../service/running-service.ts';
import { executablePath, useBrowser } from './chromium.ts';

export interface EditingSite {
  service: RunningService;
  origin: string;
  /** The same snapshot on a service that takes no writes. */
  readOnlyOrigin: string;
  accessKey: string;
}

/** One service and one browser for all tests of a file. */
export function useEditingSite() {
  const openPage = useBrowser();
  const site = {} as EditingSite;
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    if (!executablePath) return;
    const { connection, out } = await builtFolder(fillWithSample, ['pages', 'site']);
    site.accessKey = createKey(connection, 'editor', new Date());
    const failures: unknown[] = [];
    const onError = (error: unknown): void => void failures.push(error);
    const writing = await openWriting({ db: connection.name, out, writeLimit: 0, onError });
    const service = await startService(out, { writing, readLimit: 0, onError });
    const readOnly = await startService(out);
    site.service = service;
    site.origin = `http://127.0.0.1:${service.port}`;
    site.readOnlyOrigin = `http://127.0.0.1:${readOnly.port}`;
    stops.push(
      () => service.stop(),
      () => readOnly.stop(),
      () => writing.close(),
      async () => connection.close(),
      async () => expect(failures).toEqual([]),
    );
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });
  return {
    site,
    openPage,
    /** The document at an address. */
    read: async <T>(address: string): Promise<T> =>
      JSON.parse((await site.service.ask(address)).body.toString()) as T,
    /** A write of another editor. */
    write: (method: 'POST' | 'PATCH', address: string, body: object): Promise<Reply> =>
      site.service.ask(address, {
        method,
        headers: { 'x-api-key': site.accessKey, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    /** A page of the editor that has the key. */
    async opened(address = '/edit', options?: BrowserContextOptions): Promise<Page> {
      const page = await openPage(site.origin + address, options);
      await page.getByLabel('Key for writing').fill(site.accessKey);
      return page;
    },
  };
}

export const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((own) => own === document.activeElement);
