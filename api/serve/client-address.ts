/** The key under which the requests of a client are counted. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import ipaddr, { type IPv6 } from 'ipaddr.js';
import { digestOf } from '../../data/keys.ts';
import { UserError } from '../../data/user-error.ts';
import { clientHeader, secretHeader } from '../hosts/write-forwarding.ts';

/** An IPv4 address or the /64 network of an IPv6 address; '' if the connection is already closed. */
export type ClientKey = (request: IncomingMessage) => string;

/**
 * @param proxies addresses or CIDR ranges whose X-Forwarded-For counts
 * @param secret a request with this secret may name its client; see api/hosts/write-forwarding.ts
 * @throws UserError that names an entry of `proxies` that is neither
 */
export function clientKey(proxies: readonly string[], secret?: string): ClientKey {
  const expected = secret ? digestOf(secret) : undefined;
  const isProxy = proxyTest(proxies);
  return ({ headers, socket }) => {
    const { [secretHeader]: shown, [clientHeader]: client } = headers;
    const isBelieved = expected && typeof shown === 'string' && timingSafeEqual(digestOf(shown), expected);
    if (isBelieved && typeof client === 'string' && isIP(client) !== 0) return keyOf(client);
    return keyOf(forwardedAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], isProxy));
  };
}

/** Whether a connection is that of a proxy, which serves many clients. @param proxies as for clientKey */
export function isFromProxy(proxies: readonly string[]): (socket: Socket) => boolean {
  const isProxy = proxyTest(proxies);
  return ({ remoteAddress = '' }) => isProxy(remoteAddress);
}

function proxyTest(proxies: readonly string[]): (address: string) => boolean {
  const ranges = proxies.map(rangeOf);
  return (address) => isIP(address) !== 0 && ranges.some((range) => ipv6Of(address).match(range));
}

/**
 * Reads X-Forwarded-For from right to left: each proxy vouches for the address that it appended, and for no other.
 * @fastify/proxy-addr is no replacement: it skips empty entries and returns text that is not an address.
 */
function forwardedAddress(
  peer: string,
  forwarded: string | string[] | undefined,
  isProxy: (address: string) => boolean,
): string {
  const hops = String(forwarded ?? '').split(',');
  let client = peer;
  while (isProxy(client)) {
    const hop = withoutPort(hops.pop()?.trim() ?? '');
    if (isIP(hop) === 0) break;
    client = hop;
  }
  return client;
}

/** Some proxies append the port of the client: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[(.*)\]|([^:]*))(?::\d{1,5})?$/.exec(hop) ?? [];
  return ipv6 ?? ipv4 ?? hop;
}

function keyOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const ipv6 = ipv6Of(address);
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address().toString();
  const network = ipv6.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** An address without its zone, an IPv4 address as an IPv4-mapped one, so that all addresses compare. */
function ipv6Of(address: string): IPv6 {
  const parsed = ipaddr.parse(address.replace(/%.*/, ''));
  return parsed instanceof ipaddr.IPv6 ? parsed : parsed.toIPv4MappedAddress();
}

function rangeOf(entry: string): [network: IPv6, bits: number] {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const version = isIP(address);
  const maxBits = version === 6 ? 128 : 32;
  const ownBits = Number(bits ?? maxBits);
  if (version === 0 || ownBits > maxBits)
    throw new UserError(`AWARDS_TRUSTED_PROXIES: "${entry}" is not an address or a CIDR range`);
  return [ipv6Of(address), ownBits + 128 - maxBits];
}
