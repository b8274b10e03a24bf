/**
 * Prints the cost of the first view in headless Chromium, on a desktop and on a slow phone, on the real record if it is there,
 * else on the sample. Run it with `npm run measure:site`, or with `npm run measure:site -- /docs` for one view alone.
 */
import type { Page } from 'playwright-core';
import { importRecord } from '../data/import/import.ts';
import { fillWithSample } from '../data/sample/sample.ts';
import { median } from './bench/figures.ts';
import { builtFolder, startService } from '../tests/support/running-service.ts';
import { hasRealRecord, realRecordPath } from '../tests/records/real-record.ts';
import { removeTemporaryFolders } from '../tests/support/temporary-folder.ts';
import { executablePath, launchChromium } from '../tests/support/chromium.ts';

/** What the page observes about itself: the cumulative layout shift, the longest task and the paints in milliseconds. */
type Figures = Record<'shift' | 'longestTask' | 'firstPaint' | 'largestPaint', number>;
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
  window.figures = { shift: 0, longestTask: 0, firstPaint: 0, largestPaint: 0 };
  for (const type of ['longtask', 'layout-shift', 'paint', 'largest-contentful-paint'])
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        if (type === 'layout-shift') window.figures.shift += entry.value;
        else if (type === 'largest-contentful-paint') window.figures.largestPaint = entry.startTime;
        else if (entry.name === 'first-contentful-paint') window.figures.firstPaint = entry.startTime;
        else if (type === 'longtask')
          window.figures.longestTask = Math.max(window.figures.longestTask, entry.duration);
    }).observe({ type, buffered: true });
};

/** Opens an address some times with empty caches, and prints the medians. */
async function measureView(open: () => Promise<Page>, address: string, isSlow: boolean): Promise<void> {
  const all: (Figures & { bytes: number })[] = [];
  for (let i = 0; i < visits; i += 1) {
    const page = await open();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    if (isSlow) {
      await session.send('Network.emulateNetworkConditions', network);
      await session.send('Emulation.setCPUThrottlingRate', { rate: processorRate });
    }
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.addInitScript(observePage);
    await page.goto(address, { waitUntil: 'networkidle' });
    // On a slow processor, the page goes on after its last request.
    if (isSlow) await page.waitForTimeout(3000);
    all.push({ ...(await page.evaluate(() => window.figures)), bytes });
    await page.context().close();
  }
  const of = (member: keyof Figures | 'bytes') => median(all.map((one) => one[member]));
  const ms = (member: keyof Figures) => `${of(member).toFixed(0).padStart(4)} ms`;
  process.stdout.write(
    `${(new URL(address).pathname + (isSlow ? ' (slow)' : '')).padEnd(24)} ` +
      `${(of('bytes') / 1000).toFixed(0).padStart(4)} KB over the network, first paint ${ms('firstPaint')}, ` +
      `largest ${ms('largestPaint')}, layout shift ${of('shift').toFixed(3)}, longest task ${ms('longestTask')}\n`,
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
await browser.close();
await service.stop();
removeTemporaryFolders();
