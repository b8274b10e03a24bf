/**
 * The promise: a reader that asks what changed since its snapshot has the record of the newest one; a dated release never
 * changes; and values that may not be passed on are in neither.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileSource } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { layersOf } from '../../build/derived/layers.ts';
import { updateLayers } from '../../build/derived/update.ts';
import { formatTitle, parseTitle } from '../../build/publish/deploy-title.ts';
import { RetryLaterError } from '../../data/system/requests.ts';
import { anyEdits, editsOfAll, makeEdit } from '../records/random-edits.ts';
import { expectSameTree, readTree, type Tree, writeTree } from '../records/tree.ts';
import { markGiven } from '../records/given.ts';
import { runSeed, seeded } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { needTools, requireTool } from '../support/tools.ts';
import {
  type History,
  historyFaults,
  isOfHistory,
  jsonAt,
  Mirror,
  type ReleaseRow,
  resources,
} from './history.ts';
import { build, useStage } from './stage.ts';

const stage = useStage();

/** Fails unless a copy has the bytes of the downloads. */
function expectMirrored(mirror: Mirror, tree: Tree, place: string): void {
  for (const resource of resources)
    expect(mirror.file(resource), `${place}, ${resource}`).toBe(
      String(tree.get(`downloads/${resource}.ndjson`)),
    );
}

/** A reader asks for what was published since its snapshot, until it has all. */
async function catchUp(reader: Reader): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const { document } = await changes(reader.since);
    for (const change of document.data.toReversed())
      for (const record of change.records) reader.mirror.follow(record);
    reader.since = document.snapshot;
    hasMore = document.next !== undefined;
  }
}

interface Reader {
  since: string;
  mirror: Mirror;
}

async function changes(since: string | undefined) {
  const queryString = since === undefined ? '' : `since=${encodeURIComponent(since)}`;
  const resolver = new Resolver(fileSource(stage.to));
  const { status, body } = await resolver.answer({ method: 'GET', path: '/api/changes', queryString });
  return { status, document: JSON.parse(new TextDecoder().decode(body!)) };
}

const historyIn = (tree: Tree) => new Map([...tree].filter(([path]) => isOfHistory(path)));

/** Edits by SQL; each can be repeated. */
const edits: Readonly<Record<string, (step: number) => string>> = {
  'nothing changes': () => '',
  'a title': (step) => `UPDATE movies SET title = 'Film ${step}' WHERE id = 1`,
  'a title and back': (step) => `UPDATE movies SET title = 'Film ${step % 2}' WHERE id = 2`,
  'a new person': (step) =>
    `INSERT INTO nominees (id, name) VALUES (${100 + step}, 'Person ${step}, a "new" one')`,
  'a person goes': () => 'DELETE FROM nominees WHERE id = (SELECT max(id) FROM nominees WHERE id >= 100)',
  'a winner': () => 'UPDATE nominations SET winner = 1 - winner WHERE id = 2',
  'a nomination goes': () => 'DELETE FROM nominations WHERE id = 4',
  'a nomination comes': () =>
    'INSERT OR IGNORE INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id, winner) VALUES (4, 2, 1, 3, 1, 0)',
  'a ceremony': (step) => `UPDATE ceremonies SET venue = 'Hall ${step}' WHERE id = 1`,
  'the film years of a ceremony': (step) =>
    `UPDATE ceremonies SET film_years = '${1900 + step}/${String(1901 + step).slice(2)}' WHERE id = 1`,
  'a note': (step) => `UPDATE nominations SET note = 'Note ${step}' WHERE id = 1`,
  details: (step) =>
    `UPDATE nominations SET official = 1 - official, character = 'Role ${step}', entry = ${step + 1} WHERE id = 5`,
  'an honor': (step) =>
    `INSERT INTO honors (id, ceremony_id, class, category, movie_id, nominee_ids) VALUES (${100 + step}, 1, 'Special', 'HONORARY AWARD', 1, '[1]')`,
  'a citation': (step) => `UPDATE honors SET citation = 'Citation ${step}'`,
  'a restricted value': (step) => `UPDATE movies SET tagline = 'RESTRICTED ${step}' WHERE id = 3`,
};

