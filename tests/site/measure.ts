/**
 * Prints figures of the site in headless Chromium, on the real record if it is there, else on the sample: the cost of the
 * first view, on a desktop and on a slow phone, and the wait for the first result of a search there. Run it with `npm run measure:site`, or with
 * `npm run measure:site -- /docs` for one view alone.
 */
import type { Page } from 'playwright-core';
import { importRecord } from '../../data/import/import.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { median } from '../bench/figures.ts';
import { builtFolder, startService } from '../http/running-service.ts';
import { hasRealRecord, realRecordPath } from '../support/real-record.ts';
import { removeTemporaryFolders } from '../support/temporary-folder.ts';
import { executablePath, launchChromium } from './chromium.ts';

/** What the page observes about itself. */
interface Figures {
  /** Cumulative layout shift. */
  shift: number;
  longestTaskMs: number;
  firstPaintMs: number;
  largestPaintMs: number;
}
declare const window: { figures: Figures };

const visits = 5;
const paths = [
  ...['/', '/movies/1', '/nominees/1', '/ceremonies/15', '/rankings/top-nominees', '/timeline', '/years'],
  ...['/categories/1', '/movies?sort=-wins', '/compare/movies?ids=1,2', '/search?q=star', '/docs'],
];
/** A phone with a slow network: bytes a second, milliseconds; and how much slower its processor is. */
const network = { offline: false, downloadThroughput: 200_000, uploadThroughput: 93_750, latency: 150 };
const processorRate = 4;

/** Runs in the page. Its functions have no names: the transpiler would wrap them with a helper that the page lacks. */
const observePage = () => {
  window.figures = { shift: 0, longestTaskMs: 0, firstPaintMs: 0, largestPaintMs: 0 };
  for (const type of ['longtask', 'layout-shift', 'paint', 'largest-contentful-paint'])
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        if (type === 'layout-shift') window.figures.shift += entry.value;
        else if (type === 'largest-contentful-paint') window.figures.largestPaintMs = entry.startTime;
        else if (entry.name === 'first-contentful-paint') window.figures.firstPaintMs = entry.startTime;
        else if (type === 'longtask')
          window.figures.longestTaskMs = Math.max(window.figures.longestTaskMs, entry.duration);
    }).observe({ type, buffered: true });
};

/** Opens an address with empty caches. @returns the page, and the bytes over the network so far */
async function visit(open: () => Promise<Page>, address: string, isSlow: boolean) {
  const page = await open();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  if (isSlow) {
    await session.send('Network.emulateNetworkConditions', network);
    await session.send('Emulation.setCPUThrottlingRate', { rate: processorRate });
  }
  const sent = { bytes: 0 };
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    sent.bytes += encodedDataLength;
  });
  await page.addInitScript(observePage);
  await page.goto(address, { waitUntil: 'networkidle' });
  // On a slow processor, the page goes on after its last request.
  if (isSlow) await page.waitForTimeout(3000);
  return { page, sent };
}

/** The medians of several runs, each member by itself. */
async function medians<T extends object>(run: () => Promise<T>): Promise<(member: keyof T) => number> {
  const all: T[] = [];
  for (let i = 0; i < visits; i += 1) all.push(await run());
  return (member) => median(all.map((one) => one[member] as number));
}

async function measureView(open: () => Promise<Page>, address: string, isSlow: boolean): Promise<void> {
  const of = await medians(async () => {
    const { page, sent } = await visit(open, address, isSlow);
    const figures = await page.evaluate(() => window.figures);
    await page.context().close();
    return { ...figures, ...sent };
  });
  const ms = (member: keyof Figures) => `${of(member).toFixed(0).padStart(4)} ms`;
  process.stdout.write(
    `${(new URL(address).pathname + (isSlow ? ' (slow)' : '')).padEnd(24)} ` +
      `${(of('bytes') / 1000).toFixed(0).padStart(4)} KB over the network, first paint ${ms('firstPaintMs')}, ` +
      `largest ${ms('largestPaintMs')}, layout shift ${of('shift').toFixed(3)}, longest task ${ms('longestTaskMs')}\n`,
  );
}

/** From the first letter to the first result, with empty caches, on the slow phone. */
async function measureFirstResult(open: () => Promise<Page>, origin: string): Promise<void> {
  const of = await medians(async () => {
    const { page } = await visit(open, origin, true);
    const start = performance.now();
    await page.locator('[role=combobox]').pressSequentially('meryl', { delay: 80 });
    await page.locator('.results [role=option]:not(.all)').first().waitFor();
    const waitMs = performance.now() - start;
    await page.context().close();
    return { waitMs };
  });
  process.stdout.write(
    `search (slow): ${of('waitMs').toFixed(0)} ms from the first letter to the first result\n`,
  );
}

if (!executablePath) throw new Error('there is no Chromium here; CHROMIUM names one');
const { connection, out } = await builtFolder(
  (database) => (hasRealRecord ? importRecord(database, realRecordPath) : fillWithSample(database)),
  ['pages', 'site'],
);
connection.close();
const service = await startService(out);
const browser = await launchChromium();
const open = async () => (await browser.newContext({ serviceWorkers: 'block' })).newPage();
const origin = `http://127.0.0.1:${service.port}`;
const record = hasRealRecord ? 'real record' : 'sample';
process.stdout.write(`on the ${record}, medians of ${visits} first visits\n`);
const chosen = process.argv.slice(2);
for (const isSlow of [false, true])
  for (const path of chosen.length > 0 ? chosen : paths) await measureView(open, origin + path, isSlow);
if (chosen.length === 0) await measureFirstResult(open, origin);
await browser.close();
await service.stop();
removeTemporaryFolders();
