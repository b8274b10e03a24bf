/** The promise: the service starts with one command, takes its settings, and ends without losing a request. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { sampleNotice } from '../../api/contract/sample.ts';
import { OutputFolder } from '../../build/snapshot/output-folder.ts';
import { recordOf } from '../records/record-text.ts';
import { freePort } from '../support/loopback.ts';
import { addressOf, outcomeOf, startAwards, stdoutOf } from '../support/processes.ts';
import { project } from '../support/project.ts';
import { seeded } from '../records/seed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const key = 'a-key-for-stopping-tests';

let child: ChildProcess | undefined;
afterEach(() => {
  // Still alive only where a test failed. npm leads a group.
  if (child && isAlive(child)) process.kill(child.spawnfile === 'npm' ? -child.pid! : child.pid!, 'SIGKILL');
  child = undefined;
});

/** Whether a process, or the leader of a group, or any process of it, is alive. */
function isAlive({ pid, spawnfile }: ChildProcess): boolean {
  try {
    return process.kill(spawnfile === 'npm' ? -pid! : pid!, 0);
  } catch {
    return false;
  }
}

async function running(started: ChildProcess) {
  child = started;
  const outcome = outcomeOf(started);
  const address = await addressOf(started);
  return { process: started, outcome, address, port: Number(new URL(address).port) };
}

/** Stops a service. @returns its output; fails unless it ends with exit code 0 */
async function stopped(service: Awaited<ReturnType<typeof running>>, signal: NodeJS.Signals = 'SIGTERM') {
  service.process.kill(signal);
  const { code, stdout, stderr } = await service.outcome;
  expect(code).toBe(0);
  return { lines: stdout.trimEnd().split('\n'), stderr };
}

const read = async <Document>(address: string): Promise<Document> =>
  (await (await fetch(address)).json()) as Document;

it('"start" fills an empty folder and says so, replaces the sample by a source, updates another record, and names the keys', async () => {
  const folder = temporaryFolder();
  const own = { AWARDS_DB: join(folder, 'data/awards.db'), AWARDS_DIST: join(folder, 'dist') };
  const start = (...words: string[]) => running(startAwards(['start', ...words, '--port', '0'], own));
  const first = await start();
  const all = await read<{ pagination: { total: number } }>(`${first.address}/api/nominations`);
  expect(all.pagination.total).toBeGreaterThan(1000);
  const { lines, stderr } = await stopped(first);
  expect(stderr).toBe('');
  // The first update is interrupted: no line says that it is done.
  expect(lines).toEqual([
    expect.stringMatching(/^1,[0-9]+ nominations, 98 ceremonies, /),
    sampleNotice,
    'there is no key for writing; "awards keys create NAME" makes one',
    expect.stringMatching(/^serving .* on http:\/\/127\.0\.0\.1:[0-9]+ /),
    ...['site    /', 'API     /api', 'docs    /docs', 'editor  /edit'].map(
      (line) => `  ${line.replace('/', `${first.address}/`)}`,
    ),
  ]);
  await stdoutOf(['keys', 'create', 'alice'], own);
  const source = join(folder, 'record.tsv');
  const films = [
    { id: 1, title: 'One' },
    { id: 2, title: 'Two' },
  ];
  for (const count of [1, 2]) {
    const expected = films.slice(0, count);
    writeFileSync(source, recordOf(...expected.map(({ id, title }) => ({ Film: title, FilmId: `tt${id}` }))));
    const { address, ...service } = await start(source);
    expect((await read<{ data: object[] }>(`${address}/api/movies?fields=id,title`)).data).toEqual(expected);
    expect(await read(`${address}/api`)).not.toHaveProperty('sample');
    const printed = (await stopped({ address, ...service })).lines;
    expect(printed).toContainEqual(expect.stringMatching(/^keys for writing: alice; "awards keys/));
    expect(printed.join()).not.toContain('sample');
  }
  // A source that cannot be read, is malformed, or lacks too much.
  for (const [text, why] of [
    [undefined, /cannot read .*no such file/],
    ['Ceremony\tYear\n1\n', /./],
    [recordOf({ FilmId: 'tt3' }), /--force removes them/],
  ] as const) {
    rmSync(source, { force: true });
    if (text !== undefined) writeFileSync(source, text);
    const service = await start(source);
    expect((await read<{ data: object[] }>(`${service.address}/api/movies?fields=id,title`)).data).toEqual(
      films,
    );
    const said = (await stopped(service, 'SIGHUP')).stderr;
    expect(said).toMatch(why);
    expect(said).toMatch(/^awards: [^\n]+; serving the record that is in [^\n]+awards\.db\n$/);
  }
});

it('a service whose output is closed goes on, and its stop does not wait for lists: the next start makes them', async () => {
  const words = serveWords(true);
  const folder = new OutputFolder(words.at(-1)!);
  const environment = { AWARDS_API_KEY: key };
  const snapshotOf = (layer: 'by-imdb' | 'lists') => folder.layerHead(layer)!.manifest.snapshot;
  const service = await running(startAwards([...words, '--port', '0', '--log-level', 'info'], environment));
  for (const output of [service.process.stdout!, service.process.stderr!]) output.destroy();
  // Each request is a line of the log.
  for (const _ of [1, 2, 3]) expect(await policyAt(service.address)).not.toBeNull();
  let written = '';
  // The update of the start, which has all layers, may take up the first write. Lists wait 20 s for the second.
  for (const time of ['once', 'twice']) {
    const { status } = await fetch(`${service.address}/api/movies/360`, {
      method: 'PATCH',
      headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: `The Shape of Water, restored ${time}` }),
    });
    expect(status).toBe(200);
    written = folder.manifest()!.snapshot;
    await expect.poll(() => snapshotOf('by-imdb'), { timeout: 60_000 }).toBe(written);
  }
  await stopped(service);
  expect(snapshotOf('lists')).not.toBe(written);
  const next = await running(startAwards([...words, '--port', '0'], environment));
  await expect.poll(() => snapshotOf('lists'), { timeout: 60_000 }).toBe(written);
  expect((await stopped(next)).stderr).toBe('');
});

