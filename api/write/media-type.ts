/** Whether the body of a write is said to be what it must be. */
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { bodyTypes } from '../contract/bodies.ts';

export type WriteMethod = keyof typeof bodyTypes;

/** The header that tells which types a method takes, and the types (RFC 5789, W3C Accept-Post). */
export const acceptHeader = (method: WriteMethod): Record<string, string> => ({
  [method === 'POST' ? 'Accept-Post' : 'Accept-Patch']: bodyTypes[method].join(', '),
});

/** What is wrong with the type of a body, in one sentence; undefined if nothing is. */
export function mediaTypeFault(request: IncomingMessage, method: WriteMethod): string | undefined {
  const types = request.headersDistinct['content-type'] ?? [];
  const encoding = request.headers['content-encoding'];
  const transferred = request.headers['transfer-encoding'];
  if (types.length > 1) return 'Content-Type is given more than once';
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return 'Content-Encoding is not taken here; send the body as it is';
  // Chunks are put together before anybody here sees them; what else was done to a body on its way nobody undoes.
  if (transferred !== undefined && transferred.toLowerCase() !== 'chunked')
    return 'Transfer-Encoding is not taken here, except chunked';
  const [type] = types;
  const wanted = bodyTypes[method].join(' or ');
  if (type === undefined) return `Content-Type is missing; it must be ${wanted}`;
  const parsed = parsedType(type);
  if (!parsed || !(bodyTypes[method] as readonly string[]).includes(parsed.essence))
    return `Content-Type is ${type}; it must be ${wanted}`;
  const charset = parsed.params.get('charset') ?? 'utf-8';
  return /^utf-?8$/i.test(charset) ? undefined : `the charset is ${charset}; it must be UTF-8`;
}

function parsedType(type: string): MIMEType | undefined {
  try {
    return new MIMEType(type);
  } catch {
    return undefined;
  }
}
