/** Connections that do nothing, or read slowly, take nothing from others. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { startWritingService } from './writing-service.ts';
import { openSocket, readReplies, readToEnd } from './raw-connection.ts';
import { useService } from './running-service.ts';

const running = useService({}, fillWithNastyRecord, ['pages', 'site']);
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

const get = (target: string, lines = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
const last = get('/api/ceremonies/1', 'Connection: close\r\n');

it('many idle connections of one client cut off neither a long download nor a PATCH that waits', async () => {
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const service = await startWritingService([], {
    adapt: (writing) => ({
      ...writing,
      async write(...call) {
        await released;
        return writing.write(...call);
      },
    }),
  });
  // More than the buffers of both ends hold.
  const size = 40_000_000;
  mkdirSync(join(service.out, 'assets'));
  writeFileSync(join(service.out, 'assets/large.bin'), Buffer.alloc(size, 'x'));
  const download = await openSocket(service.port);
  download.pause().write(get('/assets/large.bin', 'Connection: close\r\n'));
  const patch = service.write('PATCH', '/api/movies/1', { tagline: 'saved' });
  await pause(200);
  for (let at = 0; at < 1100; at += 1) {
    const socket = await openSocket(service.port);
    sockets.push(socket.on('error', () => {}).resume());
  }
  release!();
  expect((await patch).status).toBe(200);
  const received = readToEnd(download, 30_000);
  download.resume();
  expect((await received).length).toBeGreaterThan(size);
  await service.stop();
});

it('pipelined requests are all answered, whole and in order, for a client that reads late and slowly', async () => {
  const { service } = running;
  const targets = ['/api/nominations?limit=100', '/api/ceremonies', '/api/search?q=fi', '/api/movies'];
  const alone = await Promise.all(targets.map((target) => service.ask(target)));
  const socket = await openSocket(service.port);
  const sent = targets.map((target) => get(target)).join('');
  socket.write(sent.repeat(50) + last);
  const received = readToEnd(socket, 30_000);
  const timer = setInterval(() => (socket.isPaused() ? socket.resume() : socket.pause()), 5);
  const replies = readReplies(await received);
  clearInterval(timer);
  expect(replies).toHaveLength(201);
  for (const [at, { body }] of replies.slice(0, -1).entries())
    expect(body).toBe(alone[at % targets.length]!.body.toString());
  expect(service.failures).toEqual([]);
});

it('a client that goes while its answer is compressed is no error, and ends nothing', async () => {
  const { service } = running;
  const failures: unknown[] = [];
  const fail = (error: unknown) => failures.push(error);
  process.on('unhandledRejection', fail);
  const waits = [0, 1, 2, 3, 5, 8, 12];
  for (const [at, wait] of [...waits, ...waits, ...waits].entries())
    for (const page of ['/search', '/nominations', '/api/search', '/no-such-page']) {
      const socket = await openSocket(service.port);
      socket.on('error', () => {}).resume();
      socket.write(get(`${page}?q=fi&page=${at}`, 'Accept: text/html\r\nAccept-Encoding: br\r\n'));
      await pause(wait);
      socket.destroy();
    }
  await pause(100);
  process.off('unhandledRejection', fail);
  expect([...failures, ...service.failures]).toEqual([]);
});
