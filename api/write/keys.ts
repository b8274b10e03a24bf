/** Whose request it is: the name of the key in x-api-key. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { environmentKeyName, findKey } from '../../data/keys.ts';
import type { Connection } from '../../data/open.ts';

/** The name of the key a request comes with; undefined where that is missing, unknown, revoked, or given more than once. */
export type KeyCheck = (request: IncomingMessage) => string | undefined;

const keyHeader = 'x-api-key';

/** Whether a request comes with a key at all, right or wrong. */
export const hasKey = (request: IncomingMessage): boolean => request.headers[keyHeader] !== undefined;

/**
 * @param connection asked every time, so that a revoked key is refused from that moment
 * @param environmentKey a further key, besides those in the database
 */
export function keyCheck(connection: Connection, environmentKey: string | undefined): KeyCheck {
  const further = environmentKey ? digestOf(environmentKey) : undefined;
  return (request) => {
    const [key, second] = request.headersDistinct[keyHeader] ?? [];
    if (key === undefined || second !== undefined) return undefined;
    const isFurther = further !== undefined && timingSafeEqual(digestOf(key), further);
    return isFurther ? environmentKeyName : findKey(connection, key);
  };
}

const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();
