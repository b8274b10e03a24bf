/** The promise: in Deno, where Netlify runs them, the edge functions answer as the resolver in Node. */
import { expect, it } from 'vitest';
import { deno, noDeno, startDeno } from './deno.ts';
import { differences, expectations } from './expectation.ts';
import { overHttp } from './http-client.ts';
import { htmlDifferences } from './site-pages.ts';
import { useSnapshot } from './use-snapshot.ts';
import { expectForwardsWrites, startWriteEcho } from './write-echo.ts';

const snapshot = useSnapshot();

it('the edge functions answer every request of the table', async (context) => {
  if (!deno) return context.skip(noDeno);
  const host = await startDeno('tests/conformance/deno-host.ts', [snapshot.out]);
  const { runtime, close } = overHttp(`http://127.0.0.1:${host.line}`);
  expect(await differences(runtime, await expectations(snapshot.out, false))).toEqual([]);
  // Its variables have no origin of the site: pages name the host of the request.
  const origin = `http://127.0.0.1:${host.line}`;
  expect(await htmlDifferences(runtime, snapshot.out, origin)).toEqual([]);
  close();
  await host.stop();
});

it('writes are forwarded to the write service', async (context) => {
  if (!deno) return context.skip(noDeno);
  const echo = await startWriteEcho();
  const host = await startDeno('tests/conformance/deno-host.ts', [snapshot.out, echo.origin]);
  await expectForwardsWrites(`http://127.0.0.1:${host.line}`);
  await host.stop();
  await echo.stop();
});
