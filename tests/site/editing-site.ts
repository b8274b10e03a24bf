/** A service with the sample and an editor's key, and pages of its editor in a browser. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { Connection } from '../../data/database/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { startService } from '../http/running-service.ts';
import type { Reply } from '../support/http.ts';
import { startWritingService, type WritingService } from '../http/writing-service.ts';
import { executablePath, useBrowser } from './chromium.ts';

export interface EditingSite {
  service: WritingService;
  origin: string;
  /** The same snapshot on a service that takes no writes. */
  readOnlyOrigin: string;
  accessKey: string;
}

/** One service and one browser for all tests of a file. @param fill the record */
export function useEditingSite(fill: (connection: Connection) => unknown = fillWithSample) {
  const openPage = useBrowser();
  const site = {} as EditingSite;
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    if (!executablePath) return;
    const service = await startWritingService([fill, ['pages', 'site']]);
    const readOnly = await startService(service.out);
    site.service = service;
    site.accessKey = service.key;
    site.origin = `http://127.0.0.1:${service.port}`;
    site.readOnlyOrigin = `http://127.0.0.1:${readOnly.port}`;
    stops.push(
      () => readOnly.stop(),
      () => service.stop(),
      async () => service.connection.close(),
    );
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });
  return {
    site,
    openPage,
    /** The document at an address. */
    read: <T>(address: string): Promise<T> => site.service.read<T>(address),
    /** A write of another editor. */
    write: (...sent: Parameters<WritingService['write']>): Promise<Reply> => site.service.write(...sent),
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
