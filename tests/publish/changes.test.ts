/**
 * The promise: a reader of /api/changes gets every change since its snapshot once, in order, in answers of bounded size; where one
 * is lost it is told to start again; and what a later version adds costs it nothing.
 */
import { describe, expect, test } from 'vitest';
import { createClient } from '../../api/client/client.ts';
import {
  readChangeIndex,
  readChangeList,
  readRelease,
  readReleaseIndex,
} from '../../api/contract/history.ts';
import { manifestText } from '../../api/contract/snapshot.ts';
import { changesSince } from '../../api/read/changes.ts';
import { Resolver } from '../../api/read/resolve.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { nextChanges } from '../../build/publish/change-history.ts';
import { changesBetween } from '../../build/publish/changes.ts';
import { LiveSite } from '../../build/publish/live-site.ts';
import type { Live } from '../../build/publish/target.ts';
import { compileInMemory, MemoryFolder } from '../records/build.ts';
import { memoryDatabase } from '../records/databases.ts';
import { markGiven } from '../records/given.ts';
import { seeded } from '../records/seed.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { runs } from '../support/settings.ts';

/** Ids begin alike in groups of sixteen. */
const idOf = (number: number) => number.toString(16).padStart(9, '0').padEnd(20, '0');
const timeOf = (number: number) => new Date(Date.UTC(2025, 0, 1) + number * 3_600_000).toISOString();
const recordsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ resource: 'movies', id: i + 1, before: null, after: {} }));

interface Change {
  snapshot: string;
  previous: string;
  published_at: string;
  records: object[] | null;
}

/** A history: path → document. @param snapshots in order @param sizes records of each publish after the first @param inYear publishes in the file of the year @param inDays those after them that are in the files of their days */
function historyOf(snapshots: readonly string[], sizes: readonly (number | null)[], inYear = 0, inDays = 0) {
  const changes: Change[] = sizes.map((size, i) => ({
    ...{ published_at: timeOf(i + 1), snapshot: snapshots[i + 1]!, previous: snapshots[i]! },
    records: size === null ? null : recordsOf(size),
  }));
  const documents = new Map<string, object>();
  const rowOf = (path: string, own: readonly Change[]) => {
    documents.set(path, { data: own });
    const { published_at, snapshot } = own[0]!;
    const added = own.some(({ records }) => records)
      ? own.reduce((sum, { records }) => sum + (records?.length ?? 0), 0)
      : null;
    const counts = { added, changed: added && 0, removed: added && 0 };
    const isOfDay = /^changes\/\d{4}-\d\d-\d\d\.json$/.test(path);
    const earlier = own.slice(1).map((change) => change.snapshot.slice(0, 8));
    const row = { published_at, snapshot, previous: own.at(-1)!.previous, path: `/${path}`, ...counts };
    return isOfDay ? { ...row, earlier } : row;
  };
  const year = changes.slice(0, inYear).reverse();
  const singles = changes.slice(inYear + inDays).reverse();
  const rows = singles.map((own, i) => rowOf(`changes/2025-01-01-${own.snapshot}-${i + 2}.json`, [own]));
  const days = new Map<string, Change[]>();
  for (const own of changes.slice(inYear, inYear + inDays).reverse()) {
    const day = own.published_at.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), own]);
  }
  for (const [day, own] of days) rows.push(rowOf(`changes/${day}.json`, own));
  if (year.length > 0) rows.push(rowOf('changes/2025.json', year));
  const oldest = { snapshot: snapshots[0]!, published_at: timeOf(0) };
  documents.set('changes/index.json', { snapshot: snapshots.at(-1)!, oldest, data: rows });
  return { documents, changes };
}

type Documents = ReadonlyMap<string, object>;
const bytesAt = (documents: Documents, path: string) => {
  const document = documents.get(path);
  return document && Buffer.from(JSON.stringify(document));
};

async function ask(documents: Documents, since: string | undefined) {
  const read: string[] = [];
  const answer = await changesSince(idOf(0), since, async (path) => {
    read.push(path);
    return bytesAt(documents, path);
  });
  // A file of a year can have megabytes.
  expect(read).toEqual([...new Set(read)]);
  return { ...answer, reads: read.length };
}

/** All changes, the oldest first. Fails for an answer that is too large. */
async function follow(documents: Documents, since: string | undefined): Promise<Change[]> {
  const all: Change[] = [];
  for (let asked = since, answers = 0; ; answers += 1) {
    expect(answers).toBeLessThan(500);
    const { snapshot, data, next, reads } = await ask(documents, asked);
    all.push(...data.reverse());
    const records = data.reduce((sum, own) => sum + own.records!.length, 0);
    expect(data.length).toBeLessThanOrEqual(40);
    expect(reads).toBeLessThanOrEqual(45);
    if (data.length > 1) expect(records).toBeLessThanOrEqual(2000);
    if (next === undefined) return all;
    expect(next).toBe(`/api/changes?since=${snapshot}`);
    asked = snapshot;
  }
}

