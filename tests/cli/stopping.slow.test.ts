/** The promise: a service that is told to stop loses no request whose bytes were sent before it announced the close. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { project } from '../support/project.ts';
import { addressOf, outcomeOf, startAwards } from '../support/processes.ts';
import { seeded } from '../support/seed.ts';

let child: ChildProcess | undefined;
let npm: ChildProcess | undefined;
afterEach(() => {
  // Still alive only where a test failed.
  child?.kill('SIGKILL');
  if (npm && isGroupAlive(npm)) process.kill(-npm.pid!, 'SIGKILL');
  npm = undefined;
  child = undefined;
});

/** Whether a process, the leader of its group, or any that it started is alive. */
function isGroupAlive({ pid }: ChildProcess): boolean {
  try {
    return process.kill(-pid!, 0);
  } catch {
    return false;
  }
}

/** The words of `serve` over a copy of the sample: with a database, it also writes. */
function serveWords(withDatabase: boolean): string[] {
  const folder = temporaryFolder();
  const { db, out } = inject('sample');
  const own = { db: join(folder, 'awards.db'), out: withDatabase ? join(folder, 'dist') : out };
  if (withDatabase) {
    cpSync(db, own.db);
    cpSync(out, own.out, { recursive: true });
  }
  return ['serve', '--db', own.db, '--out', own.out, '--port', '0'];
}

async function serving(withDatabase = false) {
  child = startAwards(serveWords(withDatabase), settings);
  const outcome = outcomeOf(child);
  return { port: Number(new URL(await addressOf(child)).port), outcome, process: child };
}

const key = 'a-key-for-stopping-tests';
const settings = { AWARDS_RATE_LIMIT: '0', AWARDS_WRITE_RATE_LIMIT: '0', AWARDS_API_KEY: key };

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

/** The text that arrives until the connection is closed. Rejects if it is reset. */
function everythingFrom(socket: Socket): Promise<string> {
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject).once('close', () => resolve(received));
  });
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

interface Conversation {
  answered: number;
  /** Whether an answer announced the close. */
  announced: boolean;
  /** Status lines other than 200, and requests without an answer. */
  failures: string[];
}

/** Sends one request after the other on one connection, with pauses, until the close is announced. */
function converse(socket: Socket, next: () => string, pauseMs: () => number): Promise<Conversation> {
  const talk: Conversation = { answered: 0, announced: false, failures: [] };
  let [received, isWaiting] = ['', false];
  const send = () => {
    if (socket.destroyed || !socket.writable || socket.readableEnded) return;
    isWaiting = true;
    socket.write(next());
  };
  const lost = (how: string) => {
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
    if (/^connection: close/im.test(answer)) talk.announced = true;
    else setTimeout(send, pauseMs());
  });
  socket.on('error', (error) => lost(error.message));
  socket.on('end', () => lost('closed'));
  send();
  return new Promise((resolve) => socket.once('close', () => resolve(talk)));
}

it('answers every request of hundreds of busy and idle connections, and announces the close', async () => {
  const { port, outcome, process } = await serving(true);
  const choices = seeded('stopping');
  const targets = [
    '/api/movies/7',
    '/api/search?q=best',
    '/',
    '/api/nominations?limit=100',
    '/api/movies?title=a',
  ];
  const sockets = await Promise.all(Array.from({ length: 300 }, () => socketTo(port)));
  const conversations = sockets.map((socket, at) => {
    const next = () => (at % 10 === 0 ? write((at % 50) + 1) : request(choices.pick(targets)));
    // Some pause for longer than the service waits for a request.
    const longest = at % 30 === 7 ? 60_000 : at % 3 === 0 ? 400 : 20;
    return converse(socket, next, () => choices.between(longest > 400 ? 30_000 : 0, longest));
  });
  await pause(1000);
  process.kill('SIGTERM');
  expect(await outcome).toMatchObject({ code: 0, stderr: '' });
  const talks = await Promise.all(conversations);
  expect(talks.flatMap(({ failures }) => failures)).toEqual([]);
  expect(talks.every(({ answered }) => answered > 0)).toBe(true);
  // A busy connection always gets a last answer; one with pauses may be closed without a request.
  expect(talks.filter(({ announced }, at) => !announced && at % 3 !== 0 && at % 30 !== 7)).toEqual([]);
});

