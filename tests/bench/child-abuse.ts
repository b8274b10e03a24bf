/** Clients that abuse a service, in a process of their own: the reader of the bench shares no event loop with them. */
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { childInput, endWithInput, report } from './child.ts';

export type Abuse = { origin: string; connections: number } & (
  | { kind: 'pipelined'; bytes: number }
  | { kind: 'slow' }
  | { kind: 'distinct'; requests: number }
);

const networks = 65_536;
/** Milliseconds without an answer after which a connection counts as over. */
const silenceMs = 10_000;

const abuse = childInput<Abuse>();
const { hostname, port } = new URL(abuse.origin);
let sent = 0;

/** The next request: another address, from the next /64 network. */
function nextRequest(): string {
  const at = sent;
  sent += 1;
  const targets = [
    `/api/movies?title=zz${at.toString(36)}`,
    `/api/nominations?ids=${(at % 16_000) + 1}&limit=${at}`,
    `/api/search?q=a${at.toString(36)}`,
    `/api/nominees?ids=${(at % 7000) + 1},${at + 10_000}`,
    `/api/unknown/${at}`,
  ];
  return requestTo(targets[at % targets.length]!, at);
}

function requestTo(target: string, client: number): string {
  const network = `2001:db8:${((client % networks) >> 8).toString(16)}:${(client & 255).toString(16)}`;
  return `GET ${target} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${network}::1\r\n\r\n`;
}

function openSocket(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends one request after another. Opens a new connection if the service closes one. */
async function sendDistinct(requests: number): Promise<void> {
  while (sent < requests) {
    const socket = await openSocket();
    await new Promise<void>((resolve) => {
      let rest = 0;
      socket.on('close', resolve).on('error', () => {});
      socket.on('data', (bytes: Buffer) => {
        const text = rest > 0 ? '' : bytes.toString('latin1');
        rest = rest > 0 ? rest - bytes.length : remaining(text);
        if (rest > 0) return;
        if (sent < requests) socket.write(nextRequest());
        else socket.end();
      });
      socket.write(nextRequest());
    });
  }
}

/** Bytes that are missing after the first bytes of an answer. */
function remaining(text: string): number {
  const end = text.indexOf('\r\n\r\n') + 4;
  return end + Number(/^content-length: (\d+)/im.exec(text)?.[1]) - text.length;
}

/** Sends many requests at once, and reads until the service is done with them. */
async function sendPipelined(bytes: number): Promise<void> {
  const parts: string[] = [];
  for (let length = 0; length < bytes; length += parts.at(-1)!.length) parts.push(nextRequest());
  const socket = await openSocket();
  await new Promise<void>((resolve) => {
    socket.setTimeout(silenceMs, () => socket.destroy());
    socket
      .on('close', resolve)
      .on('error', () => {})
      .resume();
    socket.write(parts.join(''));
    socket.write(requestTo('/api/ceremonies/1', sent).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  });
}

/** Asks for a long page of a list and never reads it. */
async function readNothing(at: number): Promise<void> {
  const socket = await openSocket().catch(() => undefined);
  socket?.on('error', () => {}).pause();
  socket?.write(requestTo(`/api/nominations?limit=100&page=${(at % 160) + 1}`, at));
}

setPriority(10);
const each = Array.from({ length: abuse.connections }, (_, at) => at);
if (abuse.kind === 'slow') {
  for (let at = 0; at < each.length; at += 100)
    await Promise.all(each.slice(at, at + 100).map((own) => readNothing(own)));
  await pause(3000);
  endWithInput();
} else {
  const { kind } = abuse;
  const share = kind === 'pipelined' ? abuse.bytes / abuse.connections : abuse.requests;
  await Promise.all(each.map(() => (kind === 'pipelined' ? sendPipelined(share) : sendDistinct(share))));
}
report({ sent });
