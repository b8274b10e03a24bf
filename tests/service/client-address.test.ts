/** Who a request is counted for: the address it comes from, or the one that a listed proxy, and nobody else, vouches for. */
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientHeader, secretHeader } from '../../api/contract/forwarding.ts';
import { clientKey } from '../../api/serve/client-address.ts';
import { runs } from '../settings.ts';

/** A request from an address, with X-Forwarded-For if given; a list stands for several headers, joined as Node does. */
function requestFrom(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

describe('a client', () => {
  const keyOf = clientKey([]);

  it('with IPv4 is its address, also where it comes dressed as IPv6', () => {
    expect(keyOf(requestFrom('203.0.113.7'))).toBe('203.0.113.7');
    expect(keyOf(requestFrom('::ffff:203.0.113.7'))).toBe('203.0.113.7');
    expect(keyOf(requestFrom('::FFFF:203.0.113.7'))).toBe('203.0.113.7');
    expect(keyOf(requestFrom('::ffff:cb00:7107'))).toBe('203.0.113.7');
    expect(keyOf(requestFrom('0:0:0:0:0:ffff:cb00:7107'))).toBe('203.0.113.7');
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::'],
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002:3:4:5:6'],
    ['2001:db8::1', '2001:db8:0:0:9:9:9:9'],
    ['::1', '0:0:0:0:0:0:0:2'],
    ['fe80::1%eth0', 'fe80::2%eth1'],
    ['2001:db8:0:7::', '2001:db8:0:7:1::1.2.3.4'],
    ['a::c:d:e:f:1.2.3.4', 'a:0:c:d:e:f:102:305'],
  ])('with IPv6 is its /64: %s and %s are one', (one, other) => {
    expect(keyOf(requestFrom(one))).toBe(keyOf(requestFrom(other)));
    expect(keyOf(requestFrom(one))).toMatch(/::\/64$/);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['::1', '0:0:0:1::1'],
    ['::ffff:1.2.3.4', '::ffff:1.2.3.5'],
    ['::ffff:102:304', '::ffff:102:305'],
    ['::ffff:102:304', '::1'],
    ['1.2.3.4', '1.2.3.5'],
  ])('is another one in another network: %s and %s are two', (one, other) => {
    expect(keyOf(requestFrom(one))).not.toBe(keyOf(requestFrom(other)));
  });

  it('that is gone before it can be asked has a key all the same', () => {
    expect(typeof keyOf(requestFrom(undefined))).toBe('string');
  });

  it('cannot choose its key by sending X-Forwarded-For', () => {
    for (const forwarded of ['1.2.3.4', '::1', 'x', '', '203.0.113.8, 203.0.113.9'])
      for (const proxies of [[], ['10.0.0.0/8']])
        expect(clientKey(proxies)(requestFrom('203.0.113.7', forwarded))).toBe('203.0.113.7');
  });

  it('in any spelling is in the network that its bits say', () => {
    const groups = fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 0xffff })), {
      minLength: 8,
      maxLength: 8,
    });
    fc.assert(
      fc.property(groups, fc.boolean(), fc.boolean(), (bits, shorten, upper) => {
        const full = bits.map((group) => group.toString(16)).join(':');
        const short = shorten ? new URL(`http://[${full}]/`).hostname.slice(1, -1) : full;
        const isMapped = bits.slice(0, 5).every((group) => group === 0) && bits[5] === 0xffff;
        fc.pre(!isMapped);
        const network = bits
          .slice(0, 4)
          .map((group) => group.toString(16))
          .join(':');
        expect(keyOf(requestFrom(upper ? short.toUpperCase() : short))).toBe(`${network}::/64`);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('a listed proxy', () => {
  const keyOf = clientKey(['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48', '::1']);

  it.each([
    ['speaks for the address it wrote last', '10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['is believed, its client is not', '10.1.2.3', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['may stand behind another', '192.0.2.1', '203.0.113.7, 10.9.9.9, 10.1.1.1', '203.0.113.7'],
    ['is not believed behind a stranger', '10.1.2.3', '203.0.113.7, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['is recognised as IPv4 dressed as IPv6', '::ffff:10.1.2.3', '203.0.113.7', '203.0.113.7'],
    [
      'is recognised among those it forwards for, dressed or not',
      '10.1.2.3',
      '203.0.113.7,::ffff:a09:909',
      '203.0.113.7',
    ],
    ['is recognised by its network of IPv6', '2001:db8:ffff:1::9', '203.0.113.7', '203.0.113.7'],
    ['speaks for a /64 like any client', '::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['counts for itself if it says nothing', '10.1.2.3', undefined, '10.1.2.3'],
    ['counts for itself if it says nonsense', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['counts for itself if its last word is nonsense', '10.1.2.3', '203.0.113.7, _hidden', '10.1.2.3'],
    ['counts for itself if the list ends empty', '10.1.2.3', '203.0.113.7,', '10.1.2.3'],
    ['counts as the first of a chain of proxies alone', '10.1.2.3', '10.7.7.7, 10.8.8.8', '10.7.7.7'],
    ['may put spaces and tabs where it likes', '10.1.2.3', ' 1.1.1.1 ,\t203.0.113.7  ', '203.0.113.7'],
  ])('%s', (_name, peer, forwarded, key) => {
    expect(keyOf(requestFrom(peer, forwarded))).toBe(key);
  });

  it('whatever it forwards, the answer is an address that stands there, and never an exception', () => {
    const word = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string({ maxLength: 12 }),
      fc.constantFrom(
        '10.0.0.1',
        '::1',
        'fe80::1%',
        'fe80::1%eth0',
        'fe80::1%../../x',
        '1.2.3.4:80',
        '[::1]:80',
        '0',
        '1.2.3',
        '::ffff:0',
      ),
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 6 }),
        fc.constantFrom('10.1.1.1', '::1', '::ffff:10.1.1.1', 'fe80::1%lo'),
        (words, peer) => {
          expect(keyOf(requestFrom(peer, words.join(',')))).toMatch(/^([0-9.]+|([0-9a-f]{1,4}:){4}:\/64)$/);
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  it('must be written as an address or a CIDR range, or the service does not start', () => {
    const wrong = [
      'localhost',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/9',
      '10.0.0.0/-1',
      '10.0.0.0/0x8',
      '10.0.0.0/8.0',
      '10.0.0',
      '::1/129',
      '/8',
      '*',
      '',
    ];
    for (const entry of wrong) expect(() => clientKey(['192.0.2.1', entry]), entry).toThrow(`"${entry}"`);
    for (const entry of ['0.0.0.0/0', '::/0', '10.0.0.0/32', '2001:db8::/128', '127.0.0.1'])
      expect(() => clientKey([entry])).not.toThrow();
  });
});

describe('a CDN that hands writes through', () => {
  const keyOf = clientKey([], 'a secret');
  const told = (secret: string | undefined, client: string | undefined): IncomingMessage =>
    ({
      socket: { remoteAddress: '203.0.113.7' },
      headers: { [secretHeader]: secret, [clientHeader]: client },
    }) as unknown as IncomingMessage;

  it('is believed whom a request comes from if it shows the secret', () => {
    expect(keyOf(told('a secret', '198.51.100.1'))).toBe('198.51.100.1');
    expect(keyOf(told('a secret', '2001:db8:1:2:3::4'))).toBe(keyOf(requestFrom('2001:db8:1:2::')));
  });

  it('is nobody without it, or with an address that is none', () => {
    for (const [secret, client] of [
      ['another', '198.51.100.1'],
      ['', '198.51.100.1'],
      [undefined, '198.51.100.1'],
      ['a secret', 'elsewhere'],
      ['a secret', undefined],
    ])
      expect(keyOf(told(secret, client))).toBe('203.0.113.7');
    expect(clientKey([])(told('', '198.51.100.1'))).toBe('203.0.113.7');
  });
});