test.each([
  [27, true],
  [27.001, false],
])('a publish that began %d hours before a time is in its answer: %s', async (hours, isIn) => {
  const { documents, changes } = historyOf(numbered(3), [1, 1]);
  const since = new Date(Date.parse(changes[1]!.published_at) + hours * 3_600_000).toISOString();
  expect((await follow(documents, since)).length).toBe(isIn ? 1 : 0);
});

const numbered = (count: number) => Array.from({ length: count }, (_, i) => idOf(i + 1));

test('random histories: a reader of any age gets each change once, in order, whatever the files are', async () => {
  const choices = seeded('pages of changes');
  for (let run = 0; run < runs(12); run += 1) {
    const count = choices.between(1, 100);
    const snapshots = numbered(count + 1);
    const large = choices.pick([0, 0.04]);
    const sizes = snapshots
      .slice(1)
      .map(() => (choices.chance(large) ? choices.pick([1200, 2500]) : choices.pick([0, 1, 3])));
    const inYear = choices.between(0, count);
    const { documents, changes } = historyOf(snapshots, sizes, inYear, choices.between(0, count - inYear));
    const position = choices.between(0, count);
    // The publish before a time may have been live after it.
    for (const [since, first] of [
      [snapshots[position]!, position],
      [timeOf(position + 1), Math.max(position - 1, 0)],
    ] as const)
      expect(
        (await follow(documents, since)).map(({ snapshot }) => snapshot),
        `run ${run}, ${since}`,
      ).toEqual(changes.slice(first).map(({ snapshot }) => snapshot));
    expect(await follow(documents, undefined)).toEqual(changes);
    await expect(ask(documents, 'f'.repeat(20))).rejects.toThrow(/^the changes since f{20} are not kept/);
    await expect(ask(documents, '2024-12-31')).rejects.toThrow(/are not kept; the oldest are at/);
  }
});

test('a record that returns to earlier snapshots: every reader ends with the newest one', async () => {
  const choices = seeded('returning snapshots');
  for (let run = 0; run < runs(40); run += 1) {
    const count = choices.between(1, 120);
    const snapshots = [idOf(1)];
    while (snapshots.length <= count) {
      const next = idOf(choices.between(1, 4));
      if (next !== snapshots.at(-1)) snapshots.push(next);
    }
    const inYear = choices.between(0, count);
    const inDays = choices.between(0, count - inYear);
    const { documents } = historyOf(snapshots, Array(count).fill(1), inYear, inDays);
    const since = choices.pick(snapshots);
    let state = since;
    for (const { previous, snapshot } of await follow(documents, since)) {
      expect(previous, `run ${run}`).toBe(state);
      state = snapshot;
    }
    expect(state).toBe(snapshots.at(-1));
  }
});

test('an answer that holds all has no next, and its bytes are those of the files', async () => {
  const { documents, changes } = historyOf(numbered(41), Array(40).fill(2));
  const { reads, ...answer } = await ask(documents, idOf(1));
  expect(answer).toEqual({ snapshot: idOf(41), data: changes.toReversed() });
  expect(reads).toBe(41);
});

describe('in the resolver:', () => {
  const { text, manifest } = manifestText({ sources: [], counts: {}, families: {} } as never);
  const { documents, changes } = historyOf([...numbered(60), manifest.snapshot], Array(60).fill(1));
  const file = async (path: string) =>
    path === 'manifest.json' ? Buffer.from(text) : bytesAt(documents, path);
  const resolver = new Resolver({ file, shard: file });

  test('the header Link has the address of the next answer, and the last answer has none', async () => {
    const linkOf = async (since: string) => {
      const request = { method: 'GET', path: '/api/changes', queryString: `since=${since}` };
      return (await resolver.answer(request)).headers.Link;
    };
    expect(await linkOf(idOf(1))).toBe(`</api/changes?since=${idOf(41)}>; rel="next"`);
    expect(await linkOf(idOf(41))).toBeUndefined();
  });

  test('the client follows all answers, the oldest change first', async () => {
    const ask = (path: string, init: RequestInit) =>
      resolver.fetch(new Request(`https://awards.example${path}`, init));
    const client = createClient({ fetch: ask });
    const seen: string[] = [];
    for await (const { snapshot } of client.changes(idOf(1))) seen.push(snapshot);
    expect(seen).toEqual(changes.map(({ snapshot }) => snapshot));
    const gone = client.changes('f'.repeat(20)).next();
    await expect(gone).rejects.toMatchObject({ status: 410, code: 'changes-gone' });
  });
});

