/**
 * The promise: no change and no dated download that was ever published is lost silently. Whatever happens to the live site, the next
 * publish goes on with its history and says what it repaired, or changes nothing and names the file; with "--force" it says what
 * is lost to copies, and removes nothing either.
 */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { UserError } from '../../data/system/messages.ts';
import { afterPowerCut, recordOperations } from '../support/power-cut.ts';
import { ask, openFolder, unavailable } from '../support/folder-answers.ts';
import { expectSameTree, readTree, type Tree, writeTree } from '../records/tree.ts';
import type { Choices } from '../records/random.ts';
import { seeded } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { type History, historyFaults, isOfHistory, jsonAt, type ReleaseRow } from './history.ts';
import { useStage } from './stage.ts';

const stage = useStage();

interface Settings {
  now: Date;
  force?: boolean;
  onNotice?: (line: string) => void;
}

/** What is published to: how it is read, replaced from outside, and published to. */
const targets = {
  folder: {
    tree: (): Tree => readTree(stage.to),
    replace: (tree: Tree) => writeTree(stage.to, tree),
    publish: (settings: Settings) => stage.copy(settings),
  },
  Netlify: {
    tree: (): Tree => stage.api.live() ?? new Map(),
    replace: (tree: Tree) => stage.api.publishElsewhere([...stage.api.deploys.values()].at(-1)!.title, tree),
    publish: (settings: Settings) => stage.publish(settings),
  },
};
type Target = (typeof targets)[keyof typeof targets];
const eachTarget = Object.entries(targets).map(([name, target]) => ({ name, target }));

/** Days since 2026-01-01. */
let day = 0;
const later = (days: number) => {
  day += days;
  return new Date(Date.UTC(2026, 0, 1) + (day - days) * 86_400_000);
};
const nextDay = () => later(1);

/** Publishes. @returns the lines that it says, or the error that a person sees */
async function publish(target: Target, settings: Partial<Settings> = {}) {
  const notices: string[] = [];
  const onNotice = (line: string) => void notices.push(line);
  try {
    await target.publish({ now: nextDay(), onNotice, ...settings });
    return { notices, refused: undefined };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    expect(error.message).toMatch(/^[^\n]+$/);
    return { notices, refused: error.message };
  }
}

/** Publishes some edits, each on a day of its own, with downloads. */
async function publishHistory(target: Target, edits: number): Promise<void> {
  day = 0;
  for (let i = 0; i < edits; i += 1) {
    await stage.edit(undefined, true);
    expect(await publish(target)).toEqual({ notices: [], refused: undefined });
  }
}

const indexPath = 'changes/index.json';
const releasesPath = 'downloads/releases.json';
const isIndex = (path: string) => [indexPath, releasesPath, 'changes/feed.atom'].includes(path);
/** The files of days and publishes. */
const lasting = (tree: Tree): Tree =>
  new Map([...tree].filter(([path]) => isOfHistory(path) && !isIndex(path)));
const without = (tree: Tree, path: string): Tree => new Map([...tree].filter(([own]) => own !== path));
const oneIn = (tree: Tree, pattern: RegExp): string =>
  [...tree.keys()].filter((path) => pattern.test(path)).sort()[1]!;
const altered = (tree: Tree, path: string, change: (json: History) => object): Tree =>
  new Map(tree).set(path, Buffer.from(`${JSON.stringify(change(jsonAt(tree, path)))}\n`));
/** Alters a character, so that the file is still one of text. */
const flipped = (tree: Tree, path: string, position = 40): Tree => {
  const bytes = Buffer.from(tree.get(path)!);
  bytes[position % bytes.length]! ^= 1;
  return new Map(tree).set(path, bytes);
};

const change = /^changes\/\d{4}-/;
const repaired =
  /^changes\/index\.json of .* is (missing|damaged, or of another version): it is made again from 3 files of changes$/;
const completed =
  /^downloads\/releases\.json of .* (lacks days|is damaged, or of another version): it is completed with 4 days of downloads$/;