test('random edits over years: a reader that asks now and then has the record, at Netlify the same bytes as in a folder', async () => {
  const choices = seeded('history');
  const count = 3;
  let now = Date.parse('2026-01-01T09:30:00Z');
  const readers: Reader[] = [];
  const released = new Map<string, Buffer>();
  const origin = 'https://awards.example';
  for (let step = 0; step < runs(24); step += 1) {
    const name = Object.keys(edits)[step] ?? choices.pick(Object.keys(edits));
    stage.connection.exec(edits[name]!(step));
    if (name === 'a restricted value') markGiven(stage.connection, 'movies', 3, ['tagline'], 'tmdb');
    await build(stage.connection, stage.out, true);
    const settings = { now: new Date(now), releases: count, origin };
    await Promise.all([stage.copy(settings), stage.publish(settings)]);
    const tree = readTree(stage.to);
    const place = `step ${step}: ${name} at ${settings.now.toISOString()}`;
    expect(historyFaults(tree), place).toEqual([]);
    expectSameTree(historyIn(stage.api.live()!), historyIn(tree));
    expect([...historyIn(tree).values()].join('').includes('RESTRICTED'), place).toBe(false);

    // Readers of any age catch up.
    const { snapshot, data, oldest } = jsonAt<History>(tree, 'changes/index.json');
    readers.push({ since: snapshot, mirror: new Mirror(tree) });
    for (const reader of readers.filter(() => choices.chance(0.4))) {
      await catchUp(reader);
      expectMirrored(reader.mirror, tree, place);
    }
    const day = new Date(now).toISOString().slice(0, 10);
    const ofDay = await changes(day);
    expect(ofDay.status, place).toBe(200);
    // And the publish before it, which may have been live on that day.
    const [before] = ofDay.document.data.splice(-1, 1);
    const earliest = new Date(Date.parse(day) - 27 * 3_600_000).toISOString();
    expect(before === undefined || before.published_at >= earliest, place).toBe(true);
    expect(ofDay.document.data.every((own: { published_at: string }) => own.published_at >= day)).toBe(true);
    expect((await changes(undefined)).document.data.at(-1)?.previous ?? snapshot).toBe(oldest.snapshot);
    expect(await changes('2025-12-31')).toMatchObject({ status: 410 });
    const unknown = await changes('f'.repeat(20));
    expect(unknown.document.detail).toContain(`/api/changes?since=${oldest.snapshot}`);

    // Old publishes are in the file of their year or day, and in no other.
    const dayBefore = (days: number) => new Date(now - days * 86_400_000).toISOString().slice(0, 10);
    const dates = data.map(({ published_at }) => published_at.slice(0, 10));
    if (Date.parse(data[0]?.published_at ?? '') === now)
      for (const [i, { path }] of data.entries()) {
        const date = dates[i]!;
        const isOfYear = /^\/changes\/\d{4}\.json$/.test(path);
        expect(isOfYear, `${place}, ${path}`).toBe(date < dayBefore(400));
        if (date < dayBefore(7) && !isOfYear)
          expect(dates.indexOf(date), `${place}, ${path}`).toBe(dates.lastIndexOf(date));
      }

    // A release never changes while it is there, and the first of each month stays.
    const { data: rows } = jsonAt<{ data: ReleaseRow[] }>(tree, 'downloads/releases.json');
    const releasedDays = rows.map(({ date }) => date);
    for (const [path, bytes] of tree)
      if (/^downloads\/\d/.test(path))
        expect(bytes.equals(released.get(path) ?? bytes), `${place}, ${path}`).toBe(true);
    for (const date of releasedDays.slice(count)) {
      const known = [...released.keys()].map((path) => path.slice('downloads/'.length).split('/')[0]!);
      expect(
        known.every((other) => other >= date || !other.startsWith(date.slice(0, 7))),
        place,
      ).toBe(true);
    }
    for (const [path, bytes] of tree) if (/^downloads\/\d/.test(path)) released.set(path, bytes);
    now += choices.pick([
      60_000,
      60_000,
      60_000,
      86_400_000,
      9 * 86_400_000,
      40 * 86_400_000,
      150 * 86_400_000,
    ]);
  }
  expect(jsonAt<History>(readTree(stage.to), 'changes/index.json').data.length).toBeGreaterThan(4);
});

