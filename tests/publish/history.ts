/** Reads the history of a published site as its readers do, without the code of the project. */
import { createHash } from 'node:crypto';
import { membersOf } from '../records/record.ts';
import { yearsNamed } from '../records/oracle/view.ts';
import { fold } from '../records/oracle/view.ts';
import type { Tree } from '../records/tree.ts';

export const isOfHistory = (path: string): boolean =>
  /^changes\/|^downloads\/(releases\.json$|\d{4}-)/.test(path);

interface Publish {
  published_at: string;
  snapshot: string;
  previous: string;
}
interface ChangedRecord {
  resource: string;
  id: number;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}
export interface History {
  snapshot: string;
  oldest: Omit<Publish, 'previous'>;
  data: (Publish & { path: string; added: number; changed: number; removed: number })[];
}
export interface ReleaseRow {
  date: string;
  path: string;
  sha256: string;
  bytes: number;
}

export const jsonAt = <T>(tree: Tree, path: string): T => JSON.parse(String(tree.get(path))) as T;

/** What is wrong with the history of a site, a line each; nothing for a site without any file. */
export function historyFaults(tree: Tree): string[] {
  if (!tree.has('manifest.json') || !tree.has('layers/site.json')) return [];
  const faults: string[] = [];
  const expect = (isRight: boolean, fault: string) => void (isRight || faults.push(fault));
  const named = new Set(['changes/index.json', 'changes/feed.atom', 'downloads/releases.json']);
  const { snapshot, oldest, data } = jsonAt<History>(tree, 'changes/index.json');
  expect(snapshot === jsonAt<Publish>(tree, 'manifest.json').snapshot, 'the history ends elsewhere');
  let previous = snapshot;
  for (const row of data) {
    named.add(row.path.slice(1));
    const publishes = jsonAt<{ data: (Publish & { records: ChangedRecord[] })[] }>(
      tree,
      row.path.slice(1),
    ).data;
    for (const publish of publishes) {
      expect(publish.snapshot === previous, `a gap after ${publish.snapshot}`);
      previous = publish.previous;
    }
    const records = publishes.flatMap((publish) => publish.records);
    const kinds = records.map(({ before, after }) => (before ? (after ? 'changed' : 'removed') : 'added'));
    for (const kind of ['added', 'changed', 'removed'] as const)
      expect(kinds.filter((own) => own === kind).length === row[kind], `${row.path}: ${kind}`);
  }
  expect(previous === oldest.snapshot, 'a gap at the beginning');
  for (const { date, path, sha256, bytes } of jsonAt<{ data: ReleaseRow[] }>(tree, 'downloads/releases.json')
    .data) {
    const hashOf = (name: string) =>
      createHash('sha256')
        .update(tree.get(name) ?? '')
        .digest('hex');
    expect(hashOf(path.slice(1)) === sha256, `${path} is not as the index says`);
    named.add(path.slice(1));
    const { files } = jsonAt<{ files: { name: string; sha256: string; bytes: number }[] }>(
      tree,
      path.slice(1),
    );
    for (const file of files) {
      named.add(`downloads/${date}/${file.name}`);
      expect(hashOf(`downloads/${date}/${file.name}`) === file.sha256, `${date}/${file.name}`);
    }
    expect(files.reduce((sum, file) => sum + file.bytes, 0) === bytes, `${date} has another size`);
  }
  for (const path of tree.keys())
    expect(!isOfHistory(path) || named.has(path), `${path} is named by nothing`);
  return faults;
}

type Members = Record<string, unknown>;

/** Resource → its members in the downloads, in their order. */
const members: Readonly<Record<string, readonly string[]>> = {
  ...membersOf,
  nominations: [...membersOf.nominations, 'details'],
  movies: [...membersOf.movies, 'film_year', 'film_years', 'entries', 'wins'],
  nominees: [...membersOf.nominees, 'entries', 'wins'],
  ceremonies: [...membersOf.ceremonies, 'film_years', 'entries', 'wins'],
};
/** Resource → the field of a nomination that refers to it. */
const references: Readonly<Record<string, string>> = {
  ...{ movies: 'movie_id', nominees: 'nominee_id', ceremonies: 'ceremony_id' },
};
export const resources = Object.keys(members);