/** Damage after four publishes of three changes → what the next publish says. */
const repairs: Readonly<Record<string, [damage: (tree: Tree) => Tree, said: RegExp]>> = {
  'no index of changes': [(tree) => without(tree, indexPath), repaired],
  'an empty index of changes': [(tree) => new Map(tree).set(indexPath, Buffer.from('')), repaired],
  'an index of changes without rows': [
    (tree) => altered(tree, indexPath, (json) => ({ ...json, data: [] })),
    repaired,
  ],
  'an index of changes of another version': [
    (tree) => new Map(tree).set(indexPath, Buffer.from('{"version":2,"publishes":[]}')),
    repaired,
  ],
  'an id in the index of changes': [
    (tree) => flipped(tree, indexPath, String(tree.get(indexPath)).indexOf('"previous"') + 14),
    repaired,
  ],
  'a path in the index of changes': [
    (tree) =>
      altered(tree, indexPath, (json) => ({
        ...json,
        data: json.data.with(1, { ...json.data[1]!, path: json.data[1]!.path.replace('/2026', '/2027') }),
      })),
    repaired,
  ],
  'no index of releases': [(tree) => without(tree, releasesPath), completed],
  'a damaged index of releases': [
    (tree) => new Map(tree).set(releasesPath, Buffer.from('{"data": "none"}')),
    completed,
  ],
  'an index of releases without days': [
    (tree) => altered(tree, releasesPath, () => ({ data: [] })),
    completed,
  ],
};

/** Damage → the file that the next publish names, before it ends. */
const refusals: Readonly<Record<string, [damage: (tree: Tree) => Tree, named: RegExp]>> = {
  'no manifest': [
    (tree) => without(tree, 'manifest.json'),
    /^manifest\.json of .* is missing; restore it and publish again, or use --force: this publish is noted/,
  ],
  'a flipped bit in the manifest': [
    (tree) => flipped(tree, 'manifest.json'),
    /^manifest\.json of .* is damaged; restore it/,
  ],
  'a cut manifest': [
    (tree) => new Map(tree).set('manifest.json', tree.get('manifest.json')!.subarray(0, 99)),
    /^manifest\.json of .* is damaged; restore it/,
  ],
  'a flipped bit in each shard of films': [
    (tree) =>
      [...tree.keys()]
        .filter((path) => path.startsWith('shards/records/movies'))
        .reduce((own, path) => flipped(own, path), tree),
    /^what this publish changes cannot be told, because in .* shards\/records\/movies\/.*\.json is damaged; restore it/,
  ],
  'no shards of films': [
    (tree) =>
      [...tree.keys()].filter((path) => path.startsWith('shards/records/movies')).reduce(without, tree),
    /^what this publish changes cannot be told, because in .* shards\/records\/movies\/.*\.json is missing; restore it/,
  ],
  'no index of changes, and a damaged file of changes': [
    (tree) => flipped(without(tree, indexPath), oneIn(tree, change), 0),
    /^changes\/index\.json of .* is missing, and changes\/2026-.*\.json cannot be read; restore it/,
  ],
  'no index of changes, and a missing file of changes': [
    (tree) => without(without(tree, indexPath), oneIn(tree, change)),
    /^changes\/index\.json of .* is missing, and no file leads to changes\/2026-.*\.json; restore it/,
  ],
  'an index of changes that ends elsewhere': [
    (tree) =>
      altered(tree, indexPath, (json) => ({
        ...json,
        data: json.data.toSpliced(0, 1),
        snapshot: json.data[1]!.snapshot,
      })),
    /^changes\/index\.json of .* ends with snapshot \w+, but the site shows \w+; restore it/,
  ],
};

/** Fails unless all files of days and publishes are there, as they were. */
function expectKept(before: Tree, after: Tree): void {
  for (const [path, bytes] of lasting(before)) expect(after.get(path)?.equals(bytes), path).toBe(true);
}