/** A site as the version before days published it: 50 publishes a day, each in a file of its own. */
function oldSite(days: number, end: number, last: string): { tree: Tree; changes: { snapshot: string }[] } {
  const count = days * 50;
  const times = Array.from({ length: count }, (_, i) => end - (count - i) * 1728_000);
  const idOf = (i: number) =>
    i === count - 1 ? last : createHash('sha256').update(`${i}`).digest('hex').slice(0, 20);
  const changes = times.map((time, i) => ({
    published_at: `${new Date(time).toISOString().slice(0, 19)}Z`,
    snapshot: idOf(i),
    previous: idOf(i - 1),
    records: [{ resource: 'movies', id: 1, before: { title: `${i}` }, after: { title: `${i + 1}` } }],
  }));
  const tree = new Map<string, Buffer>();
  const data = changes.map(({ records, ...change }) => {
    const path = `changes/${change.published_at.slice(0, 10)}-${change.snapshot}.json`;
    tree.set(path, Buffer.from(`${JSON.stringify({ data: [{ ...change, records }] })}\n`));
    return { ...change, path: `/${path}`, added: 0, changed: 1, removed: 0 };
  });
  const oldest = { snapshot: idOf(-1), published_at: changes[0]!.published_at };
  const index = { snapshot: last, oldest, data: data.reverse() };
  tree.set('changes/index.json', Buffer.from(`${JSON.stringify(index)}\n`));
  return { tree, changes };
}

test('a site with 50 publishes a day for 400 days goes on, small: each of them is still found', async () => {
  const end = Date.parse('2026-06-01T00:00:00Z');
  await stage.copy({ now: new Date(end) });
  const { snapshot } = jsonAt<History>(readTree(stage.to), 'manifest.json');
  const { tree: old, changes: published } = oldSite(400, end, snapshot);
  writeTree(stage.to, new Map([...readTree(stage.to), ...old]));
  appendFileSync(join(stage.to, '.awards.files'), [...old.keys(), ''].join('\n'));
  await stage.edit();
  await stage.copy({ now: new Date(end) });
  const tree = readTree(stage.to);
  expect(historyFaults(tree)).toEqual([]);
  const files = [...tree.keys()].filter((path) => path.startsWith('changes/'));
  const bytes = tree.get('changes/index.json')!.length;
  // 393 days, 350 publishes of a week, the new one, the index and the feed.
  expect([files.length, bytes < 500_000], `${bytes} bytes`).toEqual([746, true]);
  const ids = published.map((own) => own.snapshot);
  const all = [...ids, jsonAt<History>(tree, 'changes/index.json').snapshot];
  const choices = seeded('50 publishes a day');
  for (const position of [0, ...Array.from({ length: 20 }, () => choices.between(1, ids.length - 1))]) {
    const { document } = await changes(ids[position]!);
    const found = document.data.map((own: { snapshot: string }) => own.snapshot).reverse();
    expect(found).toEqual(all.slice(position + 1, position + 41));
    const since = (published[position] as { published_at?: string }).published_at!;
    expect((await changes(since)).document.data.at(-1).snapshot).toBe(all[Math.max(position - 1, 0)]);
  }
  // Only what is new is written on the same day, and two days later one more day is put together.
  await stage.edit();
  expect((await stage.copy({ now: new Date(end + 60_000) })).removed).toBeLessThan(10);
  await stage.edit();
  expect((await stage.copy({ now: new Date(end + 86_400_000) })).removed).toBeGreaterThanOrEqual(50);
  expect(historyFaults(readTree(stage.to))).toEqual([]);
});

