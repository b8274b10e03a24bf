/** The promise: in a browser, with the snapshot on another origin, the bundled resolver answers as in Node. */
import { build } from 'esbuild';
import { chromium, type Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { fetchSource } from '../../api/read/fetch-source.ts';
import type { Resolver } from '../../api/read/resolve.ts';
import { project } from '../support/project.ts';
import { findChromium } from '../site/chromium.ts';
import { differences, expectations, type Reply, type Runtime } from './expectation.ts';
import type { ConformanceRequest } from './requests.ts';
import { type StaticHost, startStaticHost } from './static-host.ts';
import { useSnapshot } from './use-snapshot.ts';

/** The global of the bundle in the page. */
interface Bundle {
  Resolver: typeof Resolver;
  fetchSource: typeof fetchSource;
}
declare const bundle: Bundle;
/** An answer on its way from the page to the test. */
interface Delivered {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: number[];
}
declare const window: { resolver: Resolver; deliver(number: number, answer: Delivered): void };

async function bundled(): Promise<string> {
  const contents = `export { fetchSource, Resolver } from './api/client/index.ts';`;
  const result = await build({
    stdin: { contents, resolveDir: project, loader: 'ts' },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'bundle',
    write: false,
    logLevel: 'silent',
  });
  return result.outputFiles[0]!.text;
}

const snapshot = useSnapshot();

/** The resolver in a page, as a runtime. */
async function inPage(page: Page, host: StaticHost): Promise<Runtime> {
  const waiting = new Map<number, (reply: Reply) => void>();
  // Not the result of evaluate(): the debugger protocol sometimes loses a promise that waits for a file.
  await page.exposeFunction('deliver', (number: number, { status, headers, body }: Delivered) => {
    waiting.get(number)!({ status, headers: new Headers(headers), body: Uint8Array.from(body) });
    waiting.delete(number);
  });
  await page.addScriptTag({ content: await bundled() });
  await page.evaluate((root) => {
    window.resolver = new bundle.Resolver(bundle.fetchSource(root), { writable: false });
  }, `${host.origin}/`);
  let asked = 0;
  return async ({ method, target, ifNoneMatch }: ConformanceRequest): Promise<Reply> => {
    const { pathname: path, search } = new URL(target, host.origin);
    asked += 1;
    const number = asked;
    const reply = new Promise<Reply>((resolve) => waiting.set(number, resolve));
    await page.evaluate(
      ([own, request]) => {
        window.resolver
          .answer(request)
          .then((answer) => window.deliver(own, { ...answer, body: [...(answer.body ?? [])] }));
      },
      [number, { method, path, queryString: search.slice(1), ifNoneMatch }] as const,
    );
    return reply;
  };
}

it('the resolver answers every request of the table', async (context) => {
  const executablePath = findChromium();
  if (!executablePath) return context.skip('there is no Chromium here; CHROMIUM names one');
  const host = await startStaticHost(snapshot.out);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const runtime = await inPage(await browser.newPage(), host);
    expect(await differences(runtime, await expectations(snapshot.out, false))).toEqual([]);
  } finally {
    await browser.close();
  }
  await host.stop();
});
