/** The promise: whatever is published while the edge functions answer, an answer is of one snapshot, or it is a 503. */
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { netlifyService } from '../../api/hosts/netlify.ts';
import { Choices } from '../bench/random.ts';
import { runs } from '../settings.ts';
import {
  addresses,
  answerText,
  differentSnapshots,
  type PublishedSnapshot,
  SwappingSite,
} from './swapping-site.ts';

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

/** Edge functions on a site of this seed, and the only clock they know. */
function edgeOn(seed: number, faults: number) {
  const choices = new Choices(seed);
  const site = new SwappingSite(snapshots, choices, faults);
  let time = 0;
  vi.stubGlobal('fetch', site.fetch);
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  const start = () => netlifyService({ variable: () => undefined, onError: () => {} });
  let answer = start();
  const ask = async (address: string): Promise<{ status: number; text: string; kept: string | null }> => {
    const response = await answer(new Request(`https://awards.example${address}`), { ip: '192.0.2.1' });
    const { status, headers } = response;
    const kept = headers.get('Netlify-CDN-Cache-Control');
    return { status, text: answerText(status, headers.get('ETag'), await response.text()), kept };
  };
  return {
    choices,
    site,
    ask,
    pass(milliseconds: number) {
      time += milliseconds;
    },
    /** New code with nothing in memory. */
    restart() {
      answer = start();
    },
  };
}

const newSeed = () => Math.floor(Math.random() * 2 ** 31);
const isOfOne = (address: string, text: string) =>
  snapshots.some(({ answers }) => answers.get(address) === text);

it.each([
  ['a network that does as it is told', 0],
  ['a network with old, cut off and missing files', 0.1],
])('thousands of swaps between and during requests, over %s', async (_name, faults) => {
  const seed = newSeed();
  const { choices, site, ask, pass, restart } = edgeOn(seed, faults);
  const turns = runs(1200);
  const statuses = new Map<number, number>();
  for (let turn = 0; turn < turns; turn += 1) {
    if (choices.chance(0.2)) restart();
    // At once, after a few files of the requests to come, or both.
    if (choices.chance(0.5)) site.swap();
    site.swapAfter(choices.between(0, 12));
    pass(choices.between(0, 1500));
    const asked = choices.picks(addresses, choices.between(1, 4));
    const answers = await Promise.all(asked.map(ask));
    for (const [i, { status, text, kept }] of answers.entries()) {
      const told = `seed ${seed}, turn ${turn}: ${asked[i]}: ${text}`;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 503) {
        expect(text, told).toContain('urn:film-awards:problem:snapshot-unavailable');
        expect(kept, told).toBe('no-store');
      } else expect(isOfOne(asked[i]!, text), told).toBe(true);
    }
  }
  const shares = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  process.stdout.write(`${site.swaps} swaps, seed ${seed}: ${shares}\n`);
  expect(site.swaps).toBeGreaterThan(turns / 2);
  // Not so careful that it hardly ever answers.
  expect(statuses.get(200)! / [...statuses.values()].reduce((a, b) => a + b)).toBeGreaterThan(
    faults ? 0.3 : 0.95,
  );
});

it('a swap is noticed after a second, and until then the snapshot before answers whole or not at all', async () => {
  const seed = newSeed();
  const { choices, site, ask, pass } = edgeOn(seed, 0);
  for (let turn = 0; turn < runs(500); turn += 1) {
    site.swap();
    const address = choices.pick(addresses);
    if (choices.chance(0.5)) expect(isOfOne(address, (await ask(address)).text), `seed ${seed}`).toBe(true);
    pass(1000);
    const later = choices.picks(addresses, 3);
    for (const { text } of await Promise.all(later.map(ask)))
      expect([...site.current.answers.values()], `seed ${seed}, turn ${turn}`).toContain(text);
  }
});
