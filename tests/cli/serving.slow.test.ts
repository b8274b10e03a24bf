/** The promise: the service starts with one command, and ends with exit code 0. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { sampleNotice } from '../../api/contract/sample.ts';
import { createKey } from '../../data/record/keys.ts';
import { openDatabase } from '../../data/database/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { recordOf } from '../import/record-text.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { freePort, listen } from '../support/loopback.ts';
import { addressOf, outcomeOf, startAwards } from '../support/processes.ts';

const { out } = inject('sample');

let child: ChildProcess | undefined;
afterEach(() => {
  // Still alive only where a test failed.
  child?.kill('SIGKILL');
  child = undefined;
});

/** Starts the service over the sample, without a database, so it only reads. */
async function serving(words: string[] = [], environment: Record<string, string> = {}) {
  const database = ['--db', join(temporaryFolder(), 'none.db')];
  child = startAwards(['serve', ...database, '--out', out, '--port', '0', ...words], environment);
  const outcome = outcomeOf(child);
  const address = await addressOf(child);
  return { address, port: Number(new URL(address).port), outcome, process: child };
}

it('"start" in an empty folder fills a database, builds, serves, and ends with exit code 0', async () => {
  const folder = temporaryFolder();
  const environment = { AWARDS_DB: join(folder, 'data', 'awards.db'), AWARDS_DIST: join(folder, 'dist') };
  child = startAwards(['start', '--port', '0'], environment);
  const outcome = outcomeOf(child);
  const address = await addressOf(child);
  expect(existsSync(environment.AWARDS_DB)).toBe(true);
  expect(existsSync(join(environment.AWARDS_DIST, 'manifest.json'))).toBe(true);
  const list = (await (await fetch(`${address}/api/nominations`)).json()) as {
    pagination: { total: number };
  };
  expect(list.pagination.total).toBeGreaterThan(1000);
  child.kill('SIGTERM');
  const { code, stdout, stderr } = await outcome;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.slice(0, 4)).toEqual([
    expect.stringMatching(/^1,[0-9]+ nominations, 98 ceremonies, /),
    sampleNotice,
    expect.stringMatching(/^the key for writing, shown only once: fa_/),
    expect.stringMatching(/^serving .* on http:\/\/127\.0\.0\.1:[0-9]+ /),
  ]);
  for (const [i, path] of ['/', '/api', '/docs', '/edit'].entries())
    expect(lines[4 + i]).toMatch(new RegExp(`^  [A-Za-z]+ +${address}${path}$`));
});

it('"start" with a source replaces an unchanged sample, updates another record, and names the keys', async () => {
  const folder = temporaryFolder();
  const environment = { AWARDS_DB: join(folder, 'awards.db'), AWARDS_DIST: join(folder, 'dist') };
  const database = openDatabase(environment.AWARDS_DB);
  fillWithSample(database);
  createKey(database, 'editor', new Date());
  database.close();
  const source = join(folder, 'record.tsv');
  const film = { Film: 'One', FilmId: 'tt1' };
  for (const [rows, titles] of [
    [[film], ['One']],
    [
      [film, { Film: 'Two', FilmId: 'tt2' }],
      ['One', 'Two'],
    ],
  ] as const) {
    writeFileSync(source, recordOf(...rows));
    child = startAwards(['start', source, '--port', '0'], environment);
    const outcome = outcomeOf(child);
    const address = await addressOf(child);
    const { sample } = (await (await fetch(`${address}/api`)).json()) as { sample?: true };
    const { data } = (await (await fetch(`${address}/api/movies`)).json()) as {
      data: { id: number; title: string }[];
    };
    expect({ sample, data: data.map(({ id, title }) => [id, title]) }).toEqual({
      sample: undefined,
      data: titles.map((title, i) => [i + 1, title]),
    });
    child.kill('SIGTERM');
    const { code, stdout } = await outcome;
    expect(code).toBe(0);
    expect(stdout).toContain(
      'keys for writing: editor; "npm run -s awards -- keys create NAME" makes another',
    );
    expect(stdout).not.toContain('sample');
  }
});

