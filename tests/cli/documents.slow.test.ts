/** The promise: documents name what exists, say what the source says, and their samples work. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fastGlob from 'fast-glob';
import { expect, it } from 'vitest';
import * as limits from '../../api/contract/limits.ts';
import { examples } from '../../build/openapi/examples.ts';
import { problems } from '../../api/contract/problems.ts';
import { formatVersion } from '../../api/contract/snapshot.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { createService } from '../../api/server/app.ts';
import { curlOf, exampleOf, exampleOrigin, javascriptOf, operations } from '../../build/site/docs/openapi.ts';
import { number } from '../../data/system/messages.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { startWritingService } from '../support/writing-service.ts';
import { answerAt, compiledRecord } from '../records/build.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const textOf = (path: string) => readFileSync(join(project, path), 'utf8');
const documents = fastGlob.sync(['*.md', 'docs/**/*.md'], { cwd: project }).sort();
const decisions = documents.filter((path) => /decisions\/\d/.test(path));

it('there are at most ten decisions: one that no longer decides is merged or removed', () => {
  expect(decisions.length).toBeLessThanOrEqual(10);
});

/** The anchors of the headings, as GitHub makes them. */
const anchorsIn = (path: string): string[] =>
  [...textOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .replace(/`|\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

it('links lead to files and headings that exist', () => {
  const isBroken = (path: string, target: string) => {
    const [file = '', anchor] = target.split('#');
    const found = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(project, found))) return true;
    return anchor !== undefined && !anchorsIn(found).includes(anchor);
  };
  const broken = documents.flatMap((path) =>
    [
      ...textOf(path)
        .replace(/```[\s\S]*?```/g, '')
        .matchAll(/\]\(([^)\s]+)\)/g),
    ]
      .map(([, target]) => target!)
      .filter((target) => !/^(https?|mailto):/.test(target) && isBroken(path, target))
      .map((target) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

it('documents and sources name files of the project that exist', () => {
  const sources = fastGlob.sync('{api,build,data,deploy}/**/*.{ts,tsx,mjs,sql,sh}', { cwd: project });
  const named =
    /(?<![\w./-])(?:api|build|data|docs|deploy|tests|tools)\/[\w/-]+\.(?:tsx?|mjs|sql|sh|md)(?!\w)/g;
  const gone = [...documents, ...sources].flatMap((path) =>
    [...textOf(path).matchAll(named)]
      .filter(([file]) => !existsSync(join(project, file)))
      .map(([file]) => `${path}: ${file}`),
  );
  expect(gone).toEqual([]);
});

it('errors.md has a section for every problem, and the API gives them all', () => {
  const section = /^## (.+)\n\n\*\*(\d+)\*\* (.+)\n\n- When: \S.+\n- Next step: \S.+$/gm;
  const found = [...textOf('docs/errors.md').matchAll(section)].map(([, code, status, title]) => [
    code,
    { status: Number(status), title },
  ]);
  expect(found).toEqual(Object.entries(problems));
  const sources = fastGlob.sync('api/**/*.ts', { cwd: project, ignore: ['api/contract/problems.ts'] });
  const text = sources.map(textOf).join('');
  expect(Object.keys(problems).filter((code) => !text.includes(`'${code}'`))).toEqual([]);
});

it('the version has its section in the change log, and the package file its name in the documents', () => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  expect(textOf('CHANGELOG.md')).toMatch(new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b`, 'm'));
  const named = documents.flatMap((path) => textOf(path).match(/film-awards-\d[\w.-]*(?=\.tgz)/g) ?? []);
  expect(new Set(named)).toEqual(new Set([`film-awards-${version}`]));
});

it('snapshot-format.md is of the current version', () => {
  const text = textOf('docs/snapshot-format.md');
  expect(text).toMatch(new RegExp(`^# Snapshot format, version ${formatVersion}$`, 'm'));
  const formats = Array.from(text.matchAll(/^ {2}format: (\d+);/gm), ([, format]) => Number(format));
  expect(formats).toEqual([formatVersion, formatVersion]);
});

const serverOfService = () =>
  createService({ out: temporaryFolder(), readLimit: 0, proxies: [], onError: () => {} }).app.server;

it('nginx and Caddy wait for a request as long as the service', () => {
  const { headersTimeout, requestTimeout } = serverOfService();
  const [head, body] = [headersTimeout, requestTimeout].map((milliseconds) => `${milliseconds / 1000}s`);
  for (const kind of ['service', 'files']) {
    const nginx = textOf(`deploy/nginx-${kind}.conf`);
    expect(nginx).toContain(`client_header_timeout ${head};\n    client_body_timeout ${body};`);
    expect(textOf(`deploy/Caddyfile.${kind}`)).toContain(`read_header ${head}\n\t\t\tread_body ${body}\n`);
  }
});

