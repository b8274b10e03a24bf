/** A request is counted for the address it comes from, or for the address that a listed proxy forwards. */
import fc from 'fast-check';
import fastify, { type FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientHeader, secretHeader } from '../../api/edge/write-forwarding.ts';
import { clientKey, proxyTest } from '../../api/server/clients.ts';
import { runs } from '../support/settings.ts';

/** What a request has: the address of its connection, and its headers. A list of X-Forwarded-For is joined, as Node does. */
interface Sent {
  remoteAddress: string | undefined;
  headers: Record<string, string | undefined>;
}

const requestFrom = (remoteAddress: string | undefined, forwarded?: string): Sent => ({
  remoteAddress,
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
});

/** The key of a request, in an app that trusts proxies. */
function keyFor(proxies: readonly string[], secret?: string): (sent: Sent) => string {
  const key = clientKey(secret);
  const app = fastify({ trustProxy: proxies.length > 0 ? proxyTest(proxies) : false });
  let request: FastifyRequest | undefined;
  app.get('/', async (received) => {
    request = received;
    return '';
  });
  const ready = app.inject('/');
  afterAll(async () => {
    await ready;
    await app.close();
  });
  beforeAll(() => ready);
  return ({ remoteAddress, headers }) => {
    const raw = { ...request!.raw, headers, socket: { remoteAddress } };
    return key(
      Object.create(request!, { raw: { value: raw }, headers: { value: headers } }) as FastifyRequest,
    );
  };
}

