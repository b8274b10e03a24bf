/** Promise: every sample of the reference runs as it stands, in every language, and gets the answer that stands below it. */
import { execFileSync, execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Example, examples } from '../../api/contract/openapi/examples.ts';
import { exampleOrigin, type Language, samplesOf } from '../../build/site/docs/samples.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { project } from '../support/project.ts';
import { startWritingService } from '../writing/writing-service.ts';

const run = promisify(execFile);

function succeeds(program: string, ...words: string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** One process runs all samples of a language in their order, and prints a line of JSON for each. */
interface Runner {
  extension: string;
  isHere: boolean;
  start: (files: readonly string[]) => [program: string, ...words: string[]];
}

const inNode: Runner = {
  extension: 'mts',
  isHere: true,
  start: (files) => {
    const script = `
      const print = console.log;
      for (const file of ${JSON.stringify(files)}) {
        let printed;
        console.log = (...values) => { printed = values.at(-1); };
        await import(file).catch(({ code }) => { printed = { code }; });
        print(JSON.stringify(printed));
      }`;
    const loader = import.meta.resolve('tsx');
    return [process.execPath, '--import', loader, '--input-type=module', '--eval', script];
  },
};
const runners: Readonly<Record<Language, Runner>> = {
  curl: {
    extension: 'sh',
    isHere: succeeds('curl', '--version'),
    // Each answer ends in a line break.
    start: (files) => ['sh', '-c', files.map((file) => `sh ${file}`).join('\n')],
  },
  fetch: inNode,
  client: inNode,
  python: {
    extension: 'py',
    isHere: succeeds('python3', '-c', 'import requests'),
    start: (files) => {
      const script = `
import builtins, json
for file in ${JSON.stringify(files)}:
    exec(open(file).read(), {'print': lambda status, answer: builtins.print(json.dumps(answer))})`;
      return ['python3', '-c', script];
    },
  },
};

/** Example → what its sample prints, on a service of its own. */
async function outputsOf(language: Language): Promise<ReadonlyMap<string, unknown>> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(project, join(folder, 'node_modules/film-awards'));
  const service = await startWritingService([fillWithSample, []]);
  const { extension, start } = runners[language];
  const samples = Object.entries(examples).flatMap(([name, example]): [string, string][] => {
    // An example without a sample is asked all the same: later ones build on it.
    const { [language]: code, fetch } = samplesOf(example);
    return [[name, (code ?? fetch!).replaceAll(exampleOrigin, `http://127.0.0.1:${service.port}`)]];
  });
  const files = samples.map(([name, code]) => {
    const file = join(folder, `${name}.${extension}`);
    writeFileSync(file, extension === 'sh' ? code.replace('curl ', 'curl -s ') : code);
    return file;
  });
  const [program, ...words] = start(files);
  const env = { ...process.env, KEY: service.key };
  const { stdout } = await run(program, words, { cwd: folder, env, maxBuffer: 2 ** 24 });
  await service.stop();
  service.connection.close();
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(samples.length);
  return new Map(samples.map(([name], i) => [name, JSON.parse(lines[i]!)]));
}

/** An answer without the times of its receipts. */
const withoutTimes = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replace(/"at":"[^"]*"/g, '"at":""'));

interface ClientOutput {
  record?: unknown;
  data?: { record: unknown }[];
}

/** What the client makes of an answer: an error of a problem, and the records of a write. */
function asClient({ method, status, answer }: Example, output: ClientOutput): [unknown, unknown] {
  if (status >= 400) return [output, { code: String(answer.type).split(':').at(-1) }];
  if (method === 'GET') return [output, answer];
  if (output.data === undefined) return [output.record, answer];
  const records = (answer.data as unknown as { record: unknown }[]).map(({ record }) => record);
  return [output.data.map(({ record }) => record), records];
}

describe.each(Object.keys(runners) as Language[])('the samples in %s', (language) => {
  it.skipIf(!runners[language].isHere)('get the answers of the reference', async () => {
    const outputs = await outputsOf(language);
    for (const [name, example] of Object.entries(examples)) {
      const isOfClient = language === 'client' && samplesOf(example).client !== undefined;
      const output = outputs.get(name);
      const [own, expected] = isOfClient
        ? asClient(example, output as ClientOutput)
        : [output, example.answer];
      expect(withoutTimes(own), name).toEqual(withoutTimes(expected));
    }
  });
});

it.each([
  ['/downloads/index.json', "awards.get('/downloads/index.json')"],
  ['/lists/index.json', "awards.get('/lists/index.json')"],
  ['/lists/best-picture/winners.json', "awards.get('/lists/best-picture/winners.json')"],
  ['/lists/best-picture/winners.rss', undefined],
])('the sample of the client reads %s, where it has such an operation', (target, call) => {
  const { client } = samplesOf({ method: 'GET', target });
  expect(client?.match(/awards\.\w+\(.*?\)/)?.[0]).toBe(call);
});
