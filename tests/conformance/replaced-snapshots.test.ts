/** The promise: while snapshots are replaced, each answer of the edge functions is of one snapshot, or a 503. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { netlifyService } from '../../api/edge/netlify-service.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { answerAt, compiledRecord, type MemoryFolder } from '../records/build.ts';
import { seeded } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { addresses } from '../support/requests.ts';
import { fileAt } from '../support/static-host.ts';

/** SQL for each snapshot: names shown almost everywhere, orders that change, and records that come and go. */
const edits = [
  '',
  `UPDATE movies SET title = title || ' the second';
   UPDATE nominees SET name = 'Ann ' || name;
   UPDATE nominations SET winner = 1 - winner;`,
  `UPDATE categories SET category_name = 'Actor ' || category_name;
   UPDATE ceremonies SET ceremony_year = ceremony_year + 1 WHERE ceremony_year BETWEEN 1900 AND 2030;
   DELETE FROM movies WHERE id = 45;`,
  `UPDATE songs SET original_title = original_title || ' the';
   UPDATE movies SET overview = 'Seen.';
   DELETE FROM nominations WHERE id > 12;`,
];

interface Published {
  files: MemoryFolder;
  /** Address → status, ETag and body. */
  answers: ReadonlyMap<string, string>;
}

const answerText = (status: number, etag: string | null | undefined, body: string): string =>
  `${status} ${etag ?? ''} ${body}`;

let snapshots: Published[];
beforeAll(async () => {
  snapshots = await Promise.all(
    edits.map(async (edit) => {
      const { files } = await compiledRecord((connection) => {
        fillWithNastyRecord(connection);
        connection.exec(edit);
      });
      const resolver = new Resolver(files, { writable: false });
      const answers = new Map<string, string>();
      for (const address of addresses) {
        const { status, headers, body } = await answerAt(resolver, address);
        answers.set(address, answerText(status, headers.ETag, new TextDecoder().decode(body!)));
      }
      return { files, answers };
    }),
  );
  for (const address of addresses)
    expect(new Set(snapshots.map(({ answers }) => answers.get(address))).size, address).toBeGreaterThan(1);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Edge functions with a clock, over a network whose files are stale, truncated, missing or lost, as often as `faults` says. */
function edgeOver(name: string, faults: number) {
  const choices = seeded(name);
  let [before, current] = [snapshots[0]!, snapshots[0]!];
  const site = {
    replacements: 0,
    current: () => current,
    replace() {
      before = current;
      current = choices.pick(snapshots.filter((own) => own !== before));
      site.replacements += 1;
    },
    /** Number of requests for files after which the snapshot is replaced. */
    requestsLeft: Number.POSITIVE_INFINITY,
    time: 0,
    /** From now on no file is stale, truncated, missing or lost. */
    heal() {
      faults = 0;
    },
    /** A new instance, with nothing in memory. */
    restart() {
      answer = netlifyService({ onError: () => {} });
    },
    async ask(address: string) {
      const response = await answer(new Request(`https://awards.example${address}`), { ip: '192.0.2.1' });
      const { status, headers } = response;
      const cdnCache = headers.get('Netlify-CDN-Cache-Control');
      return { status, text: answerText(status, headers.get('ETag'), await response.text()), cdnCache };
    },
  };
  vi.stubGlobal('fetch', async (input: string): Promise<Response> => {
    if (site.requestsLeft === 0) site.replace();
    site.requestsLeft -= 1;
    // The delay of the network, in turns of the event loop.
    for (let turns = choices.between(0, 2); turns > 0; turns -= 1) await setImmediate();
    const wrong = choices.chance(faults);
    const fault = wrong ? choices.pick(['stale', 'truncated', 'missing', 'lost'] as const) : undefined;
    if (fault === 'lost') throw new TypeError('the connection was lost');
    const { files } = (fault === 'stale' ? before : current).files;
    const bytes = files.get(fileAt(new URL(input).pathname) ?? '');
    if (bytes === undefined || fault === 'missing') return new Response('none', { status: 404 });
    const end = fault === 'truncated' ? choices.between(0, bytes.length - 1) : bytes.length;
    return new Response(bytes.slice(0, end));
  });
  vi.spyOn(performance, 'now').mockImplementation(() => site.time);
  vi.stubGlobal('Netlify', { env: { get: () => undefined } });
  let answer = netlifyService({ onError: () => {} });
  return { choices, site };
}

it.each([
  ['a sound network', 0],
  ['a network with stale, truncated and missing files', 0.1],
])('hundreds of replacements between and during requests, over %s', async (name, faults) => {
  const { choices, site } = edgeOver(name, faults);
  const turns = runs(100);
  for (let turn = 0; turn < turns; turn += 1) {
    if (choices.chance(0.2)) site.restart();
    // Now, during the next requests, or both.
    if (choices.chance(0.5)) site.replace();
    site.requestsLeft = choices.between(0, 12);
    site.time += choices.between(0, 1500);
    const asked = choices.picks(addresses, choices.between(1, 4));
    for (const [i, { status, text, cdnCache }] of (await Promise.all(asked.map(site.ask))).entries()) {
      const told = `turn ${turn}: ${asked[i]}: ${text}`;
      if (status === 503) {
        expect(text, told).toContain('/docs#problem-snapshot-unavailable');
        expect(cdnCache, told).toBe('no-store');
      } else
        expect(
          snapshots.some(({ answers }) => answers.get(asked[i]!) === text),
          told,
        ).toBe(true);
    }
  }
  expect(site.replacements).toBeGreaterThan(0);
  // When nothing is replaced any more, and the network is sound, each request is answered.
  site.requestsLeft = Number.POSITIVE_INFINITY;
  site.heal();
  site.time += 60_000;
  for (const address of choices.picks(addresses, 20))
    expect((await site.ask(address)).text, address).toBe(site.current().answers.get(address));
});

it.each<[string, () => Promise<Response>]>([
  ['a status of 502', async () => new Response('bad gateway', { status: 502 })],
  ['damaged bytes', async () => new Response('{"format":')],
])('%s at the manifest leaves the loaded snapshot, until a look succeeds', async (name, fail) => {
  const { site } = edgeOver(name, 0);
  const sound = fetch;
  const areShown = async ({ answers }: Published) => {
    for (const address of addresses) expect((await site.ask(address)).text).toBe(answers.get(address));
  };
  await areShown(site.current());
  vi.stubGlobal('fetch', (input: string) => (input.endsWith('/manifest.json') ? fail() : sound(input)));
  for (let looks = 0; looks < 3; looks += 1) {
    site.time += 1000;
    await areShown(site.current());
  }
  vi.stubGlobal('fetch', sound);
  site.replace();
  site.time += 1000;
  await areShown(site.current());
});
