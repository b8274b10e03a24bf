/** How many unanswered requests a client can have, and that no connection cuts off or holds up another one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { maxRefusalsPerConnection } from '../../api/contract/limits.ts';
import { createService, type ServeOptions } from '../../api/serve/server.ts';
import { listen } from '../support/loopback.ts';
import { exchange, expectLastRefusal, openSocket, readReplies, readToEnd } from './raw-connection.ts';
import { startWritingService } from '../writing/writing-service.ts';
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

describe('many idle connections of one client', () => {
  it('cut off neither a long download nor a PATCH that waits', async () => {
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const editing = await startWritingService([], {
      adapt: (writing) => ({
        ...writing,
        async write(...call) {
          await released;
          return writing.write(...call);
        },
      }),
    });
    service = editing;
    // More than the buffers of both ends hold.
    const size = 40_000_000;
    mkdirSync(join(editing.out, 'assets'));
    writeFileSync(join(editing.out, 'assets/large.bin'), Buffer.alloc(size, 'x'));
    const download = await openSocket(editing.port);
    download.pause().write(get('/assets/large.bin', 'Connection: close\r\n'));
    const patch = editing.write('PATCH', '/api/movies/1', { tagline: 'saved' });
    await pause(200);
    await open(1100);
    release!();
    expect((await patch).status).toBe(200);
    const received = readToEnd(download, 30_000);
    download.resume();
    expect((await received).length).toBeGreaterThan(size);
  });
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
