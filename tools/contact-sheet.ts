/**
 * Draws every kind of page in four variants on one sheet, test-artifacts/contact-sheet.png: light and dark, on a
 * desktop and a phone. Run it with `npm run contact-sheet`, and look at it after a change of style.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../tests/support/project.ts';
import { removeTemporaryFolders } from '../tests/support/temporary-folder.ts';
import { launchChromium } from '../tests/support/chromium.ts';
import { explorerFolder, pageKinds, startExplorer } from '../tests/site/explorer-site.ts';

const folder = join(project, 'test-artifacts');
const [desk, phone] = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
const variants = [
  { name: 'light', viewport: desk, colorScheme: 'light' },
  { name: 'dark', viewport: desk, colorScheme: 'dark' },
  { name: 'phone', viewport: phone, colorScheme: 'light' },
  { name: 'phone, dark', viewport: phone, colorScheme: 'dark' },
] as const;

async function draw(): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const service = await startExplorer(await explorerFolder());
  const browser = await launchChromium();
  const rows = new Map<string, string[]>();
  for (const { name, ...options } of variants) {
    const page = await (await browser.newContext({ serviceWorkers: 'block', ...options })).newPage();
    // The first page can be painted before its fonts are there.
    await page.goto(`http://127.0.0.1:${service.port}/`, { waitUntil: 'networkidle' });
    for (const [kind, path] of pageKinds) {
      await page.goto(`http://127.0.0.1:${service.port}${path}`);
      const image = (await page.screenshot({ type: 'jpeg', quality: 80 })).toString('base64');
      const cell = `<td><img alt="${name}" height="330" src="data:image/jpeg;base64,${image}"></td>`;
      rows.set(kind, [...(rows.get(kind) ?? []), cell]);
    }
    await page.context().close();
  }
  const sheet = await browser.newPage({ viewport: { width: 1480, height: 900 } });
  const table = [...rows].map(([kind, cells]) => `<tr><th>${kind}</th>${cells.join('')}</tr>`).join('');
  await sheet.setContent(`<style>th{font:14px sans-serif;width:100px}</style><table>${table}</table>`);
  const file = join(folder, 'contact-sheet.png');
  writeFileSync(file, await sheet.screenshot({ fullPage: true }));
  await browser.close();
  await service.stop();
  removeTemporaryFolders();
  return file;
}

process.stdout.write(`${await draw()}\n`);
