/** Pipelined requests are answered as if each had waited for the one before. Clients that disconnect do no harm. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import {
  expectLastRefusal,
  openSocket,
  type RawReply,
  readReplies,
  readToEnd,
} from '../service/raw-connection.ts';
import { smallestBody } from './random-bodies.ts';
import { chunked, expectAlive, lastRead, type RawWrite, rawWrite, repliesTo } from './raw-writes.ts';
import { expectShown, useWritingService } from './writing-service.ts';

const running = useWritingService({ timeouts: { headers: 250, request: 400 } });
afterEach(() => expectAlive(running.service));

const write = (it?: RawWrite) => rawWrite(running.service.key, it);
const read = (target: string) => Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
const runtime = (minutes: number, it: RawWrite = {}) => write({ body: `{"runtime":${minutes}}`, ...it });
const shown = (reply: RawReply | undefined) => (JSON.parse(reply!.body) as { runtime: unknown }).runtime;

describe('pipelined requests', () => {
  it('are answered in order, each after the writes before it', async () => {
    const sent = [1, 2, 3, 4, 5].flatMap((minutes) => [
      runtime(1000 + minutes),
      read('/api/movies/27'),
      read('/api/movies?ids=27'),
      write({ body: '{"nonsense":1}' }),
      write({ lines: { 'x-api-key': '' } }),
      read('/api/search?q=am'),
    ]);
    const replies = await repliesTo(running.service, ...sent, lastRead);
    expect(replies.map(({ status }) => status)).toEqual([
      ...Array(5).fill([200, 200, 200, 422, 401, 200]).flat(),
      200,
    ]);
    for (const [at, reply] of replies.slice(0, 30).entries()) {
      const minutes = 1001 + Math.floor(at / 6);
      if (at % 6 < 2) expect(shown(reply)).toBe(minutes);
      if (at % 6 === 2) expect(JSON.parse(reply.body)).toMatchObject({ data: [{ runtime: minutes }] });
    }
    await expectShown(running.service, '/api/movies/27');
  });

  it('may depend on each other: a new record, a change of it, a reference to it', async () => {
    const post = (path: string, body: object) => write({ start: `POST ${path}`, body: JSON.stringify(body) });
    const film = post('/api/movies', { id: 7001, title: 'One' });
    const nomination = { id: 7001, ...smallestBody.nominations, movie_id: 7001 };
    const replies = await repliesTo(
      running.service,
      film,
      write({ start: 'PATCH /api/movies/7001', body: '{"title":"Two"}' }),
      read('/api/movies/7001'),
      film,
      post('/api/nominations', nomination),
      read('/api/movies/7001'),
      lastRead,
    );
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 200, 409, 201, 200, 200]);
    expect(JSON.parse(replies[2]!.body)).toMatchObject({ title: 'Two', nominations: [] });
    expect(JSON.parse(replies[5]!.body)).toMatchObject({ nominations: [{ id: 7001, movie: 'Two' }] });
  });

  it('before a malformed request are answered first, and none of them is answered by its refusal', async () => {
    const brokenChunk = { 'Transfer-Encoding': 'chunked' };
    for (const [end, status] of [
      [write({ lines: brokenChunk, body: 'zz\r\n' }), 400],
      [write({ lines: { ...brokenChunk, 'x-api-key': '' }, body: 'zz\r\n' }), 400],
      [write({ lines: { 'Content-Length': '9' } }), 408],
      [write({ lines: { 'X-Note': 'x'.repeat(20_000) } }), 431],
      ['???\r\n\r\n', 400],
    ] as const)
      for (const first of [
        [runtime(1)],
        [runtime(2, { lines: { Expect: 'wonders' } })],
        [read('/api/search?q=am'), read('/api/stats/top-nominees')],
        [read('/api/movies'), runtime(3), read('/api/movies')],
      ]) {
        const replies = await repliesTo(running.service, ...first, end);
        expect(replies.map((reply) => reply.status)).toEqual([...first.map(() => 200), status]);
        expectLastRefusal(replies.at(-1), status);
      }
  });

  it('do not delay other connections', async () => {
    let isOver = false;
    const many = repliesTo(
      running.service,
      ...Array.from({ length: 40 }, (_, at) => runtime(at + 1)),
      lastRead,
    ).finally(() => {
      isOver = true;
    });
    await expectAlive(running.service);
    expect(isOver).toBe(false);
    expect((await many).map(({ status }) => status)).toEqual(Array(41).fill(200));
  });

  it('are carried out in order on many connections at once', async () => {
    const connections = Array.from({ length: 8 }, (_, own) =>
      repliesTo(
        running.service,
        ...Array.from({ length: 4 }, (_it, at) => [
          write({ start: `PATCH /api/nominees/${[1, 2, 3][own % 3]}`, body: `{"biography":"${own}.${at}"}` }),
          read('/api/nominees/1'),
        ]).flat(),
        lastRead,
      ),
    );
    for (const replies of await Promise.all(connections)) {
      expect(replies.map(({ status }) => status)).toEqual(Array(9).fill(200));
      const snapshots = replies.flatMap(({ headers }) => headers.get('snapshot') ?? []);
      expect(snapshots).toHaveLength(4);
    }
    await expectShown(running.service, '/api/nominees', ...[1, 2, 3].map((id) => `/api/nominees/${id}`));
  });
});

describe('a client that disconnects', () => {
  async function cut(sent: Uint8Array, wait: number, how: 'reset' | 'close' = 'reset'): Promise<void> {
    const socket = await openSocket(running.service.port);
    socket.on('error', () => {});
    socket.resume();
    socket.write(sent);
    await pause(wait);
    if (how === 'reset') socket.resetAndDestroy();
    else socket.destroy();
  }

  it('in the middle of a body has written nothing', async () => {
    const receipts = running.service.receipts();
    const body = '{"title":"Never"}';
    for (const how of ['reset', 'close'] as const)
      for (const wait of [0, 5, 20])
        for (const it of [
          { body, lines: { 'Content-Length': '99' } },
          { body: chunked(body, 4, ''), lines: { 'Transfer-Encoding': 'chunked' } },
          { body: '', lines: { 'Content-Length': '99', Expect: '100-continue' } },
          { body, lines: { 'Content-Length': '99999999' } },
        ])
          await cut(write(it), wait, how);
    await pause(50);
    expect(running.service.receipts()).toBe(receipts);
    await expectShown(running.service, '/api/movies/27');
  });

  it('before the answer has written everything or nothing, and what was written is shown', async () => {
    for (let attempt = 0; attempt < 24; attempt += 1)
      await cut(runtime(2000 + attempt), attempt % 8, attempt % 2 ? 'reset' : 'close');
    await cut(Buffer.concat(Array.from({ length: 10 }, (_, at) => runtime(3000 + at))), 3);
    await cut(Buffer.concat([read('/api/movies'), runtime(4000), read('/api/movies'), runtime(4001)]), 0);
    await pause(100);
    await expectAlive(running.service);
    await expectShown(running.service, '/api/movies/27', '/api/movies');
  });

  it('from its side only, after the last request, gets all answers', async () => {
    for (const sent of [
      [runtime(5000)],
      [read('/api/search?q=am')],
      [read('/api/movies'), runtime(5001), runtime(5002)],
    ]) {
      const socket = await openSocket(running.service.port);
      const received = readToEnd(socket);
      socket.end(Buffer.concat(sent));
      expect(readReplies(await received).map(({ status }) => status)).toEqual(sent.map(() => 200));
    }
  });
});
