/** Promise: the samples of writes and receipts run as they stand, and get the answers that the reference shows. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { examples } from '../../api/contract/openapi/examples.ts';
import { curlOf, exampleOf, exampleOrigin, javascriptOf, operations } from '../../build/site/docs/openapi.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWritingService } from '../http/writing-service.ts';

const run = promisify(execFile);
/** Example → whether it needs a key. */
const shown = new Map(
  operations.map((operation) => [exampleOf(operation), operation.security !== undefined]),
);
/** In the order of the examples: later requests read what earlier ones wrote. */
const samples = Object.values(examples)
  .filter((example) => shown.has(example))
  .map((example) => ({ ...example, isSecured: shown.get(example)! }));
/** An answer without the times of its receipts. */
const withoutTimes = (answer: unknown) =>
  JSON.parse(JSON.stringify(answer).replace(/"at":"[^"]*"/g, '"at":""')) as unknown;

it.each([
  ['curl', curlOf, 'sh', 'sh', (code: string) => code.replace('curl ', 'curl -s ')],
  [
    'JavaScript',
    javascriptOf,
    process.execPath,
    'mjs',
    (code: string) =>
      `{ ${code.replace(/console\.log\(.*, (await .*)\);/, 'console.log(JSON.stringify($1));')} }`,
  ],
] as const)('%s', async (_language, codeOf, program, extension, adapted) => {
  const service = await startWritingService([fillWithSample, []]);
  const file = join(temporaryFolder(), `samples.${extension}`);
  const code = samples.map((sample) => adapted(codeOf(sample))).join('\n');
  writeFileSync(file, code.replaceAll(exampleOrigin, `http://127.0.0.1:${service.port}`));
  const { stdout } = await run(program, [file], { env: { ...process.env, KEY: service.key } });
  await service.stop();
  service.connection.close();
  const answers = stdout.trimEnd().split('\n');
  expect(answers).toHaveLength(samples.length);
  for (const [i, { target, answer }] of samples.entries())
    expect(withoutTimes(JSON.parse(answers[i]!)), target).toEqual(withoutTimes(answer));
});