for (const { name, target } of eachTarget) {
  test.each(Object.entries(repairs))(
    `${name}: %s is made again, and said in one line`,
    async (_, [damage, said]) => {
      await publishHistory(target, 4);
      const whole = target.tree();
      target.replace(damage(whole));
      await stage.edit(undefined, true);
      expect(await publish(target)).toEqual({ notices: [expect.stringMatching(said)], refused: undefined });
      const tree = target.tree();
      expectKept(whole, tree);
      expect(historyFaults(tree)).toEqual([]);
      // The same rows as before, and those of this publish.
      const rowsOf = (own: Tree) => jsonAt<History>(own, indexPath).data;
      const daysOf = (own: Tree) => jsonAt<{ data: ReleaseRow[] }>(own, releasesPath).data;
      expect(rowsOf(tree).slice(1)).toEqual(rowsOf(whole));
      expect(daysOf(tree).slice(1)).toEqual(daysOf(whole));
      await stage.edit(undefined, true);
      expect(await publish(target)).toEqual({ notices: [], refused: undefined });
    },
  );

  test.each(Object.entries(refusals))(
    `${name}: %s ends the publish, and --force removes nothing`,
    async (_, [damage, named]) => {
      await publishHistory(target, 4);
      const whole = target.tree();
      target.replace(damage(whole));
      const damaged = target.tree();
      await stage.edit(undefined, true);
      expect((await publish(target)).refused).toMatch(named);
      expectSameTree(lasting(target.tree()), lasting(damaged));
      expect(target.tree().get('manifest.json')).toEqual(damaged.get('manifest.json'));
      const { notices, refused } = await publish(target, { force: true });
      expect([refused, notices.join('\n')]).toEqual([
        undefined,
        expect.stringMatching(/start again from a download/),
      ]);
      expectKept(damaged, target.tree());
      // Copies are told, and those of the new snapshot go on.
      const { snapshot } = jsonAt<History>(target.tree(), indexPath);
      await stage.edit(undefined, true);
      expect(await publish(target)).toEqual({ notices: [], refused: undefined });
      if (name !== 'folder') return;
      const statusSince = async (since: string) =>
        (
          await openFolder(stage.to).answer({
            method: 'GET',
            path: '/api/changes',
            queryString: `since=${since}`,
          })
        ).status;
      expect(await statusSince(jsonAt<History>(whole, indexPath).oldest.snapshot)).toBe(410);
      expect(await statusSince(snapshot)).toBe(200);
    },
  );
}

test('missing files of changes and days are named by each publish until they are restored', async () => {
  await publishHistory(targets.folder, 4);
  const whole = readTree(stage.to);
  const lost = [oneIn(whole, change), oneIn(whole, /^downloads\/2026-.*index\.json$/)];
  writeTree(stage.to, lost.reduce(without, whole));
  await stage.edit(undefined, true);
  const named = lost.map((path) => expect.stringMatching(new RegExp(`^${path} of .* is missing: `)));
  expect(await publish(targets.folder)).toEqual({ notices: named, refused: undefined });
  const damaged = readTree(stage.to);
  writeTree(stage.to, new Map([...damaged, ...lost.map((path) => [path, whole.get(path)!] as const)]));
  await stage.edit(undefined, true);
  expect(await publish(targets.folder)).toEqual({ notices: [], refused: undefined });
  expect(historyFaults(readTree(stage.to))).toEqual([]);
  expectKept(whole, readTree(stage.to));
});

test('members of a later version stay, and cost no history', async () => {
  await publishHistory(targets.folder, 3);
  const whole = readTree(stage.to);
  const later = (json: object) => ({ ...json, version: 2 });
  writeTree(stage.to, altered(altered(whole, indexPath, later), releasesPath, later));
  await stage.edit(undefined, true);
  expect(await publish(targets.folder)).toEqual({ notices: [], refused: undefined });
  const tree = readTree(stage.to);
  for (const path of [indexPath, releasesPath]) expect(jsonAt(tree, path)).toHaveProperty('version', 2);
  expect(jsonAt<History>(tree, indexPath).data).toHaveLength(3);
  expect(historyFaults(tree)).toEqual([]);
});

