/** Promise: the editor works in a browser. What it does with each page is in editing.slow.test.ts and night.slow.test.ts. */
import { describe, expect, it } from 'vitest';
import { executablePath } from '../support/chromium.ts';
import { answer, cell, paste, useEditor } from './editor-page.ts';

const editor = useEditor();

describe.skipIf(!executablePath)('a night', () => {
  it('reads cells that are pasted into the grid by position, and a sheet with a header after a question', async () => {
    const address = await editor.newCeremony(103);
    const page = await editor.open(`${address}/categories/6`);
    await cell(page, 'Film', 1).focus();
    await paste(page, 'A Pasted Film\tSean Baker\nA Second Pasted Film\tBrady Corbet');
    expect(await cell(page, 'Person or company', 2).inputValue()).toBe('Brady Corbet');
    await page.getByRole('button', { name: 'Discard' }).click();
    await cell(page, 'Film', 1).focus();
    await paste(page, 'Film\tCategory\tName\nA Sheet Film\tDirecting\tSean Baker');
    expect(await answer(page)).toContain('Read this as a sheet of the whole night?');
    await page.waitForURL(/\/sheet$/);
    await page.locator('.sheet-group', { hasText: 'Directing' }).getByText('1 row').waitFor();
  });
});
