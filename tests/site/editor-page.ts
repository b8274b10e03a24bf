/** A service with the sample and an editor's page of it, for the tests of the editor. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { ListOf } from '../../api/contract/answers.ts';
import { createKey } from '../../data/record/keys.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { startWritingService, type WritingService } from '../support/writing-service.ts';
import { executablePath, useBrowser } from '../support/chromium.ts';

/** The service and the browser for all tests of a file; empty without a browser. */
export function useEditor() {
  const openPage = useBrowser();
  const editor = {
    service: {} as WritingService,
    origin: '',
    openPage,
    /** The key of another editor, whose name is "bob". */
    otherKey: '',
    /** A page of the editor that has the key. */
    async open(address = '/edit', options?: BrowserContextOptions): Promise<Page> {
      const page = await openPage(`${editor.origin}/edit/receipts`, options);
      await page.getByLabel('Key for writing').fill(editor.service.key);
      await page.getByText('Signed in as editor').waitFor();
      await page.goto(editor.origin + address);
      return page;
    },
    nominations: async (query: string) =>
      (
        await editor.service.read<ListOf['nominations']>(
          `/api/nominations?limit=100&include=details&${query}`,
        )
      ).data,
    total: async (resource: string): Promise<number> =>
      (await editor.service.read<{ pagination: { total: number } }>(`/api/${resource}?limit=1`)).pagination
        .total,
    /** A batch of the other editor. */
    async batchOfOther(writes: readonly object[]): Promise<void> {
      const { status } = await editor.service.ask('/api/batch', {
        method: 'POST',
        headers: { 'x-api-key': editor.otherKey, 'Content-Type': 'application/json' },
        body: JSON.stringify(writes),
      });
      expect(status).toBe(200);
    },
    /** An empty ceremony, and its address in the editor. */
    async newCeremony(id: number): Promise<string> {
      const body = { id, ceremony_year: 1929 + id, show_title: `Night ${id}` };
      await editor.batchOfOther([{ method: 'POST', path: '/api/ceremonies', body }]);
      return `/edit/ceremonies/${id}`;
    },
  };
  beforeAll(async () => {
    if (!executablePath) return;
    editor.service = await startWritingService([fillWithSample, ['site']]);
    editor.origin = `http://127.0.0.1:${editor.service.port}`;
    editor.otherKey = createKey(editor.service.connection, 'bob', new Date());
  });
  afterAll(async () => {
    if (!executablePath) return;
    await editor.service.stop();
    editor.service.connection.close();
  });
  return editor;
}

export const notice = (page: Page) => page.locator('.notice');
export const isSaid = (page: Page, text: RegExp | string) => notice(page).getByText(text).first().waitFor();

/** A cell of the rows that are typed. */
export const cell = (page: Page, column: string, row: number): Locator =>
  page.getByRole('textbox', { name: `${column}, row ${row}` });

/** Answers the question of the dialog that is open. @returns its text */
export async function answer(page: Page, isConfirmed = true): Promise<string> {
  const dialog = page.locator('dialog[open]');
  // The list of texts does not wait.
  await dialog.waitFor();
  const text = (await dialog.locator('h2, li').allTextContents()).join('\n');
  await dialog
    .getByRole('button')
    .nth(isConfirmed ? 0 : 1)
    .click();
  return text;
}

/** Takes the last write back. */
export async function undo(page: Page): Promise<void> {
  await notice(page).getByRole('button', { name: 'Undo' }).click();
  await answer(page);
  await isSaid(page, 'Taken back.');
}

export const save = (page: Page) => page.keyboard.press('Control+s');

export const field = (page: Page, name: string) =>
  page
    .locator('main form')
    .getByLabel(new RegExp(`^${name}`))
    .first();

export const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((own) => own === document.activeElement);

export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let tabs = 0; tabs < 200 && !(await hasFocus(control)); tabs += 1) await page.keyboard.press('Tab');
  expect(await hasFocus(control)).toBe(true);
}

/** Pastes a text as a spreadsheet does: into the element that has the focus. */
export const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement!.dispatchEvent(event);
  }, text);
