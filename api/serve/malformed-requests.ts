/** Answers what never became a request: bytes that are no HTTP, headers too long or too slow, and CONNECT. */
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { readMethods } from '../contract/routes.ts';
import { type Answer, problemAnswer } from '../read/answer.ts';

/** Milliseconds a client gets to read its refusal before the connection is cut. */
const linger = 1000;

/** Answers each with a problem document and closes its connection, after the requests before it were answered. */
export function rejectMalformedRequests(server: Server): void {
  /** The last answer due on a connection, the last at all, and the one due before an answer. */
  const pending = new WeakMap<Duplex, ServerResponse>();
  const latest = new WeakMap<Duplex, ServerResponse>();
  const previous = new WeakMap<ServerResponse, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.on('request', ({ socket }, response) => {
    const before = pending.get(socket);
    if (before) previous.set(response, before);
    pending.set(socket, response);
    latest.set(socket, response);
    response.once('close', () => {
      if (pending.get(socket) === response) pending.delete(socket);
      previous.delete(response);
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Whatever else arrives on a refused connection is no request either.
    if (refused.has(socket)) return;
    refused.add(socket);
    // A request may be answered before all of it is here; that the rest never comes gets no second answer.
    const early = latest.get(socket);
    const isAnswered = early?.req.complete === false && early.headersSent;
    const answer = isAnswered ? undefined : answerTo(error.code);
    const last = pending.get(socket);
    // To the very request that broke off, its body not yet here, this is the answer.
    const brokenOff = last?.req.complete === false && !last.headersSent;
    const before = brokenOff ? previous.get(last) : last;
    if (before?.closed === false) before.once('close', () => hangUp(socket, answer));
    else hangUp(socket, answer);
  });
  server.on('connect', (_request, socket) =>
    hangUp(
      socket,
      problemAnswer('method-not-allowed', 'CONNECT is not allowed here', { Allow: readMethods.join(', ') }),
    ),
  );
}

/** The answer to what the HTTP parser could not read; undefined where there is nobody left to answer. */
function answerTo(code = ''): (Answer & { body: Uint8Array }) | undefined {
  if (code === 'HPE_HEADER_OVERFLOW')
    return problemAnswer(
      'headers-too-large',
      'the request line and headers are longer than this server reads',
    );
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return problemAnswer('request-timeout', 'the request did not arrive in time');
  if (code === 'HPE_INVALID_URL')
    return problemAnswer('malformed-request', 'the address has characters that must be percent-encoded');
  if (code.startsWith('HPE_'))
    return problemAnswer('malformed-request', 'the request is not well-formed HTTP/1.1');
  return undefined;
}

/** Sends a last answer and closes the connection, even if the client keeps its side of it open. */
function hangUp(socket: Duplex, answer: (Answer & { body: Uint8Array }) | undefined): void {
  socket.on('error', () => {}); // The client went away: there is nothing more to say to it.
  if (answer === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = answer;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}Connection: close\r\n\r\n`);
  socket.end(body);
  // Read on for a while: closed with something unread, the connection is reset, and the answer lost.
  socket.resume();
  setTimeout(() => socket.destroy(), linger).unref();
}
