/** The promise: the service starts with one command, finishes its answers when told to stop, and ends with exit code 0. */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { removeTemporaryFolders, temporaryFolder } from '../service/temporary-folder.ts';
import { addressOf, outcomeOf, startAwards } from '../support/processes.ts';

removeTemporaryFolders();
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

function socketTo(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
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
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^serving .* on http:\/\/127\.0\.0\.1:[0-9]+ /);
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
    const { address, outcome, process } = await serving(['--out', join(temporaryFolder(), 'none')]);
    expect((await fetch(`${address}/api/movies`)).status).toBe(503);
    process.kill('SIGTERM');
    const { code, stdout, stderr } = await outcome;
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/manifest\.json/);
  });
});

describe('told to stop, the service', () => {
  it('finishes the answer it sends, accepts no new connection, and ends with exit code 0', async () => {
    const { port, outcome, process } = await serving([], { AWARDS_RATE_LIMIT: '0' });
    const socket = await socketTo(port);
    // Nothing is read yet, and the answers are more than the buffers of both ends hold.
    const requests = 400;
    socket.pause();
    socket.write('GET /api/nominations?limit=100 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests));
    await pause(500);
    process.kill('SIGTERM');
    await pause(200);
    await expect(socketTo(port)).rejects.toThrow(/ECONNREFUSED/);
    expect(process.exitCode).toBeNull();
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    expect(await outcome).toMatchObject({ code: 0, stderr: '' });
    await ended;
    const answers = received.split(/(?=HTTP\/1\.1 200 OK\r\n)/);
    expect(answers).toHaveLength(requests);
    for (const answer of answers) {
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(body.length, head).toBe(Number(/Content-Length: ([0-9]+)/.exec(head)![1]));
    }
  });

  it('does not wait for idle connections', async () => {
    const { address, port, outcome, process } = await serving();
    await Promise.all([socketTo(port), socketTo(port)]);
    await (await fetch(`${address}/api/ceremonies/1`)).text();
    process.kill('SIGTERM');
    expect((await outcome).code).toBe(0);
  });

  it('does not wait for a client that keeps sending requests on its connection', async () => {
    const { port, outcome, process } = await serving([], { AWARDS_RATE_LIMIT: '0' });
    const socket = await socketTo(port);
    socket.on('error', () => {});
    const request = 'GET /api/ceremonies?limit=1 HTTP/1.1\r\nHost: a\r\n\r\n';
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      socket.write(request);
    });
    socket.write(request);
    while ((received.match(/^HTTP\/1\.1 200 OK/gm) ?? []).length < 2) await pause(10);
    process.kill('SIGTERM');
    expect((await outcome).code).toBe(0);
  });
});
