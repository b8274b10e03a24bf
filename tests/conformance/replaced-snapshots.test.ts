/** The promise: while snapshots are replaced, each answer of the edge functions is of one snapshot, or a 503. */
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { netlifyService } from '../../api/edge/netlify-service.ts';
import { runs } from '../support/settings.ts';
import { seeded } from '../support/seed.ts';
import {
  addresses,
  answerText,
  differentSnapshots,
  type PublishedSnapshot,
  ReplacingSite,
} from './replacing-site.ts';

let snapshots: PublishedSnapshot[];
beforeAll(async () => {
  snapshots = await differentSnapshots();
  for (const address of addresses)
    expect(new Set(snapshots.map(({ answers }) => answers.get(address))).size, address).toBeGreaterThan(1);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Edge functions over a site, with the clock and the network that they see. */
function edgeOver(name: string, faults: number) {
  const choices = seeded(name);
  const site = new ReplacingSite(snapshots, choices, faults);
  let time = 0;
  vi.stubGlobal('fetch', site.fetch);
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  vi.stubGlobal('Netlify', { env: { get: () => undefined } });
  const start = () => netlifyService({ onError: () => {} });
  let answer = start();
  const ask = async (address: string): Promise<{ status: number; text: string; cdnCache: string | null }> => {
    const response = await answer(new Request(`https://awards.example${address}`), { ip: '192.0.2.1' });
    const { status, headers } = response;
    const cdnCache = headers.get('Netlify-CDN-Cache-Control');
    return { status, text: answerText(status, headers.get('ETag'), await response.text()), cdnCache };
  };
  return {
    choices,
    site,
    ask,
    pass(milliseconds: number) {
      time += milliseconds;
    },
    /** A new instance, with nothing in memory. */
    restart() {
      answer = start();
    },
  };
}

const isOfOne = (address: string, text: string) =>
  snapshots.some(({ answers }) => answers.get(address) === text);

it.each([
  ['a sound network', 0],
  ['a network with stale, truncated and missing files', 0.1],
])('thousands of replacements between and during requests, over %s', async (name, faults) => {
  const { choices, site, ask, pass, restart } = edgeOver(name, faults);
  const turns = runs(480);
  const statuses = new Map<number, number>();
  for (let turn = 0; turn < turns; turn += 1) {
    if (choices.chance(0.2)) restart();
    // Now, during the next requests, or both.
    if (choices.chance(0.5)) site.replace();
    site.replaceAfter(choices.between(0, 12));
    pass(choices.between(0, 1500));
    const asked = choices.picks(addresses, choices.between(1, 4));
    const answers = await Promise.all(asked.map(ask));
    for (const [i, { status, text, cdnCache }] of answers.entries()) {
      const told = `turn ${turn}: ${asked[i]}: ${text}`;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 503) {
        expect(text, told).toContain('urn:film-awards:problem:snapshot-unavailable');
        expect(cdnCache, told).toBe('no-store');
      } else expect(isOfOne(asked[i]!, text), told).toBe(true);
    }
  }
  expect(site.replacements).toBeGreaterThan(turns / 2);
  // Most requests are answered.
  expect(statuses.get(200)! / [...statuses.values()].reduce((a, b) => a + b)).toBeGreaterThan(
    faults ? 0.3 : 0.95,
  );
});

it('a replacement is noticed after a second; until then answers are whole, or a 503', async () => {
  const { choices, site, ask, pass } = edgeOver('noticed', 0);
  for (let turn = 0; turn < runs(200); turn += 1) {
    site.replace();
    const address = choices.pick(addresses);
    if (choices.chance(0.5)) expect(isOfOne(address, (await ask(address)).text)).toBe(true);
    pass(1000);
    const later = choices.picks(addresses, 3);
    for (const { text } of await Promise.all(later.map(ask)))
      expect([...site.current.answers.values()], `turn ${turn}`).toContain(text);
  }
});

it.each([
  ['a lost connection', () => Promise.reject(new TypeError('the connection was lost'))],
  ['a status of 502', async () => new Response('bad gateway', { status: 502 })],
  ['a status of 404', async () => new Response('none', { status: 404 })],
  ['damaged bytes', async () => new Response('{"format":')],
])(
  '%s at the manifest leaves the answers of the loaded snapshot, until a look succeeds',
  async (name, fail) => {
    const { site, ask, pass } = edgeOver(name, 0);
    let isBroken = false;
    vi.stubGlobal('fetch', (input: string) =>
      isBroken && input.endsWith('/manifest.json') ? fail() : site.fetch(input),
    );
    for (const address of addresses) await ask(address);
    const { answers } = site.current;
    isBroken = true;
    for (let looks = 0; looks < 3; looks += 1) {
      pass(1000);
      for (const address of addresses) expect((await ask(address)).text).toBe(answers.get(address));
    }
    site.replace();
    isBroken = false;
    pass(1000);
    for (const address of addresses)
      expect((await ask(address)).text).toBe(site.current.answers.get(address));
  },
);
