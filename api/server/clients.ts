/** The key under which the requests of a client are counted. */
import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { digestOf } from '../../data/record/keys.ts';
import { clientHeader, secretHeader } from '../edge/write-forwarding.ts';

/** An IPv4 address or the /64 network of an IPv6 address; '' if the connection is already closed. */
export type ClientKey = (request: FastifyRequest) => string;

/**
 * The function that tells the client of a request, in an app whose `trustProxy` is proxyTest().
 * @param secret a request with this secret may name its client; see api/edge/write-forwarding.ts
 */
export function clientKey(secret?: string): ClientKey {
  const expected = secret ? digestOf(secret) : undefined;
  return (request) => {
    const { [secretHeader]: shown, [clientHeader]: client } = request.headers;
    const isBelieved = expected && typeof shown === 'string' && timingSafeEqual(digestOf(shown), expected);
    if (isBelieved && typeof client === 'string' && isIP(client) !== 0) return keyOf(client);
    const address = withoutPort(request.ip);
    // A proxy that forwards nonsense is counted itself.
    return keyOf(isIP(address) === 0 ? withoutPort(request.ips?.at(-2) ?? '') : address);
  };
}

/** Some proxies append the port of the client: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop = ''): string {
  const [, ipv6, ipv4] = /^(?:\[(.*)\]|([^:]*))(?::\d{1,5})?$/.exec(hop) ?? [];
  return ipv6 ?? ipv4 ?? hop;
}

function keyOf(address: string): string {
  const parsed = isIP(address) === 6 && ipaddr.IPv6.parse(address.replace(/%.*/, ''));
  if (!parsed) return address;
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