describe('a service that npm started ends without losing a request', () => {
  it.each([
    ['npm alone', (pid: number) => process.kill(pid, 'SIGTERM')],
    ['the whole group, as a terminal does', (pid: number) => process.kill(-pid, 'SIGINT')],
  ])('when the signal goes to %s', async (_name, signal) => {
    const words = ['run', '-s', 'awards', '--', ...serveWords(true)];
    npm = spawn('npm', words, {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own.
      detached: true,
    });
    const outcome = outcomeOf(npm);
    const port = Number(new URL(await addressOf(npm)).port);
    const sockets = await Promise.all(Array.from({ length: 40 }, () => socketTo(port)));
    const conversations = sockets.map((socket, at) =>
      converse(
        socket,
        () => (at % 4 === 0 ? write(at + 1) : request('/api/nominations?limit=100')),
        () => 0,
      ),
    );
    await pause(500);
    signal(npm.pid!);
    const talks = await Promise.all(conversations);
    expect(talks.flatMap(({ failures }) => failures)).toEqual([]);
    expect(talks.every(({ announced }) => announced)).toBe(true);
    await untilRefused(port);
    expect((await outcome).stderr).toBe('');
    while (isGroupAlive(npm)) await pause(20);
  });
});

it('answers a request on a connection that was idle, and closes it after the answer', async () => {
  const { port, outcome, process } = await serving();
  const idle = await socketTo(port);
  process.kill('SIGTERM');
  await untilRefused(port);
  const received = everythingFrom(idle);
  idle.write(request('/api/movies/1'));
  expect(await received).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*^connection: close/im);
  expect((await outcome).code).toBe(0);
});

it('tells monitors first that it is not ready', async () => {
  const { port, outcome, process } = await serving();
  const [monitor, other] = await Promise.all([socketTo(port), socketTo(port)]);
  process.kill('SIGTERM');
  await untilRefused(port);
  const received = Promise.all([monitor, other].map(everythingFrom));
  monitor.write(request('/readyz'));
  other.write(request('/healthz'));
  const [readiness, health] = await received;
  expect(readiness).toMatch(/^HTTP\/1\.1 503 [\s\S]*"status":"stopping"/);
  expect(health).toMatch(/^HTTP\/1\.1 200 /);
  expect((await outcome).code).toBe(0);
});

it('waits for the rest of a request that has begun', async () => {
  const { port, outcome, process } = await serving();
  const socket = await socketTo(port);
  process.kill('SIGTERM');
  const answer = everythingFrom(socket);
  for (const part of ['GET /api/mov', 'ies/1 HTTP/1.1\r\n', 'Host: a\r\n', '\r\n']) {
    await pause(300);
    socket.write(part);
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK/);
  expect((await outcome).code).toBe(0);
});

it('ends at once at a second signal, which is not the first one sent twice', async () => {
  const { port, outcome, process } = await serving();
  const socket = await socketTo(port);
  socket.on('error', () => {}).pause();
  // Answers that are never read.
  socket.write(request('/api/nominations?limit=100').repeat(400));
  await pause(500);
  process.kill('SIGTERM');
  await untilRefused(port);
  process.kill('SIGTERM');
  process.kill('SIGINT');
  await pause(2500);
  expect([process.exitCode, process.signalCode]).toEqual([null, null]);
  process.kill('SIGTERM');
  expect(await outcome).toMatchObject({ code: null, signal: 'SIGTERM' });
});

it('finishes the answers it sends, accepts no new connection, and ends with exit code 0', async () => {
  const { port, outcome, process } = await serving();
  const socket = await socketTo(port);
  // Nothing is read yet, and the answers are more than the buffers of both ends hold.
  const requests = 400;
  socket.pause();
  socket.write(request('/api/nominations?limit=100').repeat(requests));
  await pause(500);
  process.kill('SIGTERM');
  await untilRefused(port);
  expect(process.exitCode).toBeNull();
  const received = everythingFrom(socket);
  socket.resume();
  expect(await outcome).toMatchObject({ code: 0, stderr: '' });
  const answers = (await received).split(/(?=HTTP\/1\.1 200 OK\r\n)/);
  expect(answers).toHaveLength(requests);
  for (const answer of answers) expect(responseLength(answer)).toBe(answer.length);
});

it('does not wait for a client that keeps sending requests on its connection', async () => {
  const { port, outcome, process } = await serving();
  const socket = await socketTo(port);
  socket.on('error', () => {});
  const another = request('/api/ceremonies?limit=1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    socket.write(another);
  });
  socket.write(another);
  while ((received.match(/^HTTP\/1\.1 200 OK/gm) ?? []).length < 2) await pause(10);
  process.kill('SIGTERM');
  expect((await outcome).code).toBe(0);
});