test('a snapshot of another version of the format goes on with the history: its copies start again', async () => {
  await publishHistory(targets.folder, 1);
  const whole = readTree(stage.to);
  const { snapshot } = jsonAt<History>(whole, 'manifest.json');
  const text = String(whole.get('manifest.json')).replace(/"format":\d+/, '"format":1000');
  const named = text.replace(`"snapshot":"${snapshot}",`, '').trim();
  const other = createHash('sha256').update(named).digest('hex').slice(0, 20);
  const renamed = (own: string) => Buffer.from(own.replaceAll(snapshot, other));
  const index = renamed(String(whole.get(indexPath)));
  writeTree(stage.to, new Map([...whole, ['manifest.json', renamed(text)], [indexPath, index]]));
  await stage.edit(undefined, true);
  expect(await publish(targets.folder)).toEqual({
    notices: [
      expect.stringMatching(/shows a snapshot of another version of the format: this publish is noted/),
    ],
    refused: undefined,
  });
  const tree = readTree(stage.to);
  expectKept(whole, tree);
  const { data, oldest } = jsonAt<History>(tree, indexPath);
  expect([data.length, data[0]!.previous, data[0]!.added, oldest.snapshot]).toEqual([1, other, null, other]);
  expect(String(tree.get('changes/feed.atom'))).toContain(': what changed is not known</title>');
});