describe('changes that are lost:', () => {
  const history = (inYear = 0) => historyOf(numbered(9), Array(8).fill(1), inYear);
  const lost =
    /are not kept; the oldest are at \/api\/changes\?since=0+50+; a copy starts again from \/downloads\/index\.json$/;
  const fileOf = ({ documents }: ReturnType<typeof history>, snapshot: string) =>
    [...documents.keys()].find((path) => path.includes(`-${snapshot}-`))!;

  test.each<[string, (documents: Map<string, object>, path: string) => unknown]>([
    ['a missing file', (documents, path) => documents.delete(path)],
    ['a damaged file', (documents, path) => documents.set(path, { data: 'none' })],
    [
      'the file of another publish',
      (documents, path) => documents.set(path, { data: [{ ...history().changes[0] }] }),
    ],
  ])('%s is 410 for those who need it, and costs others nothing', async (_name, damage) => {
    const own = history();
    damage(own.documents, fileOf(own, idOf(5)));
    for (const since of [idOf(1), idOf(4), timeOf(2)])
      await expect(ask(own.documents, since)).rejects.toThrow(lost);
    expect(await follow(own.documents, idOf(5))).toEqual(own.changes.slice(4));
    expect(await follow(own.documents, undefined)).toEqual(own.changes.slice(4));
  });

  test('a publish whose records are not known is 410 for those before it', async () => {
    const own = historyOf(numbered(9), [1, 1, 1, null, 1, 1, 1, 1]);
    await expect(ask(own.documents, idOf(4))).rejects.toThrow(lost);
    expect(await follow(own.documents, idOf(5))).toEqual(own.changes.slice(4));
    expect(await follow(own.documents, undefined)).toEqual(own.changes.slice(4));
  });

  test('a lost file of a year is 410, also for a snapshot that may be in it', async () => {
    const own = history(4);
    own.documents.delete('changes/2025.json');
    for (const since of [idOf(1), idOf(3)]) await expect(ask(own.documents, since)).rejects.toThrow(lost);
    expect(await follow(own.documents, idOf(5))).toEqual(own.changes.slice(4));
    expect(await follow(own.documents, undefined)).toEqual(own.changes.slice(4));
  });

  test('a gap in the file of a year is not passed over', async () => {
    const own = history(4);
    const { data } = own.documents.get('changes/2025.json') as { data: Change[] };
    own.documents.set('changes/2025.json', { data: data.filter(({ snapshot }) => snapshot !== idOf(3)) });
    await expect(ask(own.documents, idOf(1))).rejects.toThrow(/are not kept/);
  });

  test('a file that a publish replaces meanwhile is 503: the next request finds it', async () => {
    const [before, after] = [
      historyOf(numbered(9), Array(8).fill(1)),
      historyOf(numbered(9), Array(8).fill(1), 8),
    ];
    let reads = 0;
    const asked = changesSince(idOf(0), idOf(1), async (path) => {
      reads += 1;
      return bytesAt(reads === 1 ? before.documents : after.documents, path);
    });
    await expect(asked).rejects.toMatchObject({ name: 'SnapshotUnavailable' });
  });
});

test('members of a later version are left aside', async () => {
  const own = historyOf(numbered(5), Array(4).fill(1), 2);
  const more = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(more)
      : value && typeof value === 'object'
        ? {
            version: 99,
            ...Object.fromEntries(Object.entries(value).map(([name, item]) => [name, more(item)])),
          }
        : value;
  const later = new Map([...own.documents].map(([path, document]) => [path, more(document) as object]));
  const snapshots = (await follow(later, idOf(1))).map(({ snapshot }) => snapshot);
  expect(snapshots).toEqual(own.changes.map(({ snapshot }) => snapshot));
});

test.each(['{"data": "none"}', '{}', 'null', '[]', '{"snapshot": 1, "oldest": {}, "data": []}', '\u0000'])(
  'an index %j is damaged: 503, until the next publish makes it again',
  async (text) => {
    const asked = changesSince(idOf(0), idOf(1), async () => Buffer.from(text));
    await expect(asked).rejects.toMatchObject({
      name: 'SnapshotUnavailable',
      message: /index\.json is damaged/,
    });
  },
);

