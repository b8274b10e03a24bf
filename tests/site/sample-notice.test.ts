/** Promise: every page, and the root of the API, say that the record is a sample; with the whole record no page does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiRoot } from '../../api/contract/answers.ts';
import { sampleNotice } from '../../api/contract/sample.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { unmarkSample } from '../../data/sample/state.ts';
import { builtFolder, type RunningService, startService } from '../service/running-service.ts';
import { pageKinds } from './page-kinds.ts';

describe.each([true, false])('over a record that is a sample: %s', (isSample) => {
  let service: RunningService;
  beforeAll(async () => {
    const { connection, out } = await builtFolder(
      (database) => {
        fillWithSample(database);
        if (!isSample) unmarkSample(database);
      },
      ['site'],
    );
    connection.close();
    service = await startService(out);
  });
  afterAll(() => service.stop());
  const htmlAt = async (target: string): Promise<string> => {
    const { headers, body } = await service.ask(target);
    return headers.location === undefined ? body.toString() : htmlAt(headers.location);
  };
  const expectNotice = (text: string, notice: string) =>
    isSample ? expect(text).toContain(notice) : expect(text).not.toContain(notice);

  it.each(pageKinds)('the page of %s', async (_kind, target) => {
    expectNotice(await htmlAt(target), sampleNotice);
  });

  it('totals and rankings', async () => {
    for (const target of ['/', '/movies/1', '/nominees/1', '/rankings/top-movies', '/years'])
      expectNotice(await htmlAt(target), 'his sample');
    expectNotice(await htmlAt('/nominees/1'), ' in this sample');
    expectNotice(await htmlAt('/rankings/without-win'), 'without a win in this sample</h1>');
    expectNotice(await htmlAt('/'), 'In this sample: ');
  });

  it.each(['/api', '/api/'])('%s', async (target) => {
    const { status, headers, body } = await service.ask(target);
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const root = JSON.parse(body.toString()) as ApiRoot;
    expect([root.sample, root.notice]).toEqual(isSample ? [true, sampleNotice] : [undefined, undefined]);
    const manifest = (await service.ask('/manifest.json')).body.toString();
    expect(manifest).toContain(`"snapshot":"${root.snapshot}"`);
    const { resources, rankings, counts, openapi, documentation, manifest: manifestAddress } = root;
    for (const address of [
      ...Object.values(resources),
      ...Object.values(rankings),
      `${counts}?by=year`,
      openapi,
      documentation,
      manifestAddress,
    ])
      expect((await service.ask(address)).status, address).toBe(200);
    const { status: unchanged } = await service.ask(target, { headers: { 'If-None-Match': headers.etag! } });
    expect(unchanged).toBe(304);
  });
});