/**
 * A copy of the record: it starts from the downloads, follows changes, and derives what records show of others. A change without
 * details of nominations, or with too few members, leaves it with other lines than the next downloads.
 */
export class Mirror {
  readonly #records: ReadonlyMap<string, Map<number, Members>>;

  constructor(tree: Tree) {
    const linesOf = (resource: string) =>
      String(tree.get(`downloads/${resource}.ndjson`))
        .split('\n')
        .filter(Boolean);
    this.#records = new Map(
      resources.map((resource) => {
        const records = linesOf(resource).map((line) => JSON.parse(line) as Members);
        return [resource, new Map(records.map((record) => [record.id as number, record]))];
      }),
    );
  }

  /** Does what a change says. @throws if it does not fit the records */
  follow({ resource, id, before, after }: ChangedRecord): void {
    const own = this.#records.get(resource)!;
    const known = own.get(id);
    if ((known === undefined) !== (before === null)) throw new Error(`${resource} ${id} is not as before`);
    if (before && JSON.stringify(merged(known!, before)) !== JSON.stringify(known))
      throw new Error(`${resource} ${id} is not ${JSON.stringify(before)}`);
    if (after === null) own.delete(id);
    else own.set(id, merged(known ?? {}, after));
  }

  /** The file of a resource among the downloads. */
  file(resource: string): string {
    const records = [...this.#records.get(resource)!.values()].sort((a, b) => Number(a.id) - Number(b.id));
    return records.map((record) => `${JSON.stringify(this.#line(resource, record))}\n`).join('');
  }

  #line(resource: string, record: Members): Members {
    const shown = (of: string, id: unknown, member: string) =>
      id === null ? null : this.#records.get(of)!.get(id as number)![member];
    const derived: Members = {
      ...(references[resource] && this.#totals(references[resource], record.id)),
      ...(resource === 'movies' && this.#filmYear(record.id)),
      ...(resource === 'nominations' && {
        category: shown('categories', record.category_id, 'category_name'),
        nominee: shown('nominees', record.nominee_id, 'name'),
        song_title: shown('songs', record.song_id, 'original_title'),
        is_song: record.song_id !== null,
      }),
      ...((resource === 'nominations' || resource === 'honors') && {
        ceremony_year: shown('ceremonies', record.ceremony_id, 'ceremony_year'),
        movie: shown('movies', record.movie_id, 'title'),
      }),
    };
    return Object.fromEntries(
      members[resource]!.map((name) => [name, name in derived ? derived[name] : record[name]]),
    );
  }

  /** Those of the first ceremony of a film, by a nomination or a competitive honor. */
  #filmYear(film: unknown): Members {
    const competitive = [...this.#records.get('honors')!.values()].filter((it) => it.class === 'Competitive');
    const own = [...this.#records.get('nominations')!.values(), ...competitive];
    const [first] = own
      .filter((it) => it.movie_id === film)
      .map((it) => this.#records.get('ceremonies')!.get(it.ceremony_id as number)!)
      .sort((a, b) => Number(a.ceremony_year) - Number(b.ceremony_year) || Number(a.id) - Number(b.id));
    if (!first) return { film_year: null, film_years: null };
    const years = first.film_years ?? String(Number(first.ceremony_year) - 1).padStart(4, '0');
    return { film_year: yearsNamed(years as string).at(-1), film_years: years };
  }

  /** What counts as one nomination, counted by plain sets. */
  #totals(reference: string, id: unknown): Members {
    const own = [...this.#records.get('nominations')!.values()].filter((it) => it[reference] === id);
    const keyOf = (it: Members) => {
      const { entry } = it.details as { entry: number | null };
      const group = this.#records.get('categories')!.get(it.category_id as number)!.category_group;
      const person = fold(String(group)) === 'acting' ? it.nominee_id : '';
      const rest = entry === null ? [it.movie_id, it.song_id, person] : [entry];
      return [it.ceremony_id, it.category_id, rest.length, ...rest].join();
    };
    const count = (some: readonly Members[]) => new Set(some.map(keyOf)).size;
    return { entries: count(own), wins: count(own.filter(({ winner }) => winner)) };
  }
}

/** Members replace those of a record; those of its details stand within. */
const merged = (record: Members, change: Members): Members =>
  change.details
    ? { ...record, ...change, details: { ...(record.details as Members), ...(change.details as Members) } }
    : { ...record, ...change };
