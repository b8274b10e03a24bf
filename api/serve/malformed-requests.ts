/** The refusal of bytes that are not a request, and of what the parser of Node accepts but RFC 9112 does not. */
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { matchRoute, methodsOf, readMethods } from '../contract/routes.ts';
import { isApiPath } from '../contract/site.ts';
import { type Answer, methodNotAllowed, nothingThere, problemAnswer } from '../read/answer.ts';
import type { Connections } from './connections.ts';

const malformed = (detail: string): Answer => problemAnswer('malformed-request', detail);
const unsupportedVersion = problemAnswer(
  'http-version-not-supported',
  'the service speaks HTTP/1.1 and HTTP/1.0',
);
const versionMissing = malformed('the request line has no HTTP version');
const hostMissing = malformed('an HTTP/1.1 request needs a Host header');
const hostRepeated = malformed('the request has more than one Host header');
const hostInvalid = malformed('the Host header is not a host with an optional port');
const codingInHTTP10 = malformed('HTTP/1.0 has no Transfer-Encoding');

/** RFC 3986: a bracketed IP address or a registered name, not empty, and a port. */
const host = /^(\[[0-9a-fv:.]+\]|([\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(:[0-9]*)?$/i;

/** The refusal of a request that is not well-formed, undefined for a sound one. The connection must end with it. */
export function requestFault({ httpVersion, headers, rawHeaders }: IncomingMessage): Answer | undefined {
  if (httpVersion === '0.9') return versionMissing;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return unsupportedVersion;
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) return codingInHTTP10;
  if (headers.host === undefined) return httpVersion === '1.1' ? hostMissing : undefined;
  // `headers` has only the first one.
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1) return hostRepeated;
  return host.test(headers.host) ? undefined : hostInvalid;
}

/** Milliseconds that a client has to read a refusal before its connection is destroyed. */
const lingerMs = 1000;

/**
 * Answers with a problem document, after the responses to earlier requests, and closes the connection: bytes that are not
 * HTTP, methods that the parser does not know, headers that are too long, requests that arrive too slowly, and CONNECT.
 */
export function rejectMalformedRequests(server: Server, connections: Connections, isWritable: boolean): void {
  server.on('clientError', (error: ParserError, socket) => {
    const connection = connections.connectionOf(socket);
    // The parser reports an error again at the end of the connection.
    if (connection === undefined || connection.isRefused) return;
    connection.isRefused = true;
    const { open, newest } = connection;
    // A request that was answered before its body was complete gets no second answer.
    const isAnswered = newest?.req.complete === false && newest.headersSent;
    const answer = isAnswered ? undefined : refusalOf(error, isWritable);
    // If the body of the last request broke off, the refusal is its answer.
    const last = open.at(-1);
    const isCutOff = last?.req.complete === false && !last.headersSent;
    const previous = open.at(isCutOff ? -2 : -1);
    if (previous) previous.once('close', () => closeWith(socket, answer));
    else closeWith(socket, answer);
  });
  server.on('connect', (_request, socket) => {
    const connection = connections.connectionOf(socket);
    if (connection) connection.isRefused = true;
    closeWith(socket, connectRefusal);
  });
}

const connectRefusal = methodNotAllowed('CONNECT', readMethods);
const notHTTP = malformed('the request is not well-formed HTTP/1.1, or its method is unknown');
const badURL = malformed('the address must begin with "/", with letters such as é percent-encoded: %C3%A9');
const tooLong = problemAnswer(
  'headers-too-large',
  'the request line and headers are longer than this server reads',
);
const tooSlow = problemAnswer('request-timeout', 'the request did not arrive in time');

/** An error of the HTTP parser has a code with `HPE_`; any other error means that the connection is lost. */
interface ParserError extends NodeJS.ErrnoException {
  /** The bytes that the parser was given last. */
  rawPacket?: Buffer;
  /** The position of the first wrong one. */
  bytesParsed?: number;
}

/** @returns undefined if the connection is lost */
function refusalOf(error: ParserError, isWritable: boolean): Answer | undefined {
  const { code = '' } = error;
  if (code === 'HPE_HEADER_OVERFLOW') return tooLong;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow;
  if (code === 'HPE_INVALID_URL') return badURL;
  if (code === 'HPE_INVALID_VERSION') return hasSupportedVersion(error) ? notHTTP : unsupportedVersion;
  if (code === 'HPE_INVALID_METHOD') return methodRefusal(error, isWritable) ?? notHTTP;
  return code.startsWith('HPE_') ? notHTTP : undefined;
}

/** Whether the parser refuses what follows the version, such as a line feed alone. */
function hasSupportedVersion({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  return / HTTP\/1\.[01]\n?$/.test(rawPacket?.toString('latin1', 0, bytesParsed) ?? '');
}

/** No part can match what another one does, so that any bytes are read once. */
const requestLine = /^([\w!#$%&'*+.^`|~-]+) (\/[^\s?]*)(?:\?\S*)? HTTP\/1\.[01]\r\n/;

/** Headers of a request with a body. Where the body ends is not known here. */
const announcesBody = /^(?:content-length|transfer-encoding):/im;

/** The refusal of an unknown method; undefined if the line with the first wrong byte is not its request line. */
function methodRefusal({ rawPacket, bytesParsed = 0 }: ParserError, isWritable: boolean): Answer | undefined {
  const bytes = rawPacket?.toString('latin1') ?? '';
  // Other requests may be before it.
  const start = bytes.slice(0, bytesParsed).lastIndexOf('\n') + 1;
  if (announcesBody.test(bytes.slice(0, start))) return undefined;
  const [, method, path] = requestLine.exec(bytes.slice(start)) ?? [];
  if (method === undefined || path === undefined || bytesParsed - start > method.length) return undefined;
  const route = matchRoute(path)?.route;
  if (route === undefined && isApiPath(path)) return nothingThere(path);
  return methodNotAllowed(method, route ? methodsOf(route, isWritable) : readMethods);
}

/** Sends a last answer and closes the connection, even if the client keeps its side open. */
function closeWith(socket: Duplex, answer: Answer | undefined): void {
  socket.on('error', () => {}); // The client went away.
  if (answer === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = answer;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}Connection: close\r\n\r\n`);
  socket.end(body);
  // To close a socket with unread bytes resets the connection, and the client loses the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