test('a reader who asks by time misses no publish that was uploading then', async () => {
  const at = (time: string) => ({ now: new Date(`2026-01-0${time}:00:00Z`) });
  await stage.publish(at('1T00'));
  await stage.edit();
  await stage.publish(at('1T12'));
  const reader = () => {
    const file = async (path: string) => stage.api.live()!.get(path);
    return new Resolver({ file, shard: file });
  };
  const changesAt = async (since: string) => {
    const { body } = await reader().answer({
      method: 'GET',
      path: '/api/changes',
      queryString: `since=${since}`,
    });
    return JSON.parse(new TextDecoder().decode(body!)).data.map((own: { snapshot: string }) => own.snapshot);
  };
  await stage.edit();
  // Eight hours into the upload the reader takes a copy of what is live.
  stage.api.onUpload = () => {
    stage.api.refuseWith = 500;
  };
  await expect(stage.publish(at('3T00'))).rejects.toThrow(/answer 500/);
  stage.api.onUpload = () => {};
  stage.api.refuseWith = undefined;
  const seen = await changesAt('2026-01-01');
  await stage.publish(at('3T10'));
  const next = await changesAt('2026-01-03T08:00:00Z');
  expect(next.filter((own: string) => !seen.includes(own))).toHaveLength(1);
  expect(jsonAt<History>(stage.api.live()!, 'changes/index.json').data[0]!.published_at).toBe(
    '2026-01-03T00:00:00Z',
  );
});

test('a copy that starts from a download and follows the changes has the bytes of each later download, after random edits of every resource', async () => {
  const rounds = runs(20);
  const [first, ...later] = fc.sample(fc.tuple(editsOfAll, anyEdits), { numRuns: rounds, seed: runSeed });
  await build(stage.connection, stage.out, true);
  await stage.copy();
  const start = readTree(stage.to);
  const { snapshot } = jsonAt<History>(start, 'changes/index.json');
  const follower = { since: snapshot, mirror: new Mirror(start) };
  const late = { since: snapshot, mirror: new Mirror(start) };
  for (const [round, edits] of [first!, ...later].entries()) {
    for (const edit of edits.flat()) makeEdit(stage.connection, edit);
    await build(stage.connection, stage.out, true);
    await stage.copy();
    await catchUp(follower);
    expectMirrored(follower.mirror, readTree(stage.to), `round ${round}`);
  }
  await catchUp(late);
  expectMirrored(late.mirror, readTree(stage.to), 'the last round');
  const { data } = jsonAt<History>(readTree(stage.to), 'changes/index.json');
  expect(data.length).toBeGreaterThan(rounds / 2);
});

test('a publish that changed details of a nomination alone names them, and its entry of the feed counts it', async () => {
  await build(stage.connection, stage.out, true);
  await stage.copy();
  stage.connection.exec("UPDATE nominations SET note = 'A note.', official = 0 WHERE id = 2");
  await build(stage.connection, stage.out, true);
  await stage.copy();
  const { document } = await changes(undefined);
  const details = { before: { note: null, official: true }, after: { note: 'A note.', official: false } };
  expect(document.data[0].records).toEqual([
    {
      ...{ resource: 'nominations', id: 2 },
      ...{ before: { details: details.before }, after: { details: details.after } },
    },
  ]);
  expect(String(readTree(stage.to).get('changes/feed.atom'))).toContain(': 1 record changed</title>');
});

test('a publish of nothing new changes no file of the history, on any later day', async () => {
  await build(stage.connection, stage.out, true);
  const publish = (now: string) => {
    const settings = { now: new Date(now) };
    return Promise.all([stage.copy(settings), stage.publish(settings)]);
  };
  await publish('2026-01-01T00:00:00Z');
  await stage.edit();
  await publish('2026-01-02T00:00:00Z');
  const before = readTree(stage.to);
  const [copied, published] = await publish('2029-01-01T00:00:00Z');
  expect([copied.written, copied.removed, published.scope]).toEqual([0, 0, 'nothing']);
  expectSameTree(readTree(stage.to), before);
});

