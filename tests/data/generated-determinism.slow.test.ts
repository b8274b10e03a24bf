/** The generated records depend on the seed and the scale only. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fingerprint, generated } from './generated-fingerprint.ts';

const script = fileURLToPath(new URL('./generated-fingerprint.ts', import.meta.url));

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
