/** Who a request comes from, for counting: the peer, or whom a listed proxy says it speaks for. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, SocketAddress } from 'node:net';
import { UserError } from '../../data/user-error.ts';
import { clientHeader, secretHeader } from '../contract/forwarding.ts';

/** A function from a request to the key its client is counted under: an IPv4 address, or the /64 of an IPv6 one. */
export type ClientKey = (request: IncomingMessage) => string;

/**
 * @param proxies addresses or CIDR ranges whose X-Forwarded-For counts
 * @param secret whoever shows it, wherever from, is believed whom the request comes from; see api/contract/forwarding.ts
 * @throws UserError naming an entry of `proxies` that is neither
 */
export function clientKey(proxies: readonly string[], secret?: string): ClientKey {
  const bySocket = clientKeyBehind(proxies);
  if (!secret) return bySocket;
  const expected = digestOf(secret);
  return (request) => {
    const { [secretHeader]: shown, [clientHeader]: told } = request.headers;
    if (typeof shown !== 'string' || typeof told !== 'string' || isIP(told) === 0) return bySocket(request);
    return timingSafeEqual(digestOf(shown), expected) ? grouped(plainAddress(told)) : bySocket(request);
  };
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What a client is counted under. */
const grouped = (address: string): string => (isIP(address) === 6 ? networkOf(address) : address);

function clientKeyBehind(proxies: readonly string[]): ClientKey {
  const listed = blockList(proxies);
  const isListed = (address: string) => listed.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const peerOf = (request: IncomingMessage) => plainAddress(request.socket.remoteAddress ?? '');
  if (proxies.length === 0) return (request) => grouped(peerOf(request));
  return (request) => {
    let client = peerOf(request);
    const forwarded = request.headers['x-forwarded-for'];
    // From right to left: each listed proxy vouches for the address it wrote down, and for no more.
    const hops = [forwarded ?? []].flat().join(',').split(',');
    while (isIP(client) !== 0 && isListed(client)) {
      const hop = plainAddress(hops.pop()?.trim() ?? '');
      if (isIP(hop) === 0) break;
      client = hop;
    }
    return grouped(client);
  };
}

function blockList(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of proxies) {
    const [, address = '', bits] = /^([^/]*)(?:\/([0-9]{1,3}))?$/.exec(entry) ?? [];
    const version = isIP(address);
    const widest = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? widest : Number(bits);
    if (version === 0 || prefix > widest)
      throw new UserError(`AWARDS_TRUSTED_PROXIES: "${entry}" is no address or CIDR range`);
    list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** An address in its one usual spelling, without a zone; an IPv4 one as such where it comes dressed as IPv6. */
function plainAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const [unzoned = ''] = address.split('%');
  return new SocketAddress({ address: unzoned, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}

/** The first 64 bits of an IPv6 address in its usual spelling: one household or host has all the rest to itself. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  // What stands after "::" matters only where it reaches into the first half; the dotted form takes the place of two.
  const right = tail ? tail.replace(/\d+\.[\d.]+$/, '0:0').split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return `${[...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':')}::/64`;
}
