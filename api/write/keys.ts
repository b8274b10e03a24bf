/** Authentication by the key in the header x-api-key. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { digestOf, environmentKeyName, findKey } from '../../data/keys.ts';
import type { Connection } from '../../data/open.ts';

/** The name of a request's key; undefined if the key is missing, unknown, revoked or sent more than once. */
export type KeyCheck = (request: IncomingMessage) => string | undefined;

const keyHeader = 'x-api-key';

/** Whether a request has a key, valid or not. */
export const hasKey = (request: IncomingMessage): boolean => request.headers[keyHeader] !== undefined;

/**
 * @param connection read for each request, so that a revoked key is refused at once
 * @param environmentKey valid besides the keys in the database
 */
export function keyCheck(connection: Connection, environmentKey: string | undefined): KeyCheck {
  const environmentDigest = environmentKey ? digestOf(environmentKey) : undefined;
  return (request) => {
    const [key, second] = request.headersDistinct[keyHeader] ?? [];
    if (key === undefined || second !== undefined) return undefined;
    if (environmentDigest && timingSafeEqual(digestOf(key), environmentDigest)) return environmentKeyName;
    return findKey(connection, key);
  };
}