it.skipIf(process.platform !== 'linux')(
  'goes on and ends where what it prints and logs has no room',
  async () => {
    const full = openSync('/dev/full', 'w');
    const port = String(await freePort());
    const words = [inject('cli'), ...serveWords(false), '--port', port, '--log-level', 'info'];
    child = spawn(process.execPath, words, { cwd: project, stdio: ['ignore', full, full] });
    closeSync(full);
    const ended = once(child, 'exit');
    const asked = () => fetch(`http://127.0.0.1:${port}/api`).then(({ ok }) => ok, String);
    await expect.poll(asked, { timeout: 60_000 }).toBe(true);
    // Each of these requests is a line of the log.
    for (const _ of [1, 2, 3]) expect(await asked()).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
);

it('"start" goes on when its pipe is closed before it listens', async () => {
  const folder = temporaryFolder();
  const out = join(folder, 'dist');
  const port = String(await freePort());
  child = startAwards(['start', '--db', join(folder, 'awards.db'), '--out', out, '--port', port]);
  child.stdout!.destroy();
  await expect
    .poll(() => fetch(`http://127.0.0.1:${port}/api`).then(({ ok }) => ok, String), { timeout: 60_000 })
    .toBe(true);
  child.kill('SIGTERM');
  expect(await outcomeOf(child)).toMatchObject({ code: 0, stderr: '' });
});

const policyAt = async (address: string) =>
  (await fetch(`${address}/api/ceremonies/1`)).headers.get('ratelimit-policy');

/** The words of `serve` over the sample: without a database it only reads, with a copy it also writes. */
function serveWords(isWriting: boolean): string[] {
  const folder = temporaryFolder();
  const { db, out } = inject('sample');
  if (!isWriting) return ['serve', '--db', join(folder, 'none.db'), '--out', out];
  cpSync(db, join(folder, 'awards.db'));
  cpSync(out, join(folder, 'dist'), { recursive: true });
  return ['serve', '--db', join(folder, 'awards.db'), '--out', join(folder, 'dist')];
}

describe('"serve"', () => {
  const serving = (words: string[], variables: Record<string, string>) =>
    running(startAwards([...serveWords(false), ...words], variables));
  it('prefers options to the environment; with --json prints one line, and logs to stderr, a line of JSON each', async () => {
    const [port, metrics] = [String(await freePort()), `127.0.0.1:${await freePort()}`];
    const service = await serving(
      ['--port', port, '--host', '127.0.0.1', '--json', '--metrics', metrics, '--log-level', 'info'],
      {
        PORT: '1',
        HOST: '127.0.0.2',
        AWARDS_METRICS: '1',
        AWARDS_LOG_LEVEL: 'silent',
        AWARDS_RATE_LIMIT: '7',
      },
    );
    const { address } = service;
    expect(await policyAt(address)).toBe('"reads";q=7;w=60');
    expect((await fetch(`http://${metrics}/metrics`)).status).toBe(200);
    const { lines, stderr } = await stopped(service, 'SIGINT');
    expect(address).toBe(`http://127.0.0.1:${port}`);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { address, writing: false, metrics: `http://${metrics}/metrics` },
    ]);
    const logged = stderr.trimEnd().split('\n');
    expect(logged.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'info', msg: 'serving', address }),
      expect.objectContaining({ level: 'info', msg: 'request', path: '/api/ceremonies/1', status: 200 }),
      expect.objectContaining({ level: 'info', msg: 'stopping' }),
    ]);
  });
});