it('operations.md names the limits of the service', () => {
  const server = serverOfService();
  const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;
  const text = textOf('docs/operations.md');
  for (const [limit, value] of [
    ['reads of a client in a minute', number(limits.readsPerMinute)],
    ['files and pages of a client in a minute', number(limits.readsPerMinute * limits.filesPerRead)],
    ['of these, pages with a search', number(limits.readsPerMinute * limits.searchesPerRead)],
    ['reads that an export counts as', number(limits.readsPerExport)],
    ['different words of a search', number(limits.maxSearchWords)],
    ['writes of a key in a minute', number(limits.writesPerMinute)],
    ['requests of a client with a wrong key in a minute', number(limits.wrongKeysPerMinute)],
    ['clients counted at a time', number(limits.countedClients)],
    ['connections', number(server.maxConnections)],
    ['body of a write', `${limits.maxBodyBytes / 1024} KiB`],
    ['body of a batch', `${limits.maxBatchBytes / 1024} KiB`],
    ['writes in a batch', number(limits.maxBatchWrites)],
    [
      'time for the headers, and for a whole request',
      `${seconds(server.headersTimeout)}, ${seconds(server.requestTimeout)}`,
    ],
    ['time without a byte on a connection', seconds(server.timeout)],
  ])
    expect(text).toMatch(new RegExp(`^\\| ${limit} +\\| ${value} +\\|`, 'm'));
  expect(text).toContain(`${seconds(server.keepAliveTimeout)} between two requests`);
});

it('every request that README shows finds something in the sample', async () => {
  const shown = textOf('README.md').matchAll(/^curl 'http:\/\/127\.0\.0\.1:3000(\/api\/[^']+)'$/gm);
  const targets = [...shown].map(([, target]) => target!);
  expect(targets.length).toBeGreaterThan(3);
  const resolver = new Resolver((await compiledRecord(fillWithSample)).files);
  for (const target of targets) {
    const { status, body } = await answerAt(resolver, target);
    const text = new TextDecoder().decode(body!);
    expect(status, text).toBe(200);
    const isTable = target.includes('format=csv');
    const found = isTable ? text.trimEnd().split('\r\n').slice(1) : (JSON.parse(text) as { data: [] }).data;
    expect(found.length, target).toBeGreaterThan(0);
  }
});

it('the write that README shows fills an empty field of a ceremony, whose id is its number in every record', async () => {
  const [, target = '', body = ''] =
    /-X PATCH http:\/\/127\.0\.0\.1:3000(\/api\/ceremonies\/[0-9]+) [^']*'[^']*' \\\n {2}-d '([^']+)'/.exec(
      textOf('README.md'),
    ) ?? [];
  const service = await startWritingService([fillWithSample, []]);
  const before = await service.read(target);
  for (const field of Object.keys(JSON.parse(body) as object)) expect(before[field]).toBeNull();
  expect((await service.write('PATCH', target, body)).status).toBe(200);
  await service.stop();
  service.connection.close();
});

/** The samples of the reference, in the order of the examples: later requests read what earlier ones wrote. */
const samples = Object.values(examples).flatMap((example) => {
  const operation = operations.find((own) => exampleOf(own) === example);
  return operation ? [{ ...example, isSecured: operation.security !== undefined }] : [];
});

it.each([
  ['curl', curlOf, 'sh', (code: string) => code.replace('curl ', 'curl -s ')],
  [
    'JavaScript',
    javascriptOf,
    process.execPath,
    (code: string) =>
      `{ ${code.replace(/console\.log\(.*, (await .*)\);/, 'console.log(JSON.stringify($1));')} }`,
  ],
] as const)(
  'samples in %s run as they stand, and get the answers that the reference shows',
  async (name, codeOf, program, adapted) => {
    const service = await startWritingService([fillWithSample, []]);
    const file = join(temporaryFolder(), name === 'curl' ? 'samples.sh' : 'samples.mjs');
    const code = samples.map((sample) => adapted(codeOf(sample))).join('\n');
    writeFileSync(file, code.replaceAll(exampleOrigin, `http://127.0.0.1:${service.port}`));
    const { stdout } = await promisify(execFile)(program, [file], {
      env: { ...process.env, KEY: service.key },
    });
    await service.stop();
    service.connection.close();
    const timeless = (answer: string) => JSON.parse(answer.replace(/"at":"[^"]*"/g, '"at":""')) as unknown;
    const answers = stdout.trimEnd().split('\n');
    expect(answers.map(timeless)).toEqual(samples.map(({ answer }) => timeless(JSON.stringify(answer))));
  },
);