test('after the clock was set back, the publishes stay in order', async () => {
  for (const now of ['2026-05-01T00:00:00Z', '2026-06-01T00:00:00Z', '2026-01-01T00:00:00Z']) {
    await stage.copy({ now: new Date(now) });
    await stage.edit();
  }
  const { document } = await changes('2026-05-31');
  expect(document.data.map((own: { published_at: string }) => own.published_at)).toEqual(
    Array(2).fill('2026-06-01T00:00:00Z'),
  );
});

test('downloads with values that may not be passed on make no release', async () => {
  stage.connection.exec("UPDATE movies SET tagline = 'RESTRICTED' WHERE id = 3");
  markGiven(stage.connection, 'movies', 3, ['tagline'], 'tmdb');
  await build(stage.connection, stage.out, true);
  await updateLayers(stage.out, layersOf(['downloads'], { includeRestricted: true }));
  await stage.copy();
  const tree = readTree(stage.to);
  expect(String(tree.get('downloads/movies.ndjson'))).toContain('RESTRICTED');
  expect(jsonAt(tree, 'downloads/releases.json')).toEqual({ data: [] });
});

test('a live site that does not answer, or not yet, fails the publish: a later one goes on', async () => {
  await stage.publish();
  await stage.edit();
  stage.api.siteStatus = 503;
  const failure: unknown = await stage.publish().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RetryLaterError);
  expect((failure as Error).message).toMatch(
    /^reading manifest\.json of the site failed 6 times: answer 503;/,
  );
  stage.api.siteStatus = 200;
  // A shard that the live snapshot alone has: with it, what the publish changes can be told.
  const manifest = stage.tree().get('manifest.json')!.toString();
  const isGone = (path: string) => !manifest.includes(/([^/]+)\.json$/.exec(path)![1]!);
  const live = [...stage.api.live()!.keys()];
  const shard = live.find((path) => path.startsWith('shards/records/movies/') && isGone(path))!;
  for (const path of ['manifest.json', 'changes/index.json', shard, 'downloads/releases.json']) {
    stage.api.missedOnce.add(path);
    const missed: unknown = await stage.publish().catch((error: unknown) => error);
    expect(missed).toBeInstanceOf(RetryLaterError);
    expect((missed as Error).message).toMatch(
      new RegExp(`has ${path}, but does not show it; publish again$`),
    );
  }
  await stage.publish();
  expect(jsonAt<History>(stage.api.live()!, 'changes/index.json').data).toHaveLength(1);
});

test('a publish with a clock of 2036 decides neither the times nor the dated downloads of later ones', async () => {
  await build(stage.connection, stage.out, true);
  const days = ['2026-01-01', '2036-05-05', '2026-01-02', '2026-01-03'];
  for (const day of days) {
    await stage.edit();
    const notices: string[] = [];
    const settings = { now: new Date(`${day}T00:00:00Z`), onNotice: (line: string) => notices.push(line) };
    await stage.copy(settings);
    const noted = [
      expect.stringMatching(/notes a publish at 2036-05-05T00:00:00Z, more than a year after now/),
    ];
    expect(notices, day).toEqual(day > '2026-01-01' && day < '2036' ? noted : []);
  }
  const tree = readTree(stage.to);
  expect(historyFaults(tree)).toEqual([]);
  const { data } = jsonAt<History>(tree, 'changes/index.json');
  expect(data.map((row) => row.published_at.slice(0, 10))).toEqual([
    '2026-01-03',
    '2026-01-02',
    '2036-05-05',
  ]);
  const releases = jsonAt<{ data: ReleaseRow[] }>(tree, 'downloads/releases.json').data;
  expect(releases.map(({ date }) => date)).toEqual(days.toReversed());
  // A reader who asks by time gets what was published since then, if not less.
  const { document } = await changes('2026-01-03');
  expect(document.data.map((own: { snapshot: string }) => own.snapshot)).toContain(data[0]!.snapshot);
});