it('"serve" takes its port and its address from PORT and HOST, and options win', async () => {
  const [port, other] = [await freePort(), await freePort()];
  for (const [words, address] of [
    [[], `http://127.0.0.2:${port}`],
    [['--port', String(other), '--host', '127.0.0.1'], `http://127.0.0.1:${other}`],
  ] as const) {
    const environment = { PORT: String(port), HOST: '127.0.0.2' };
    child = startAwards(['serve', '--db', 'none.db', '--out', out, ...words], environment);
    const outcome = outcomeOf(child);
    expect(await addressOf(child)).toBe(address);
    child.kill('SIGTERM');
    expect((await outcome).code).toBe(0);
  }
});

describe('"serve"', () => {
  it.each([
    ['100 a minute', {}, '"default";q=100;w=60'],
    ['AWARDS_RATE_LIMIT', { AWARDS_RATE_LIMIT: '7' }, '"default";q=7;w=60'],
    ['nothing where that is 0', { AWARDS_RATE_LIMIT: '0' }, null],
  ] as const)('limits requests to %s', async (_name, environment, policy) => {
    const { address, outcome, process } = await serving([], environment);
    const response = await fetch(`${address}/api/ceremonies/1`);
    await response.text();
    expect(response.headers.get('ratelimit-policy')).toBe(policy);
    process.kill('SIGTERM');
    expect((await outcome).code).toBe(0);
  });

  it('with --json prints its address in one line for machines', async () => {
    const { outcome, process } = await serving(['--json']);
    process.kill('SIGINT');
    const { code, stdout } = await outcome;
    expect(code).toBe(0);
    const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:[0-9]+$/);
    expect(JSON.parse(stdout)).toEqual({ address, writing: false });
  });

  it('reports its failures on stderr, not on stdout', async () => {
    const damaged = temporaryFolder();
    writeFileSync(join(damaged, 'manifest.json'), 'damaged');
    const { address, outcome, process } = await serving(['--out', damaged]);
    expect((await fetch(`${address}/api/movies`)).status).toBe(503);
    process.kill('SIGTERM');
    const { code, stdout, stderr } = await outcome;
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/manifest\.json/);
  });

  it('logs to stderr what --log-level asks for, a JSON line each', async () => {
    const { address, outcome, process } = await serving(['--log-level', 'info']);
    await (await fetch(`${address}/api/ceremonies/1?x`)).text();
    process.kill('SIGTERM');
    const { code, stdout, stderr } = await outcome;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^serving [^\n]*\n$/);
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'info', msg: 'serving', address }),
      expect.objectContaining({ level: 'info', msg: 'request', path: '/api/ceremonies/1', status: 200 }),
      expect.objectContaining({ level: 'info', msg: 'stopping' }),
    ]);
  });

  it.each(['--metrics', 'AWARDS_METRICS'])(
    'serves metrics on an address of their own with %s, and by default not',
    async (setting) => {
      const port = String(await freePort());
      const metrics = `http://127.0.0.1:${port}/metrics`;
      const { address, outcome, process } =
        setting === '--metrics'
          ? await serving(['--json', setting, `127.0.0.1:${port}`])
          : await serving(['--json'], { [setting]: port });
      expect((await fetch(`${address}/metrics`)).status).toBe(404);
      expect(await (await fetch(metrics)).text()).toContain('\nawards_ready 1\n');
      process.kill('SIGTERM');
      const { code, stdout } = await outcome;
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ address, writing: false, metrics });
    },
  );

  it('ends if the port of the metrics is taken', async () => {
    const { port, stop } = await listen(createServer());
    child = startAwards(['serve', '--out', out, '--port', '0', '--metrics', String(port)]);
    const { code, stderr } = await outcomeOf(child);
    await stop();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /cannot listen on 127\.0\.0\.1 port \d+: it is in use; choose another with --metrics\n$/,
    );
  });
});
