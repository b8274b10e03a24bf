/** The promise: every request that README shows finds something in the sample. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { Resolver } from '../../api/read/resolve.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { answerAt, compiledRecord } from '../support/build.ts';
import { project } from '../support/project.ts';

const shown = [
  ...readFileSync(join(project, 'README.md'), 'utf8').matchAll(
    /^curl 'http:\/\/127\.0\.0\.1:3000(\/api\/[^']+)'$/gm,
  ),
].map(([, target]) => target!);

let resolver: Resolver;
beforeAll(async () => {
  resolver = new Resolver((await compiledRecord(fillWithSample)).files);
});

it.each(shown)('%s', async (target) => {
  const { status, body } = await answerAt(resolver, target);
  const text = new TextDecoder().decode(body!);
  expect(status, text).toBe(200);
  const records = target.includes('format=csv')
    ? text.trimEnd().split('\r\n').slice(1)
    : (JSON.parse(text) as { data: unknown[] }).data;
  expect(records.length).toBeGreaterThan(0);
});

it('README shows requests', () => expect(shown.length).toBeGreaterThan(3));
