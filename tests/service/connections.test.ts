/** How many connections and unanswered requests a client can have, and that no connection holds up another one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  maxConnections,
  maxConnectionsPerClient,
  maxRefusalsPerConnection,
  maxUnsentBytes,
} from '../../api/contract/limits.ts';
import { createService, type ServeOptions } from '../../api/serve/server.ts';
import { listen } from '../support/loopback.ts';
import { exchange, expectLastRefusal, openSocket, readReplies, readToEnd } from './raw-connection.ts';
import { builtFolder, type RunningService, startService } from './running-service.ts';

let out: string;
beforeAll(async () => {
  ({ out } = await builtFolder());
});
let service: RunningService;
const sockets: Socket[] = [];
const start = async (options: Partial<ServeOptions> = {}) => {
  service = await startService(out, { readLimit: 100_000, ...options });
};
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  return service.stop();
});

const get = (target: string, lines = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
const last = get('/api/ceremonies/1', 'Connection: close\r\n');

/** Opens connections one after the other. */
async function open(count: number): Promise<Socket[]> {
  const opened: Socket[] = [];
  for (let at = 0; at < count; at += 1) {
    const socket = await openSocket(service.port);
    socket.on('error', () => {}).resume();
    opened.push(socket);
  }
  sockets.push(...opened);
  return opened;
}

/** Sends a request and waits for the first bytes of the answer. */
const use = (socket: Socket) =>
  new Promise((resolve) => {
    socket.once('data', resolve);
    socket.write(get('/api/ceremonies/1'));
  });

const isClosed = (socket: Socket) => socket.readableEnded || socket.destroyed;
async function expectClosed(closed: readonly Socket[], others: readonly Socket[]): Promise<void> {
  for (let waits = 0; waits < 200 && !closed.every(isClosed); waits += 1) await pause(10);
  expect(closed.every(isClosed)).toBe(true);
  expect(others.filter(isClosed)).toEqual([]);
}

describe('one more connection than allowed closes the one whose last request is oldest:', () => {
  it('of one client', async () => {
    await start();
    const opened = await open(maxConnectionsPerClient);
    await use(opened[0]!);
    opened.push(...(await open(3)));
    await expectClosed(opened.slice(1, 4), [opened[0]!, ...opened.slice(4)]);
    expect(await service.connections()).toBe(maxConnectionsPerClient);
    // The counters go down with the connections.
    for (const socket of opened.splice(0)) socket.destroy();
    for (let waits = 0; waits < 200 && (await service.connections()) > 0; waits += 1) await pause(10);
    await expectClosed([], await open(maxConnectionsPerClient));
  });

  it.each([
    ['all clients', { readLimit: 0 }],
    ['a listed proxy', { proxies: ['127.0.0.0/8'] }],
  ])('of %s', async (_name, options) => {
    await start(options);
    const opened = await open(maxConnections);
    await use(opened[0]!);
    opened.push(...(await open(2)));
    await expectClosed(opened.slice(1, 3), [opened[0]!, ...opened.slice(3)]);
    expect(await service.connections()).toBe(maxConnections);
    // Clients that do not read make room as well.
    for (const socket of opened) socket.pause().write(get('/api/nominations?limit=100'));
    expect((await service.ask('/api/ceremonies/1')).status).toBe(200);
  });
});

