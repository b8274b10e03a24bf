/** A request is counted for the address it comes from, or for the address that a listed proxy or a CDN with the secret names. */
import fc from 'fast-check';
import fastify, { type FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientHeader, secretHeader } from '../../api/edge/write-forwarding.ts';
import { clientKey, proxyTest } from '../../api/server/clients.ts';
import { runs } from '../support/settings.ts';

type Headers = Record<string, string | undefined>;
type KeyOf = (remoteAddress: string | undefined, headers?: Headers | string) => string;

/** The key of a request from an address, in an app that trusts proxies. Headers are those, or X-Forwarded-For alone. */
function keyFor(proxies: readonly string[], secret?: string): KeyOf {
  const key = clientKey(secret);
  const app = fastify({ trustProxy: proxies.length > 0 ? proxyTest(proxies) : false });
  let request: FastifyRequest | undefined;
  app.get('/', async (received) => {
    request = received;
    return '';
  });
  beforeAll(async () => void (await app.inject('/')));
  afterAll(() => app.close());
  return (remoteAddress, sent = {}) => {
    const headers = typeof sent === 'string' ? { 'x-forwarded-for': sent } : sent;
    const raw = { ...request!.raw, headers, socket: { remoteAddress } };
    return key(
      Object.create(request!, { raw: { value: raw }, headers: { value: headers } }) as FastifyRequest,
    );
  };
}

const direct = keyFor([]);
const besideProxies = keyFor(['10.0.0.0/8']);
const behind = keyFor(['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48', '::1']);
const behindCdn = keyFor([], 'a secret');

it('a client with IPv4 is its address, also as IPv4-mapped IPv6', () => {
  const byte = fc.nat({ max: 255 });
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), ([a, b, c, d]) => {
      const address = [a, b, c, d].join('.');
      const hexadecimal = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':');
      for (const start of ['::ffff:', '::FFFF:', '0:0:0:0:0:ffff:'])
        for (const mapped of [address, hexadecimal]) expect(direct(start + mapped)).toBe(address);
      expect(direct(address)).toBe(address);
    }),
    { numRuns: runs(40) },
  );
});

it('a client with IPv6 is its /64 network, in any spelling', () => {
  const group = fc.oneof(fc.constant(0), fc.nat({ max: 0xffff })).map((bits) => bits.toString(16));
  const groups = fc.array(group, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(groups, fc.boolean(), fc.boolean(), (all, shorten, upper) => {
      const full = all.join(':');
      fc.pre(!full.startsWith('0:0:0:0:0:ffff:'));
      const short = shorten ? new URL(`http://[${full}]/`).hostname.slice(1, -1) : full;
      expect(direct(upper ? short.toUpperCase() : short)).toBe(`${all.slice(0, 4).join(':')}::/64`);
    }),
    { numRuns: runs(200) },
  );
  expect(direct('fe80::1%eth0')).toBe(direct('fe80::2%br-lan.5'));
  expect(direct('a::c:d:e:f:1.2.3.4')).toBe('a:0:c:d::/64');
});

it('a client cannot choose its key by X-Forwarded-For, and has one after it closed its connection', () => {
  for (const forwarded of ['1.2.3.4', '::1', 'x', '', '203.0.113.8, 203.0.113.9'])
    for (const keyOf of [direct, besideProxies]) expect(keyOf('203.0.113.7', forwarded)).toBe('203.0.113.7');
  expect(direct(undefined)).toBe('');
});

