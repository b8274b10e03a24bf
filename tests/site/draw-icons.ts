/** Draws the icons of the installed site from icon.svg, in Chromium. Run it with `npm run icons` after a change of icon.svg. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../layers/source-files.ts';
import { launchChromium } from './chromium.ts';

const folder = join(project, 'build/site/public');
const drawing = readFileSync(join(folder, 'icon.svg'), 'utf8');
/** Systems cut maskable icons: the drawing fills their safe zone, and its background the rest. */
const maskable = drawing
  .replace('viewBox="0 0 64 64"', 'viewBox="-4 -4 72 72"')
  .replace(/<rect [^>]*\/>/, '<rect x="-4" y="-4" width="72" height="72" fill="#201d17"/>');

const browser = await launchChromium();
for (const [name, svg, size] of [
  ['icon-192', drawing, 192],
  ['icon-512', drawing, 512],
  ['icon-maskable-512', maskable, 512],
] as const) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;height:100vh;width:100vw}</style>${svg}`);
  writeFileSync(join(folder, `${name}.png`), await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();