it('answers that clients do not take are bounded: the connections whose last request is oldest are closed', async () => {
  const size = 1_900_000;
  mkdirSync(join(out, 'assets'));
  writeFileSync(join(out, 'assets/large.txt'), Buffer.alloc(size, 'x'));
  // The system takes megabytes from a TCP connection to this machine, but only some 200 KB from a Unix socket.
  const path = join(out, '..', 'service.sock');
  await start();
  const server = createService({ out, readLimit: 0, proxies: [], onError: () => {} });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const opened: Socket[] = [];
  for (let at = 0; at < 60; at += 1) {
    const socket = connect(path);
    opened.push(socket.on('error', () => {}).pause());
    await new Promise<void>((resolve) => socket.write(get('/assets/large.txt'), () => resolve()));
    await pause(5);
  }
  for (const socket of opened) socket.resume();
  // The others get the whole answer.
  const most = Math.ceil(maxUnsentBytes / (size - 500_000));
  const isOpen = (socket: Socket) => !socket.readableEnded && !socket.destroyed;
  for (let waits = 0; waits < 200 && opened.filter(isOpen).length > most; waits += 1) await pause(10);
  const left = opened.filter(isOpen);
  expect(left.length).toBeLessThanOrEqual(most);
  expect(left.length).toBeGreaterThan(maxUnsentBytes / size - 2);
  expect(left).toEqual(opened.slice(-left.length));
  for (const socket of opened) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('pipelined requests', () => {
  it('are read a few at a time, and all are answered in the end', async () => {
    await start();
    let unanswered = 0;
    let most = 0;
    let read = 0;
    // The answers of the service, seen from inside.
    const server = createService({ out, readLimit: 0, proxies: [], onError: () => {} });
    server.prependListener('request', (_request, response) => {
      read += 1;
      unanswered += 1;
      most = Math.max(most, unanswered);
      response.once('close', () => {
        unanswered -= 1;
      });
    });
    const { port, stop } = await listen(server);
    for (const target of ['/api/ceremonies/1', '/', '/api/nominations?limit=100', `/${'x'.repeat(300)}`]) {
      read = most = 0;
      const sent = get(target).repeat(400) + last;
      const replies = readReplies(await exchange(port, sent, 30_000));
      expect(replies).toHaveLength(401);
      expect(new Set(replies.slice(0, -1).map(({ body }) => body)).size).toBe(1);
      expect(read).toBe(401);
      expect(most).toBeLessThanOrEqual(16);
    }
    await stop();
  });

  it('are all answered, whole and in order, for a client that reads late and slowly', async () => {
    await start();
    const targets = ['/api/nominations?limit=100', '/api/ceremonies', '/api/search?q=a', '/api/movies'];
    const alone = await Promise.all(targets.map((target) => service.ask(target)));
    const socket = await openSocket(service.port);
    socket.write(
      targets
        .map((target) => get(target))
        .join('')
        .repeat(200) + last,
    );
    await pause(100);
    const received = readToEnd(socket, 30_000);
    const timer = setInterval(() => (socket.isPaused() ? socket.resume() : socket.pause()), 5);
    const replies = readReplies(await received);
    clearInterval(timer);
    expect(replies).toHaveLength(801);
    for (const [at, { body }] of replies.slice(0, -1).entries())
      expect(body).toBe(alone[at % targets.length]!.body.toString());
    expect(service.failures).toEqual([]);
  });

  it('on many connections hold up another client for a moment only', async () => {
    await start({ readLimit: 10, proxies: ['127.0.0.0/8'] });
    const flood = Buffer.from(get('/api/ceremonies/1', 'X-Forwarded-For: 198.51.100.1\r\n').repeat(800));
    const opened = await open(100);
    for (const socket of opened) socket.write(flood);
    let answers = 0;
    for (const socket of opened) socket.on('data', (bytes: Buffer) => (answers += bytes.length));
    // 80,000 requests arrived before this one. If they were answered first, these bytes would be there.
    const headers = { 'X-Forwarded-For': '198.51.100.2' };
    expect((await service.ask('/api/ceremonies/1', { headers })).status).toBe(200);
    expect(answers).toBeLessThan(80_000 * 100);
  });
});

describe('answers 429 in a row', () => {
  const port = () => service.port;
  it('close the connection', async () => {
    await start({ readLimit: 3 });
    const replies = readReplies(await exchange(port(), get('/api/ceremonies/1').repeat(500)));
    expect(replies.map(({ status }) => status)).toEqual([
      ...Array(3).fill(200),
      ...Array(maxRefusalsPerConnection + 1).fill(429),
    ]);
    expectLastRefusal(replies.at(-1), 429);
    for (const { headers } of replies.slice(0, -1)) expect(headers.get('connection')).toBe('keep-alive');
  });

  it('with another answer between them, or on the connection of a proxy, do not', async () => {
    const rounds = maxRefusalsPerConnection + 5;
    await start({ readLimit: 1 });
    const mixed = get('/api/ceremonies/1') + get('/docs.txt').replace('GET', 'OPTIONS');
    expect(readReplies(await exchange(port(), mixed.repeat(rounds) + last))).toHaveLength(2 * rounds + 1);
    await service.stop();
    await start({ readLimit: 1, proxies: ['127.0.0.1'] });
    const refused = get('/api/ceremonies/1', 'X-Forwarded-For: 198.51.100.7\r\n');
    const replies = readReplies(await exchange(port(), refused.repeat(rounds) + last));
    expect(replies.map(({ status }) => status)).toEqual([200, ...Array(rounds - 1).fill(429), 200]);
  });
});