describe('a client', () => {
  const keyOf = keyFor([]);
  const besideProxies = keyFor(['10.0.0.0/8']);

  it('with IPv4 is its address, also as IPv4-mapped IPv6', () => {
    const byte = fc.nat({ max: 255 });
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), ([a, b, c, d]) => {
        const address = [a, b, c, d].join('.');
        const hexadecimal = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':');
        for (const mapped of [address, hexadecimal])
          for (const start of ['::ffff:', '::FFFF:', '0:0:0:0:0:ffff:'])
            expect(keyOf(requestFrom(start + mapped))).toBe(address);
        expect(keyOf(requestFrom(address))).toBe(address);
      }),
      { numRuns: runs(40) },
    );
  });

  it.each([
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002:3:4:5:6'],
    ['fe80::1%eth0', 'fe80::2%br-lan.5'],
    ['2001:db8:0:7::', '2001:db8:0:7:1::1.2.3.4'],
    ['a::c:d:e:f:1.2.3.4', 'a:0:c:d:e:f:102:305'],
  ])('with IPv6 is its /64 network: %s and %s are one client', (one, other) => {
    expect(keyOf(requestFrom(one))).toBe(keyOf(requestFrom(other)));
    expect(keyOf(requestFrom(one))).toMatch(/::\/64$/);
  });

  it('that has closed its connection has a key, too', () => {
    expect(typeof keyOf(requestFrom(undefined))).toBe('string');
  });

  it('cannot choose its key by sending X-Forwarded-For', () => {
    for (const forwarded of ['1.2.3.4', '::1', 'x', '', '203.0.113.8, 203.0.113.9'])
      for (const key of [keyOf, besideProxies])
        expect(key(requestFrom('203.0.113.7', forwarded))).toBe('203.0.113.7');
  });

  it('has the network of its bits, in any spelling', () => {
    const group = fc.oneof(fc.constant(0), fc.nat({ max: 0xffff })).map((bits) => bits.toString(16));
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 8, maxLength: 8 }),
        fc.boolean(),
        fc.boolean(),
        (groups, shorten, upper) => {
          const full = groups.join(':');
          const short = shorten ? new URL(`http://[${full}]/`).hostname.slice(1, -1) : full;
          fc.pre(!full.startsWith('0:0:0:0:0:ffff:'));
          const network = groups.slice(0, 4).join(':');
          expect(keyOf(requestFrom(upper ? short.toUpperCase() : short))).toBe(`${network}::/64`);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

describe('a listed proxy', () => {
  const keyOf = keyFor(['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48', '::1']);

  it.each([
    ['forwards the address it appended', '10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['does not vouch for what its client sent', '10.1.2.3', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['may stand behind another', '192.0.2.1', '203.0.113.7, 10.9.9.9, 10.1.1.1', '203.0.113.7'],
    ['is not believed behind a stranger', '10.1.2.3', '203.0.113.7, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['is known as IPv4-mapped IPv6', '::ffff:10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['is known as IPv4-mapped IPv6 in the list', '10.1.2.3', '203.0.113.7,::ffff:a09:909', '203.0.113.7'],
    ['is known by its IPv6 network', '2001:db8:ffff:1::9', '203.0.113.7', '203.0.113.7'],
    ['forwards a /64 like any client', '::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['counts itself if it says nothing', '10.1.2.3', undefined, '10.1.2.3'],
    ['counts itself if it says nonsense', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['counts itself if the last entry is nonsense', '10.1.2.3', '203.0.113.7, _hidden', '10.1.2.3'],
    ['may leave entries empty', '10.1.2.3', '203.0.113.7,,10.8.8.8,', '203.0.113.7'],
    ['is the client if all entries are proxies', '10.1.2.3', '10.7.7.7, 10.8.8.8', '10.7.7.7'],
    ['may append the port of an IPv4 client', '10.1.2.3', '1.1.1.1:80, 203.0.113.7:4711', '203.0.113.7'],
    ['may append the port of an IPv6 client', '10.1.2.3', '[2001:db8:1:2:3::6]:4711', '2001:db8:1:2::/64'],
    ['may put an IPv6 client in brackets', '10.1.2.3', '[2001:db8:1:2:3::6]', '2001:db8:1:2::/64'],
    ['may add spaces and tabs', '10.1.2.3', ' 1.1.1.1 ,\t203.0.113.7  ', '203.0.113.7'],
  ])('%s', (_name, peer, forwarded, key) => {
    expect(keyOf(requestFrom(peer, forwarded))).toBe(key);
  });

  it('gives an address for every X-Forwarded-For, and never an exception', () => {
    const odd =
      '10.0.0.1 ::1 fe80::1% fe80::1%eth0 fe80::1%../../x 1.2.3.4:80 [::1]:80 0 1.2.3 ::ffff:0'.split(' ');
    const word = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 12 }), fc.constantFrom(...odd));
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 6 }),
        fc.constantFrom('10.1.1.1', '::1', '::ffff:10.1.1.1', 'fe80::1%lo'),
        (words, peer) => {
          expect(keyOf(requestFrom(peer, words.join(',')))).toMatch(/^([0-9.]+|([0-9a-f]{1,4}:){4}:\/64)$/);
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('must be written as an address or a CIDR range, or the service does not start', () => {
    const wrong =
      '10.0.0.0/33 10.0.0.0/ 10.0.0.0/8/9 10.0.0.0/-1 10.0.0.0/0x8 10.0.0.0/8.0 10.0.0 ::1/129 /8 *'.split(
        ' ',
      );
    for (const entry of [...wrong, 'localhost', 'loopback', ''])
      expect(() => proxyTest(['192.0.2.1', entry]), entry).toThrow(`"${entry}"`);
    for (const entry of ['0.0.0.0/0', '::/0', '10.0.0.0/32', '2001:db8::/128', '::ffff:10.1.1.1', '10.1.1.1'])
      expect(() => proxyTest([entry])).not.toThrow();
    for (const entry of ['0.0.0.0/0', '::/0', '10.0.0.0/8', '::ffff:10.0.0.0/104', '::ffff:10.1.1.1'])
      expect(proxyTest([entry])('10.1.1.1'), entry).toBe(true);
  });
});

describe('a CDN that forwards writes', () => {
  const keyOf = keyFor([], 'a secret');
  const withoutSecret = keyFor([]);
  const told = (secret: string | undefined, client: string | undefined): Sent => ({
    remoteAddress: '203.0.113.7',
    headers: { [secretHeader]: secret, [clientHeader]: client },
  });

  it('names the client if it sends the secret', () => {
    expect(keyOf(told('a secret', '198.51.100.1'))).toBe('198.51.100.1');
    expect(keyOf(told('a secret', '2001:db8:1:2:3::4'))).toBe(keyOf(requestFrom('2001:db8:1:2::')));
  });

  it('is not believed without the secret, or with a wrong address', () => {
    for (const [secret, client] of [
      ['another', '198.51.100.1'],
      ['', '198.51.100.1'],
      [undefined, '198.51.100.1'],
      ['a secret', 'elsewhere'],
      ['a secret', undefined],
    ])
      expect(keyOf(told(secret, client))).toBe('203.0.113.7');
    expect(withoutSecret(told('', '198.51.100.1'))).toBe('203.0.113.7');
  });
});
