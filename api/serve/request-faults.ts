/** Refuses what the parser of Node accepts, but RFC 9112 does not: the Host header, the version, framing by HTTP/1.0. */
import type { IncomingMessage } from 'node:http';
import { type Answer, problemAnswer } from '../read/answer.ts';

const malformed = (detail: string): Answer => problemAnswer('malformed-request', detail);
export const unsupportedVersion = problemAnswer(
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
