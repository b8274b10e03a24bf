/**
 * Draws the icons of the installed site and the picture of shared links from icon.svg, in Chromium. Run it with `npm run icons`
 * after a change of icon.svg or of the text.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../tests/support/project.ts';
import { launchChromium } from '../tests/support/chromium.ts';

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

/** A row of bars under the texts; every seventh is a win. */
const bars = Array.from({ length: 48 }, (_, i) => {
  const height = 40 + ((i * 37) % 83);
  const fill = i % 7 === 2 ? '#d9a420' : '#3b352d';
  return `<rect x="${100 + i * 21}" y="${630 - height}" width="15" height="${height}" fill="${fill}"/>`;
}).join('');

const size = { width: 1200, height: 630 };
const page = await browser.newPage({ viewport: size });
await page.setContent(
  `<style>body{margin:0;background:#14120e;color:#b6ad9d;font:34px/1.42 "DejaVu Sans",sans-serif}
  main{position:absolute;left:100px;top:126px}main svg{width:120px}h1{margin:24px 0 14px;color:#f5f0e6;font:400 92px/1.2 "DejaVu Serif",serif}
  p{margin:0}.bars{position:absolute;inset:0}</style>
  <svg class="bars" viewBox="0 0 ${size.width} ${size.height}">${bars}</svg>
  <main>${drawing}<h1>Film Awards</h1><p>Every nomination and who won,<br>from the first ceremony to the latest.</p></main>`,
);
writeFileSync(join(folder, 'share.png'), await page.screenshot());
await browser.close();
