/**
 * Draws the picture of the site in README, docs/site.jpg: the home page over the sample. Run it with
 * `npm run picture` after a change of style.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explorerFolder, startExplorer } from '../tests/site/explorer-site.ts';
import { launchChromium } from '../tests/support/chromium.ts';
import { project } from '../tests/support/project.ts';
import { removeTemporaryFolders } from '../tests/support/temporary-folder.ts';

const service = await startExplorer(await explorerFolder());
const browser = await launchChromium();
const context = await browser.newContext({
  serviceWorkers: 'block',
  viewport: { width: 1280, height: 960 },
  colorScheme: 'light',
});
const page = await context.newPage();
// A first visit can do without the fonts, which then are in the cache.
for (let visit = 1; visit <= 2; visit += 1)
  await page.goto(`http://127.0.0.1:${service.port}/`, { waitUntil: 'networkidle' });
const file = join(project, 'docs/site.jpg');
writeFileSync(file, await page.screenshot({ type: 'jpeg', quality: 60 }));
await browser.close();
await service.stop();
removeTemporaryFolders();
process.stdout.write(`${file}\n`);
