/** The generated records depend on the seed and the scale only. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Random } from '../../data/generate/random.ts';
import { fingerprint, generated } from './fingerprint.ts';

const script = fileURLToPath(new URL('./fingerprint.ts', import.meta.url));

function fingerprintElsewhere(environment: Record<string, string>): string {
  const command = ['--import', 'tsx', script, '0.05', 'elsewhere'];
  return execFileSync(process.execPath, command, {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
}

describe('the same seed', () => {
  test('gives the same records again', () => {
    expect(fingerprint(generated(0.2, 'again'))).toBe(fingerprint(generated(0.2, 'again')));
  });

  test('gives the same records whether it is a number or its text', () => {
    expect(fingerprint(generated(0.01, 7))).toBe(fingerprint(generated(0.01, '7')));
  });

  test('gives the same records in any time zone and language', () => {
    const here = fingerprint(generated(0.05, 'elsewhere'));
    const nepal = { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', LANGUAGE: 'tr' };
    expect(fingerprintElsewhere(nepal)).toBe(here);
    expect(fingerprintElsewhere({ TZ: 'America/St_Johns', LANG: 'C', LC_ALL: 'C' })).toBe(here);
  });
});

test('another seed or another scale gives other records', () => {
  const one = fingerprint(generated(0.01, 'one'));
  expect(fingerprint(generated(0.01, 'two'))).not.toBe(one);
  expect(fingerprint(generated(0.011, 'one'))).not.toBe(one);
});

test('the random numbers are those of sfc32', () => {
  const random = new Random(0, 0, 0);
  const reference = sfc32(0, 0, 0, 1);
  for (let round = 0; round < 15; round += 1) reference();
  for (let draw = 0; draw < 1000; draw += 1) expect(random.next()).toBe(reference());
});

/** The algorithm with exact arithmetic: 32-bit words as bigints. */
function sfc32(...seed: [number, number, number, number]): () => number {
  let [a, b, c, counter] = seed.map(BigInt) as [bigint, bigint, bigint, bigint];
  const word = (value: bigint) => BigInt.asUintN(32, value);
  return () => {
    const sum = word(a + b + counter);
    counter = word(counter + 1n);
    a = b ^ (b >> 9n);
    b = word(c + (c << 3n));
    c = word(word((c << 21n) | (c >> 11n)) + sum);
    return Number(sum);
  };
}