it.each([
  ['forwards the address it appended', '10.1.2.3', '203.0.113.7', '203.0.113.7'],
  ['does not vouch for what its client sent', '10.1.2.3', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
  ['may stand behind another', '192.0.2.1', '203.0.113.7, 10.9.9.9, 10.1.1.1', '203.0.113.7'],
  ['is not believed behind a stranger', '10.1.2.3', '203.0.113.7, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['is known as IPv4-mapped IPv6', '::ffff:10.1.2.3', '203.0.113.7,::ffff:a09:909', '203.0.113.7'],
  ['is known by its IPv6 network', '2001:db8:ffff:1::9', '203.0.113.7', '203.0.113.7'],
  ['forwards a /64 like any client', '::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['counts itself if it says nothing', '10.1.2.3', undefined, '10.1.2.3'],
  ['counts itself if it says nonsense', '10.1.2.3', 'unknown', '10.1.2.3'],
  ['counts itself if the last entry is nonsense', '10.1.2.3', '203.0.113.7, _hidden', '10.1.2.3'],
  ['may leave entries empty', '10.1.2.3', '203.0.113.7,,10.8.8.8,', '203.0.113.7'],
  ['is the client if all entries are proxies', '10.1.2.3', '10.7.7.7, 10.8.8.8', '10.7.7.7'],
  ['may append the port of an IPv4 client', '10.1.2.3', '1.1.1.1:80, 203.0.113.7:4711', '203.0.113.7'],
  ['may append the port of an IPv6 client', '10.1.2.3', '[2001:db8:1:2:3::6]:4711', '2001:db8:1:2::/64'],
  ['may add spaces and tabs', '10.1.2.3', ' 1.1.1.1 ,\t203.0.113.7  ', '203.0.113.7'],
])('a listed proxy %s', (_name, peer, forwarded, key) => {
  expect(behind(peer, forwarded)).toBe(key);
});

it('a listed proxy gives an address for every X-Forwarded-For, and never an exception', () => {
  const odd = '10.0.0.1 ::1 fe80::1% fe80::1%eth0 fe80::1%../../x 1.2.3.4:80 [::1]:80 0 1.2.3 ::ffff:0'.split(
    ' ',
  );
  const word = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 12 }), fc.constantFrom(...odd));
  const peer = fc.constantFrom('10.1.1.1', '::1', '::ffff:10.1.1.1', 'fe80::1%lo');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), peer, (words, from) => {
      expect(behind(from, words.join(','))).toMatch(/^([0-9.]+|([0-9a-f]{1,4}:){4}:\/64)$/);
    }),
    { numRuns: runs(400) },
  );
});

it('a proxy is listed as an address or a CIDR range; anything else is refused with its name', () => {
  const wrong = [
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/9',
    '10.0.0.0/-1',
    '10.0.0.0/0x8',
    '10.0.0',
    '::1/129',
    '*',
  ];
  for (const entry of [...wrong, 'localhost', ''])
    expect(() => proxyTest(['192.0.2.1', entry]), entry).toThrow(`"${entry}"`);
  for (const entry of [
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/8',
    '::ffff:10.0.0.0/104',
    '::ffff:10.1.1.1',
    '10.1.1.1/32',
  ])
    expect(proxyTest([entry])('10.1.1.1'), entry).toBe(true);
  expect(proxyTest(['10.0.0.0/16', '2001:db8::/128'])('10.1.1.1')).toBe(false);
});

it('a CDN that forwards writes names the client, if it sends the secret', () => {
  const told = (keyOf: KeyOf, secret: string | undefined, client: string | undefined) =>
    keyOf('203.0.113.7', { [secretHeader]: secret, [clientHeader]: client });
  expect(told(behindCdn, 'a secret', '198.51.100.1')).toBe('198.51.100.1');
  expect(told(behindCdn, 'a secret', '2001:db8:1:2:3::4')).toBe('2001:db8:1:2::/64');
  for (const secret of ['another', '', undefined])
    expect(told(behindCdn, secret, '198.51.100.1')).toBe('203.0.113.7');
  for (const client of ['elsewhere', undefined])
    expect(told(behindCdn, 'a secret', client)).toBe('203.0.113.7');
  for (const secret of ['', 'a secret']) expect(told(direct, secret, '198.51.100.1')).toBe('203.0.113.7');
});