test('the file of a year that the index does not name any more is not replaced by later changes of that year', async () => {
  const publishAt = async (time: string, settings: Partial<Settings> = {}) => {
    await stage.edit();
    return publish(targets.folder, { now: new Date(`${time}T00:00:00Z`), ...settings });
  };
  for (const time of ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2025-02-07'])
    await publishAt(time);
  const whole = readTree(stage.to);
  const lost = [...whole.keys()].find((path) => path.startsWith('changes/2024-01-04'))!;
  writeTree(stage.to, without(without(whole, indexPath), lost));
  expect((await publishAt('2025-02-08')).refused).toContain('no file leads to changes/2024.json');
  await publishAt('2025-02-08', { force: true });
  await publishAt('2025-06-01');
  const tree = readTree(stage.to);
  expect(tree.get('changes/2024.json')).toEqual(whole.get('changes/2024.json'));
  expectKept(without(lasting(whole), lost), tree);
});

/** Things that happen to a site between two publishes. @returns the tree after it */
const accidents: Readonly<Record<string, (tree: Tree, choices: Choices) => Tree>> = {
  nothing: (tree) => tree,
  'a flipped bit': (tree, choices) => flipped(tree, choices.pick(vital(tree)), choices.between(0, 400)),
  'a cut file': (tree, choices) => {
    const path = choices.pick(vital(tree));
    const bytes = tree.get(path)!;
    return new Map(tree).set(path, bytes.subarray(0, choices.between(0, bytes.length - 1)));
  },
  'a missing file': (tree, choices) => without(tree, choices.pick(vital(tree))),
  "another version's index": (tree, choices) =>
    new Map(tree).set(choices.pick([indexPath, releasesPath]), Buffer.from('{"version":2,"rows":[]}')),
};

/** The files that a publish reads to go on with the history. */
const vital = (tree: Tree): string[] =>
  [...tree.keys()].filter((path) =>
    /^(manifest\.json|shards\/|changes\/.*json|downloads\/(\d|releases))/.test(path),
  );

/** The changes of a file, a text each; none for a file that is damaged. */
function changesIn(bytes: Buffer | undefined): string[] {
  try {
    return (JSON.parse(String(bytes)) as { data: object[] }).data.map((own) => JSON.stringify(own));
  } catch {
    return [];
  }
}

/** Fails if a file of a day or publish is gone, or altered, but for changes that are in another file now. */
function expectNothingLost(published: Tree, tree: Tree, place: string): void {
  const missing = [...published].filter(([path, bytes]) => tree.get(path)?.equals(bytes) !== true);
  const files = [...tree].filter(([path]) => /^changes\/\d/.test(path));
  const there = new Set(files.flatMap(([, bytes]) => changesIn(bytes)));
  const isMoved = ([path, bytes]: [string, Buffer]) =>
    path.startsWith('changes/') && changesIn(bytes).every((own) => there.has(own));
  const lost = missing.filter((own) => !isMoved(own)).map(([path]) => path);
  expect(lost, place).toEqual([]);
}

for (const { name, target } of eachTarget)
  test(`${name}: random accidents, clocks and publishers lose no change and no dated download silently`, async () => {
    const choices = seeded(`accidents of a ${name}`);
    await publishHistory(target, 3);
    /** The files of days and publishes that were published, and not destroyed by an accident. */
    const published = new Map(lasting(target.tree()));
    for (let step = 0; step < runs(14); step += 1) {
      const accident = Object.keys(accidents)[step] ?? choices.pick(Object.keys(accidents));
      const whole = target.tree();
      const damaged = accidents[accident]!(whole, choices);
      target.replace(damaged);
      const destroyed = [...whole].filter(([path, bytes]) => damaged.get(path)?.equals(bytes) !== true);
      for (const [path] of destroyed) published.delete(path);
      const others = choices.pick(['none', 'none', 'clock', 'missed', 'elsewhere']);
      const place = `step ${step}: ${accident} (${destroyed.map(([path]) => path)}), ${others}`;
      await stage.edit(undefined, choices.chance(0.7));
      if (name === 'Netlify' && others === 'missed') stage.api.missedOnce.add(choices.pick(vital(damaged)));
      if (name === 'Netlify' && others === 'elsewhere')
        stage.api.onUpload = () => {
          stage.api.onUpload = () => {};
          target.replace(target.tree());
        };
      const now = others === 'clock' ? new Date('2036-05-05') : later(choices.pick([0.25, 1, 3]));
      const before = target.tree();
      const { refused } = await publish(target, { now });
      stage.api.missedOnce.clear();
      stage.api.onUpload = () => {};
      expectNothingLost(published, target.tree(), place);
      if (refused !== undefined) {
        expect(refused, place).toMatch(/\.json|another publisher has changed/);
        expect(target.tree().get('manifest.json'), place).toEqual(before.get('manifest.json'));
        // A person restores the file, or goes on without it.
        const force = choices.chance(0.5);
        if (!force) {
          target.replace(whole);
          for (const [path, bytes] of lasting(whole)) published.set(path, bytes);
        }
        expect((await publish(target, { force })).refused, place).toBeUndefined();
        expectNothingLost(published, target.tree(), place);
      }
      const tree = target.tree();
      published.clear();
      for (const [path, bytes] of lasting(tree)) published.set(path, bytes);
      expect(jsonAt<History>(tree, indexPath).snapshot, place).toBe(
        jsonAt<History>(tree, 'manifest.json').snapshot,
      );
      // What is published again is not damaged any more.
      expect((await publish(target, { now: later(0.25) })).refused, place).toBeUndefined();
    }
  });

test('a power cut at any time leaves the old or the new site, and the next publish goes on with its history', async () => {
  await publishHistory(targets.folder, 2);
  const before = readTree(stage.to);
  const first = await ask(openFolder(stage.to));
  await stage.edit(undefined, true);
  const second = await ask(openFolder(stage.out));
  const choices = seeded('power cuts');
  const now = nextDay();
  for (const start of [before, new Map<string, Buffer>()]) {
    writeTree(stage.to, start);
    const disk = recordOperations(stage.to);
    await stage.copy({ now }).finally(disk.end);
    const after = readTree(stage.to);
    const count = disk.operations.length;
    const manifest = disk.operations.findIndex((own) => own.kind === 'rename' && own.to === 'manifest.json');
    expect(manifest).toBeGreaterThan(100);
    const near = [manifest, manifest + 1, manifest + 2, count].flatMap((own) => [own, own]);
    for (const cut of [...near, ...Array.from({ length: runs(12) }, () => choices.between(0, count))]) {
      const place = `from ${start.size} files, cut after ${cut} of ${count}`;
      const left = afterPowerCut(start, disk.operations, cut, choices);
      writeTree(stage.to, left);
      expect(
        [start.size > 0 ? first : undefined, second, first.map(() => unavailable)],
        place,
      ).toContainEqual(await ask(openFolder(stage.to)));
      if (start.size > 0) expectNothingLost(lasting(start), left, place);
      // What the new manifest belongs to is there.
      if (left.get('manifest.json')?.equals(after.get('manifest.json')!)) {
        expectNothingLost(new Map([...after].filter(([path]) => !path.startsWith('.'))), left, place);
        expect(historyFaults(left), place).toEqual([]);
      }
      const { notices, refused } = await publish(targets.folder, { now });
      expect(refused, place).toBeUndefined();
      // A day whose files were all there is taken over.
      for (const line of notices) expect(line, place).toMatch(/releases\.json of .* lacks days: .* 1 day of/);
      expectSameTree(readTree(stage.to), after);
    }
  }
});