describe('a document of the history without a member, or with one of another kind, is damaged:', () => {
  const { documents } = historyOf(numbered(4), [1, 2, 3], 0, 2);
  const row = {
    date: '2025-01-01',
    path: '/downloads/2025-01-01/index.json',
    bytes: 9,
    sha256: 'c'.repeat(64),
  };
  const release = {
    snapshot: idOf(1),
    records: { movies: 3 },
    files: [{ name: 'a', bytes: 1, sha256: 'b' }],
  };
  test.each<[string, (bytes: Uint8Array) => unknown, object]>([
    ['changes/index.json', readChangeIndex, documents.get('changes/index.json')!],
    ['changes/2025-01-01.json', readChangeList, documents.get('changes/2025-01-01.json')!],
    ['downloads/releases.json', readReleaseIndex, { data: [row] }],
    ['the index of a day', readRelease, release],
  ])('%s', (_name, read, document) => {
    const isRead = (value: unknown) => read(Buffer.from(JSON.stringify(value))) !== undefined;
    expect(isRead(document)).toBe(true);
    // The records of a change are those of any version.
    const places = placesIn(document).filter((place) => !/records\./.test(place.join('.')));
    expect(places.length).toBeGreaterThan(4);
    for (const place of places) {
      expect([place, isRead(changed(document, place, true))]).toEqual([place, false]);
      const isLeftOut = isRead(changed(document, place, undefined));
      expect([place, isLeftOut]).toEqual([place, place.at(-1) === 'earlier']);
    }
  });
});

/** The places of all members of a document: their names, from the outermost on. */
const placesIn = (value: unknown): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, own]) => [
        [name],
        ...placesIn(own).map((place) => [name, ...place]),
      ])
    : [];

/** A document with another value at a place; undefined leaves the member out. */
function changed(document: object, place: readonly string[], value: unknown): object {
  const copy = structuredClone(document);
  const members = place.slice(0, -1).reduce((own, name) => own[name] as Members, copy as Members);
  members[place.at(-1)!] = value;
  return copy;
}
type Members = Record<string, unknown>;

test('a publish that changes only values that may not be passed on shows no change', async () => {
  const connection = memoryDatabase(fillWithTinyRecord);
  const snapshots = [];
  for (const tagline of ['One', 'Two', null]) {
    connection.prepare('UPDATE movies SET tagline = ? WHERE id = 1').run(tagline);
    if (tagline !== null) markGiven(connection, 'movies', 1, ['tagline'], 'tmdb');
    snapshots.push(await new Resolver(await compileInMemory(connection)).snapshot());
  }
  const [one, two, none] = snapshots as [Snapshot, Snapshot, Snapshot];
  expect([await changesBetween(one, two), await changesBetween(two, none)]).toEqual([[], []]);
  connection.exec("UPDATE movies SET title = 'Another' WHERE id = 1");
  const after = await new Resolver(await compileInMemory(connection)).snapshot();
  const shown = expect.objectContaining({ resource: 'movies', id: 1 });
  expect(await changesBetween(one, after)).toContainEqual(shown);
});

test('a publish is noted without its records where the site shows another snapshot than its history, or an unknown one', async () => {
  const connection = memoryDatabase(fillWithTinyRecord);
  const snapshots: Snapshot[] = [];
  for (const title of ['One', 'Two', 'Three']) {
    connection.prepare('UPDATE movies SET title = ? WHERE id = 1').run(title);
    snapshots.push(await new Resolver(await compileInMemory(connection)).snapshot());
  }
  const [one, two, three] = snapshots as [Snapshot, Snapshot, Snapshot];
  const shown = (snapshot: Snapshot) => ({ id: snapshot.id, snapshot });
  const times = { origin: '', time: '2026-01-01T00:00:00Z' };
  const begun = await nextChanges(undefined, undefined, one, times);
  const next = { origin: '', time: '2026-01-02T00:00:00Z' };
  const recordsAfter = async (own: ReturnType<typeof shown> | undefined) => {
    const source = new MemoryFolder(begun.files);
    const paths = new Set(begun.files.keys());
    const live = { name: 'the site', source, paths, wasPublished: true } satisfies Partial<Live>;
    const site = new LiveSite(live as Partial<Live> as Live, { force: true });
    const { files } = await nextChanges(site, own, three, next);
    const [change] = readChangeList(files.get(`changes/2026-01-02-${three.id}.json`)!)!.data;
    return change!.records?.map(({ resource, id }) => `${resource} ${id}`);
  };
  expect(await recordsAfter(shown(one))).toContain('movies 1');
  expect([await recordsAfter(shown(two)), await recordsAfter(undefined)]).toEqual([undefined, undefined]);
});