it.skipIf(process.platform === 'win32')(
  'a service without a file descriptor left goes on: it says what it could not do, and answers when there are some',
  async () => {
    const words = [inject('cli'), ...serveWords(true), '--port', '0', '--log-level', 'warn'];
    const limited = spawn('sh', ['-c', 'ulimit -n 400; exec "$0" "$@"', process.execPath, ...words], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        TMPDIR: process.env.TMPDIR,
        AWARDS_RATE_LIMIT: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    limited.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const service = await running(limited);
    // What the service accepts, and what waits for it.
    const sockets = Array.from({ length: 500 }, () =>
      connect(service.port, '127.0.0.1').on('error', () => {}),
    );
    // The check of the files opens them.
    while (!log.includes('EMFILE')) await pause(50);
    await pause(1000);
    expect(isAlive(limited)).toBe(true);
    for (const socket of sockets) socket.destroy();
    await pause(500);
    const page = await fetch(`${service.address}/search?q=titanic`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Titanic')]);
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const sent = { method: 'POST', headers, body: JSON.stringify(message) };
    expect((await fetch(`${service.address}/mcp`, sent)).status).toBe(200);
    limited.kill('SIGTERM');
    expect(await service.outcome).toMatchObject({ code: 0, signal: null });
  },
);

const unlimited = { AWARDS_RATE_LIMIT: '0', AWARDS_WRITE_RATE_LIMIT: '0', AWARDS_API_KEY: key };

function socketTo(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Waits until the port is closed. */
async function untilRefused(port: number): Promise<void> {
  for (;;) {
    const socket = await socketTo(port).catch((error: NodeJS.ErrnoException) => error.code);
    if (socket === 'ECONNREFUSED') return;
    if (typeof socket === 'object') socket.on('error', () => {}).destroy();
    await pause(20);
  }
}

/** The length of the response at the start of the text; undefined if it is not complete. */
function responseLength(text: string): number | undefined {
  const end = text.indexOf('\r\n\r\n') + 4;
  const length = end + Number(/^content-length: ([0-9]+)/im.exec(text.slice(0, end))?.[1]);
  return end > 3 && text.length >= length ? length : undefined;
}

const request = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
function write(number: number): string {
  const body = JSON.stringify({ tagline: `edit ${number}` });
  return (
    `PATCH /api/movies/${number} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Sends one request after the other, with pauses, until the close is announced. @returns answers, and what failed */
function converse(socket: Socket, next: () => string, pauseMs: () => number) {
  const talk = { answered: 0, isAnnounced: false, failures: [] as string[] };
  let [received, isWaiting] = ['', false];
  const send = () => {
    if (socket.destroyed || !socket.writable || socket.readableEnded) return;
    isWaiting = true;
    socket.write(next());
  };
  const lose = (how: string) => {
    if (isWaiting) talk.failures.push(`${how} after ${talk.answered} answers`);
    isWaiting = false;
  };
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    const length = responseLength(received);
    if (length === undefined) return;
    const answer = received.slice(0, length);
    received = received.slice(length);
    isWaiting = false;
    talk.answered += 1;
    if (!answer.startsWith('HTTP/1.1 200 ')) talk.failures.push(answer.slice(0, 300));
    if (/^connection: close/im.test(answer)) talk.isAnnounced = true;
    else setTimeout(send, pauseMs());
  });
  socket.on('error', (error) => lose(error.message));
  socket.on('end', () => lose('closed'));
  send();
  return new Promise<typeof talk>((resolve) => socket.once('close', () => resolve(talk)));
}

describe('a signal', () => {
  /** Environment and group of its own, as in a terminal. */
  const startWithNpm = () =>
    spawn('npm', ['run', '-s', 'awards', '--', ...serveWords(true), '--port', '0'], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, ...unlimited },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  const start = (isWriting: boolean) => startAwards([...serveWords(isWriting), '--port', '0'], unlimited);

  it.each<[string, number, () => ChildProcess]>([
    ['to the service', 200, () => start(true)],
    ['to npm alone', 40, startWithNpm],
  ])(
    '%s: every request of %i busy and idle connections is answered, the close is announced',
    async (_, count, started) => {
      const service = await running(started());
      const choices = seeded('stopping');
      const targets = ['/api/movies/7', '/api/search?q=best', '/', '/api/nominations?limit=100'];
      const sockets = await Promise.all(Array.from({ length: count }, () => socketTo(service.port)));
      const conversations = sockets.map((socket, at) => {
        const next = () => (at % 10 === 0 ? write((at % 50) + 1) : request(choices.pick(targets)));
        // Some pause for longer than the service waits for a request.
        const longest = at % 30 === 7 ? 60_000 : at % 3 === 0 ? 400 : 20;
        return converse(socket, next, () => choices.between(longest > 400 ? 30_000 : 0, longest));
      });
      await pause(700);
      service.process.kill('SIGTERM');
      const talks = await Promise.all(conversations);
      expect(talks.flatMap(({ failures }) => failures)).toEqual([]);
      expect(talks.every(({ answered }) => answered > 0)).toBe(true);
      // A busy connection always gets a last answer; one with pauses may be closed without a request.
      expect(talks.filter(({ isAnnounced }, at) => !isAnnounced && at % 3 !== 0 && at % 30 !== 7)).toEqual(
        [],
      );
      await untilRefused(service.port);
      expect((await service.outcome).stderr).toBe('');
      expect([0, null]).toContain(service.process.exitCode);
      while (isAlive(service.process)) await pause(20);
    },
  );

  /** The text that arrives until the connection is closed. Rejects if it is reset. */
  const everythingFrom = async (socket: Socket) => (await buffer(socket)).toString('latin1');
  /** More answers than the buffers of both ends hold. */
  const many = 400;

  it('lets idle connections ask once more, tells monitors, waits for begun requests and unread answers', async () => {
    const service = await running(start(false));
    expect(await policyAt(service.address)).toBeNull();
    expect((await fetch(`${service.address}/metrics`)).status).toBe(404);
    const [idle, monitor, health, slow, full, eager] = await Promise.all(
      Array.from({ length: 6 }, () => socketTo(service.port)),
    );
    full!.pause().write(request('/api/nominations?limit=100').repeat(many));
    // It sends another request after each answer, also after the last one.
    eager!.on('error', () => {}).on('data', () => eager!.write(request('/api/ceremonies?limit=1')));
    eager!.write(request('/api/ceremonies?limit=1'));
    await pause(500);
    service.process.kill('SIGTERM');
    await untilRefused(service.port);
    expect(service.process.exitCode).toBeNull();
    const received = Promise.all([idle!, monitor!, health!, slow!, full!].map(everythingFrom));
    idle!.write(request('/api/movies/1'));
    monitor!.write(request('/readyz'));
    health!.write(request('/healthz'));
    for (const part of ['GET /api/mov', 'ies/1 HTTP/1.1\r\n', 'Host: a\r\n', '\r\n']) {
      slow!.write(part);
      await pause(300);
    }
    const [last, readiness, alive, begun, unread] = await received;
    expect(last).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*^connection: close/im);
    expect(readiness).toMatch(/^HTTP\/1\.1 503 [\s\S]*"status":"stopping"/);
    expect(alive).toMatch(/^HTTP\/1\.1 200 /);
    expect(begun).toMatch(/^HTTP\/1\.1 200 OK/);
    const answers = unread!.split(/(?=HTTP\/1\.1 200 OK\r\n)/);
    expect(answers).toHaveLength(many);
    for (const answer of answers) expect(responseLength(answer)).toBe(answer.length);
    expect(await service.outcome).toMatchObject({ code: 0, stderr: '' });
  });

  it('ends the service at once when it is a second one, which is not the first one sent twice', async () => {
    const service = await running(start(false));
    const socket = await socketTo(service.port);
    // Answers that are never read.
    socket.on('error', () => {}).pause();
    socket.write(request('/api/nominations?limit=100').repeat(many));
    await pause(500);
    service.process.kill('SIGTERM');
    await pause(100);
    service.process.kill('SIGTERM');
    service.process.kill('SIGINT');
    await untilRefused(service.port);
    expect([service.process.exitCode, service.process.signalCode]).toEqual([null, null]);
    // By itself it would end with exit code 0.
    for (; isAlive(service.process); await pause(100)) service.process.kill('SIGTERM');
    expect(await service.outcome).toMatchObject({ code: null, signal: 'SIGTERM' });
  });
});
