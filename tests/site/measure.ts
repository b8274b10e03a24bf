/**
 * Figures of the explorer as a visitor has it, in headless Chromium on the real record where it is at hand, else on the
 * sample: what the first view takes, and how soon a search is on the screen. `npm run measure:site` prints them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { build } from '../support/build.ts';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { importRecord } from '../../data/import/import.ts';
import { openDatabase } from '../../data/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { hasRealRecord, realRecordPath } from '../real-record.ts';
import { startService } from '../service/running-service.ts';
import { findChromium } from './chromium.ts';

/** What the page notes about itself from its first moment. */
interface Noted {
  shift: number;
  longest: number;
  paint: number;
}
declare const window: { noted: Noted; frames: number[] };

const visits = 5;
const searches = ['meryl streep', 'the godfather', 'spielberg', 'forrest gump', 'best picture 1994'];
const paths = [
  '/',
  '/movies/1',
  '/nominees/1',
  '/ceremonies/67',
  '/rankings/top-nominees',
  '/timeline',
  '/years',
];

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const noteFromTheStart = () => {
  window.noted = { shift: 0, longest: 0, paint: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      window.noted.longest = Math.max(window.noted.longest, entry.duration);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      window.noted.shift += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName('first-contentful-paint')) window.noted.paint = entry.startTime;
  }).observe({ type: 'paint', buffered: true });
};

/** Visits an address anew, with nothing kept. */
async function visit(open: () => Promise<Page>, address: string) {
  const page = await open();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(noteFromTheStart);
  await page.goto(address, { waitUntil: 'networkidle' });
  const noted = await page.evaluate(() => window.noted);
  await page.context().close();
  return { ...noted, bytes };
}

async function measureView(open: () => Promise<Page>, origin: string, path: string): Promise<void> {
  const all: Awaited<ReturnType<typeof visit>>[] = [];
  for (let i = 0; i < visits; i += 1) all.push(await visit(open, origin + path));
  const of = (member: keyof (typeof all)[number]) => median(all.map((one) => one[member]));
  process.stdout.write(
    `${path.padEnd(24)} ${(of('bytes') / 1000).toFixed(0).padStart(4)} KB over the network, first paint ${of('paint').toFixed(0).padStart(4)} ms, ` +
      `layout shift ${of('shift').toFixed(3)}, longest task ${of('longest').toFixed(0)} ms\n`,
  );
}

/** Has the page note the milliseconds from each letter typed to the results it changes; a letter may change none. */
const noteFrames = () => {
  const field = document.querySelector('[role=combobox]')!;
  const results = document.querySelector('.results')!;
  let since: number | undefined;
  field.addEventListener('input', () => {
    since = performance.now();
  });
  new MutationObserver(() => {
    if (since !== undefined) window.frames.push(performance.now() - since);
    since = undefined;
  }).observe(results, { childList: true, subtree: true, characterData: true, attributes: true });
};

async function typed(page: Page, text: string): Promise<number[]> {
  const field = page.locator('[role=combobox]');
  await field.fill('');
  await page.evaluate(() => {
    window.frames = [];
  });
  await field.pressSequentially(text, { delay: 80 });
  await page.waitForTimeout(200);
  return page.evaluate(() => window.frames);
}

async function measureSearch(open: () => Promise<Page>, origin: string): Promise<void> {
  const page = await open();
  await page.goto(origin, { waitUntil: 'networkidle' });
  await page.locator('[role=combobox]').focus();
  await page.waitForLoadState('networkidle');
  await page.evaluate(noteFrames);
  const [cold, warm]: [number[], number[]] = [[], []];
  for (const text of searches) cold.push(...(await typed(page, text)));
  for (const text of searches) warm.push(...(await typed(page, text)));
  const worst = [...warm].sort((a, b) => a - b)[Math.floor(warm.length * 0.95)]!;
  process.stdout.write(
    `typing: median ${median(cold).toFixed(1)} ms from a letter to its results the first time, ` +
      `${median(warm).toFixed(1)} ms with the shards there (95 % within ${worst.toFixed(1)} ms)\n`,
  );
  await page.context().close();
}

async function measure(): Promise<void> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('there is no Chromium here; CHROMIUM names one');
  const folder = mkdtempSync(join(tmpdir(), 'awards-measure-'));
  const connection = openDatabase(join(folder, 'awards.db'));
  if (hasRealRecord) await importRecord(connection, realRecordPath);
  else fillWithSample(connection);
  const out = join(folder, 'dist');
  await build(connection, out, { documents: siteDocuments });
  connection.close();
  const service = await startService(out);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const open = async () => (await browser.newContext({ serviceWorkers: 'block' })).newPage();
  const origin = `http://127.0.0.1:${service.port}`;
  process.stdout.write(
    `on the ${hasRealRecord ? 'real record' : 'sample'}, medians of ${visits} first visits\n`,
  );
  for (const path of paths) await measureView(open, origin, path);
  await measureSearch(open, origin);
  await browser.close();
  await service.stop();
  rmSync(folder, { recursive: true });
}

await measure();
