/**
 * Prints figures of the site in headless Chromium, on the real record if it is there, else on the sample: the cost of the
 * first view, on a desktop and on a slow phone, and the wait for the first result of a search there. Run it with `npm run measure:site`, or with
 * `npm run measure:site -- /docs` for one view alone.
 */
import type { CDPSession, Page } from 'playwright-core';
import { importRecord } from '../../data/import/import.ts';
import type { Connection } from '../../data/database/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { median } from '../bench/figures.ts';
import { hasRealRecord, realRecordPath } from '../support/real-record.ts';
import { builtFolder, startService } from '../http/running-service.ts';
import { removeTemporaryFolders } from '../support/temporary-folder.ts';
import { executablePath, launchChromium } from './chromium.ts';

/** Figures that the page collects about itself. */
interface Figures {
  /** Cumulative layout shift. */
  shift: number;
  longestTaskMs: number;
  firstPaintMs: number;
  largestPaintMs: number;
}
declare const window: { figures: Figures; latencies: number[] };

const visits = 5;
const paths = [
  '/',
  '/movies/1',
  '/nominees/1',
  // The largest.
  '/ceremonies/15',
  '/rankings/top-nominees',
  '/timeline',
  '/years',
  '/categories/1',
  '/movies?sort=-wins',
  '/compare/movies?ids=1,2',
  '/search?q=star',
  '/docs',
];

/** A phone with a slow network: bytes a second, milliseconds, and how much slower its processor is. */
const slow = { downloadThroughput: 200_000, uploadThroughput: 93_750, latency: 150, cpuRate: 4 };

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

async function slowDown(session: CDPSession): Promise<void> {
  const { cpuRate, ...network } = slow;
  await session.send('Network.emulateNetworkConditions', { offline: false, ...network });
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuRate });
}

/** A visit with empty caches. */
async function visit(open: () => Promise<Page>, address: string, isSlow: boolean) {
  const page = await open();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  if (isSlow) await slowDown(session);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(observePage);
  await page.goto(address, { waitUntil: 'networkidle' });
  // On a slow processor, the page goes on after its last request.
  if (isSlow) await page.waitForTimeout(3000);
  const figures = await page.evaluate(() => window.figures);
  await page.context().close();
  return { ...figures, bytes };
}

async function measureView(open: () => Promise<Page>, address: string, isSlow = false): Promise<void> {
  const all: Awaited<ReturnType<typeof visit>>[] = [];
  for (let i = 0; i < visits; i += 1) all.push(await visit(open, address, isSlow));
  const of = (member: keyof (typeof all)[number]) => median(all.map((one) => one[member]));
  process.stdout.write(
    `${(new URL(address).pathname + (isSlow ? ' (slow)' : '')).padEnd(24)} ${(of('bytes') / 1000).toFixed(0).padStart(4)} KB over the network, first paint ${of('firstPaintMs').toFixed(0).padStart(4)} ms, largest ${of('largestPaintMs').toFixed(0).padStart(4)} ms, ` +
      `layout shift ${of('shift').toFixed(3)}, longest task ${of('longestTaskMs').toFixed(0)} ms\n`,
  );
}

/** Milliseconds from the first letter to the first result, with empty caches, on the slow phone. */
async function firstResult(open: () => Promise<Page>, origin: string): Promise<number> {
  const page = await open();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await slowDown(session);
  await page.goto(origin, { waitUntil: 'networkidle' });
  await page.evaluate(() => {
    window.latencies = [];
    const field = document.querySelector('[role=combobox]')!;
    field.addEventListener(
      'input',
      () => {
        const start = performance.now();
        const observer = new MutationObserver(() => {
          if (!document.querySelector('.results [role=option]:not(.all)')) return;
          window.latencies.push(performance.now() - start);
          observer.disconnect();
        });
        observer.observe(document.querySelector('.results')!, { childList: true, subtree: true });
      },
      { once: true },
    );
  });
  await page.locator('[role=combobox]').pressSequentially('meryl', { delay: 80 });
  await page.waitForFunction(() => window.latencies.length > 0, undefined, { timeout: 20_000 });
  const latency = await page.evaluate(() => window.latencies[0]!);
  await page.context().close();
  return latency;
}

async function measureFirstResult(open: () => Promise<Page>, origin: string): Promise<void> {
  const all: number[] = [];
  for (let i = 0; i < visits; i += 1) all.push(await firstResult(open, origin));
  process.stdout.write(
    `search (slow): ${median(all).toFixed(0)} ms from the first letter to the first result\n`,
  );
}

async function measure(): Promise<void> {
  if (!executablePath) throw new Error('there is no Chromium here; CHROMIUM names one');
  const fill = (connection: Connection) =>
    hasRealRecord ? importRecord(connection, realRecordPath) : fillWithSample(connection);
  const { connection, out } = await builtFolder(fill, ['pages', 'site']);
  connection.close();
  const service = await startService(out);
  const browser = await launchChromium();
  const open = async () => (await browser.newContext({ serviceWorkers: 'block' })).newPage();
  const origin = `http://127.0.0.1:${service.port}`;
  process.stdout.write(
    `on the ${hasRealRecord ? 'real record' : 'sample'}, medians of ${visits} first visits\n`,
  );
  const chosen = process.argv.slice(2);
  for (const path of chosen.length > 0 ? chosen : paths) await measureView(open, origin + path);
  for (const path of chosen.length > 0 ? chosen : paths) await measureView(open, origin + path, true);
  if (chosen.length === 0) await measureFirstResult(open, origin);
  await browser.close();
  await service.stop();
  removeTemporaryFolders();
}

await measure();