test.each([
  ['began', ['2036-05-05', '2026-01-02', '2026-01-03']],
  ['went on', ['2026-01-01', '2036-05-05', '2026-01-02', '2026-01-03']],
])(
  'a history that %s with a clock of 2036 answers readers who ask by time, and is put into years',
  async (_, days) => {
    for (const day of [...days, '2027-06-01', '2027-06-02']) {
      await stage.edit();
      await stage.copy({ now: new Date(`${day}T00:00:00Z`) });
    }
    const tree = readTree(stage.to);
    expect(historyFaults(tree)).toEqual([]);
    expect(jsonAt<History>(tree, 'changes/index.json').data.at(-1)!.path).toBe('/changes/2026.json');
    const { document } = await changes('2026-01-02');
    expect(document.data.length).toBe(days.length + 1);
    expect((await changes('2025-12-31')).status).toBe(410);
  },
);

test('a site without a history has published its current snapshot only', async () => {
  await stage.copy();
  rmSync(join(stage.to, 'changes'), { recursive: true });
  const { snapshot } = jsonAt<History>(readTree(stage.to), 'manifest.json');
  for (const since of [undefined, snapshot])
    expect(await changes(since)).toMatchObject({ status: 200, document: { snapshot, data: [] } });
  expect((await changes('2026-01-01')).status).toBe(410);
  for (const damaged of ['<html>', '{"data"']) {
    mkdirSync(join(stage.to, 'changes'), { recursive: true });
    writeFileSync(join(stage.to, 'changes/index.json'), damaged);
    expect((await changes(snapshot)).status).toBe(503);
  }
  expect(await changes('yesterday')).toMatchObject({
    document: {
      errors: [{ message: expect.stringMatching(/^since must be the id of a snapshot, a date such/) }],
    },
  });
});

test('a parser of Atom reads the feed', async (context) => {
  needTools(context);
  await stage.copy({ origin: 'https://awards.example', now: new Date('2026-11-25T10:00:00Z') });
  await stage.edit('A "title" & <more>');
  await stage.copy({ origin: 'https://awards.example', now: new Date('2026-11-26T10:00:00Z') });
  const Parser = requireTool('rss-parser');
  const feed = await new Parser().parseString(String(readTree(stage.to).get('changes/feed.atom')));
  expect(feed).toMatchObject({
    title: 'Film Awards: changes of the record',
    feedUrl: 'https://awards.example/changes/feed.atom',
    items: [{ title: '2026-11-26: 1 record changed', isoDate: '2026-11-26T10:00:00.000Z' }],
  });
  expect(readTree(stage.to).has(new URL(feed.items[0].link).pathname.slice(1))).toBe(true);
});

test('every time from the one at which the history begins is answered, and the time before is gone', async () => {
  await stage.copy({ now: new Date('2026-01-01T09:30:00.700Z') });
  await stage.edit();
  await stage.copy({ now: new Date('2026-01-02T09:30:00Z') });
  for (const [since, status] of [
    ['2026-01-01T09:29:59.999Z', 410],
    ['2026-01-01T09:30:00Z', 200],
    ['2026-01-01T11:30:00+02:00', 200],
    ['2026-01-01T09:30:00.500Z', 200],
  ] as const)
    expect((await changes(since)).status, since).toBe(status);
});

test('the file of a day has the changes of its publishes: a lost index is made again from it', async () => {
  const copy = (time: string) => stage.copy({ now: new Date(time) });
  for (const time of ['01T08', '01T09', '01T10', '02T08', '09T08', '10T08']) {
    await stage.edit();
    await copy(`2026-01-${time}:00:00Z`);
  }
  const whole = readTree(stage.to);
  const { data } = jsonAt<History>(whole, 'changes/index.json');
  const names = data.map(({ path }) => path.replace(/-[0-9a-f]{20}/, '-ID'));
  expect(names).toEqual(['10-ID', '09-ID', '02-ID', '01'].map((own) => `/changes/2026-01-${own}.json`));
  expect(data.at(-1)).toMatchObject({ changed: 2, published_at: '2026-01-01T10:00:00Z' });
  expect(String(whole.get('changes/feed.atom')).match(/<entry>/g)).toHaveLength(4);
  rmSync(join(stage.to, 'changes/index.json'));
  await copy('2026-01-10T08:00:00Z');
  expect(jsonAt<History>(readTree(stage.to), 'changes/index.json').data).toEqual(data);
});

test('a publish that is killed after the file of a year, before the index, notes no change twice', async () => {
  const copy = async (day: string) => {
    await stage.copy({ now: new Date(`${day}T00:00:00Z`) });
    await stage.edit();
    return readTree(stage.to);
  };
  // At the last one, another publish of 2024 has become old.
  for (const day of ['2024-01-01', '2024-02-01', '2024-03-01', '2025-03-20']) await copy(day);
  const before = await copy('2025-03-21');
  const note = join(stage.to, '.awards.files');
  const [year, noted] = ['changes/2024.json', readFileSync(note)];
  const next = (await copy('2025-04-20')).get(year)!;
  expect(next.equals(before.get(year)!)).toBe(false);
  writeTree(stage.to, new Map([...before, [year, next]]));
  writeFileSync(note, noted);
  const { document } = await changes(undefined);
  const ids = document.data.map((own: { snapshot: string }) => own.snapshot);
  expect(ids).toEqual([...new Set(ids)]);
  expect(historyFaults(await copy('2025-04-21'))).toEqual([]);
});

test('a live site with a password keeps its history: the publish is refused, without "--force"', async () => {
  await stage.publish();
  await stage.edit();
  await stage.publish();
  const live = stage.api.live()!;
  await stage.edit();
  for (const status of [401, 403]) {
    stage.api.siteStatus = status;
    const message = `refuses to show manifest.json (${status}), and the history goes on from there`;
    await expect(stage.publish()).rejects.toThrow(message);
    expectSameTree(stage.api.live()!, live);
  }
  await stage.publish({ force: true });
  expect(jsonAt<History>(stage.api.live()!, 'changes/index.json').data).toEqual([]);
});

test('a publish of the same revision from elsewhere, during the uploads, is not lost: the next one continues it', async () => {
  await stage.publish();
  await stage.edit();
  const title = parseTitle([...stage.api.deploys.values()].at(-1)!.title)!;
  const elsewhere = new Map(stage.api.live()!);
  elsewhere.set('changes/index.json', Buffer.from('{"data": "another"}'));
  stage.api.onUpload = () => {
    stage.api.onUpload = () => {};
    stage.api.publishElsewhere(formatTitle({ ...title, files: 'e'.repeat(20) }), elsewhere);
  };
  await expect(stage.publish()).rejects.toThrow(/^another publisher has changed .* in the meantime; publish/);
  expectSameTree(stage.api.live()!, elsewhere);
  expect(await stage.publish()).toMatchObject({ scope: 'deploy' });
  expect(historyFaults(stage.api.live()!)).toEqual([]);
});

test('a dry run counts the files of the history that stay', async () => {
  await build(stage.connection, stage.out, true);
  for (const day of ['2026-01-01', '2026-01-02', '2026-01-03']) {
    const settings = { now: new Date(`${day}T00:00:00Z`) };
    const { total, files, removed } = await stage.plan(settings);
    const shown = new Set(stage.api.live()?.keys());
    const report = await stage.publish(settings);
    const live = stage.api.live()!;
    expect([report.files, report.uploaded, live.size]).toEqual([total, files.length, total]);
    expect([...shown].filter((path) => !live.has(path)).sort()).toEqual(removed);
    await stage.edit();
  }
});

test.each([
  ['the same day', '2026-01-02T20:00:00Z', '2026-01-02T09:00:00Z'],
  ['months later', '2026-03-02T09:00:00Z', '2026-03-02T09:00:00Z'],
])('a publish that failed and goes on %s has a time that readers by date find', async (_name, now, noted) => {
  await stage.publish({ now: new Date('2026-01-01T00:00:00Z') });
  await stage.edit();
  stage.api.onUpload = () => {
    stage.api.refuseWith = 500;
  };
  await expect(stage.publish({ now: new Date('2026-01-02T09:00:00Z') })).rejects.toThrow(/answer 500/);
  stage.api.onUpload = () => {};
  stage.api.refuseWith = undefined;
  await stage.publish({ now: new Date(now) });
  expect(jsonAt<History>(stage.api.live()!, 'changes/index.json').data[0]!.published_at).toBe(noted);
});
