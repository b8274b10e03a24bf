/**
 * Finds the record of each thing that a source names. First by identity: the external id, or the name if
 * there is none, compared with the values that sources gave last and then with the current values. Then by
 * *adoption*: a record without an id, in the same nomination and under the same name, is the thing, which
 * brings its id. Things without a record get the id of a new one. Nothing is written to the record.
 */
import { type ReferenceField, references } from '../../api/contract/bodies.ts';
import type { ReferencedResource, ResourceName } from '../../api/contract/names.ts';
import { freeIds } from '../record/edits.ts';
import { allGiven, type Given, type GivenBySource } from '../record/given.ts';
import type { Connection } from '../database/open.ts';
import { allRows, type Columns, forEachResource } from '../record/records.ts';
import {
  honorKey,
  identityKey,
  type SourceNomination,
  type SourceRecord,
  type Thing,
} from './source-record.ts';

/** The references of a nomination are its identity. */
const fields = Object.keys(references) as ReferenceField[];

/** The records of a resource before the import. */
class KnownRecords {
  /** By id, ascending. */
  readonly rows: ReadonlyMap<number, Columns>;
  readonly given: Map<number, GivenBySource>;
  /** Ids of records for which remember() was called: what they were given is not stored yet. */
  readonly remembered = new Set<number>();
  readonly #asGiven = new Map<number, Columns>();

  constructor(connection: Connection, resource: ResourceName) {
    this.rows = allRows(connection, resource);
    this.given = allGiven(connection, resource);
  }

  /** What imports gave of a record last. */
  imported(id: number): Given | undefined {
    return this.given.get(id)?.get('import');
  }

  /** A record as imports know it: the values that they gave last, or else the current ones. */
  asGiven(id: number): Columns {
    const known = this.#asGiven.get(id) ?? { ...this.rows.get(id), ...this.imported(id)?.fields };
    this.#asGiven.set(id, known);
    return known;
  }

  /** The key and the id of each record, by id; those without a key are left out. */
  pairs(keyOf: (id: number, row: Columns) => string | undefined): [string, number][] {
    return [...this.rows].flatMap(([id, row]): [string, number][] => {
      const key = keyOf(id, row);
      return key === undefined ? [] : [[key, id]];
    });
  }

  /** Treats values as given before by imports, so that giving them again changes nothing. */
  remember(id: number, values: Columns): void {
    const { fields: before, ...own } = this.imported(id) ?? { fields: {}, ...asFound };
    const given: Given = { ...own, fields: { ...before, ...values } };
    this.given.set(id, new Map([...(this.given.get(id) ?? []), ['import', given]]));
    this.remembered.add(id);
    this.#asGiven.delete(id);
  }
}

const asFound = { sourceId: null, retrievedAt: null, isAdded: false };

export type Known = Readonly<Record<ResourceName, KnownRecords>>;

export const readKnown = (connection: Connection): Known =>
  forEachResource((resource) => new KnownRecords(connection, resource));

/**
 * Gives an id to each thing of the source, except honors, and completes the columns of nominations with their
 * references.
 */
export function matchRecords(connection: Connection, source: SourceRecord, known: Known): void {
  for (const [id, ceremony] of source.ceremonies) ceremony.isNew = !known.ceremonies.rows.has(id);
  matchCategories(connection, source, known.categories);
  matchByKey(source.movies, known.movies, ({ filmindex_id, title }) => identityKey(filmindex_id, title));
  adoptMovies(source, known);
  giveNewIds(connection, 'movies', source.movies.values());
  matchByKey(source.nominees, known.nominees, ({ filmindex_id, name }) => identityKey(filmindex_id, name));
  adoptNominees(source, known);
  giveNewIds(connection, 'nominees', source.nominees.values());
  matchSongs(source, known);
  giveNewIds(connection, 'songs', source.songs.values());
  matchNominations(source, known);
  giveNewIds(connection, 'nominations', source.nominations.values());
}

/** Gives an id to each honor of the source. */
export function matchHonors(connection: Connection, source: SourceRecord, known: Known): void {
  matchByKey(source.honors, known.honors, honorKey);
  // A record without a citation is the honor of the same recipients that brings one.
  const all = [...source.honors.values()];
  assign(
    all,
    () => all.map((honor) => [honor, honorKey({ ...honor.columns, citation: null })]),
    () => known.honors.pairs((_, row) => (row.citation === null ? honorKey(row) : undefined)),
  );
  giveNewIds(connection, 'honors', source.honors.values());
}

/**
 * Gives each thing without an id that of the first record with its key that no other thing has.
 * @param all things that share the records @param things in their order, with their keys @param records
 *   likewise
 * @returns the things that got an id
 */
function assign<T extends Thing>(
  all: readonly Thing[],
  things: () => Iterable<readonly [T, string]>,
  records: () => Iterable<readonly [string, number]>,
): T[] {
  if (all.every(({ id }) => id !== 0)) return [];
  const ids = new Map<string, number[]>();
  for (const [key, id] of records()) {
    const own = ids.get(key);
    if (own === undefined) ids.set(key, [id]);
    else own.push(id);
  }
  if (ids.size === 0) return [];
  const taken = new Set(all.map(({ id }) => id));
  const matched: T[] = [];
  for (const [thing, key] of things()) {
    const id = thing.id === 0 ? ids.get(key)?.find((each) => !taken.has(each)) : undefined;
    if (id === undefined) continue;
    thing.id = id;
    taken.add(id);
    matched.push(thing);
  }
  return matched;
}

/** By name. A new category gets its id of the reference if that id is free. */
function matchCategories(connection: Connection, { categories }: SourceRecord, known: KnownRecords): void {
  const all = [...categories.values()];
  assign(
    all,
    () => all.map((category) => [category, String(category.columns.category_name)]),
    () => known.pairs((id) => String(known.asGiven(id).category_name)).reverse(),
  );
  for (const category of all)
    if (category.id === 0 && !known.rows.has(category.number))
      Object.assign(category, { id: category.number, isNew: true });
  giveNewIds(connection, 'categories', all);
}

/** By the values that imports gave last, then by the current ones. */
function matchByKey(
  things: ReadonlyMap<string, Thing>,
  known: KnownRecords,
  keyOf: (columns: Columns) => string,
): void {
  const all = [...things.values()];
  const keyed = () => Array.from(things, ([key, thing]) => [thing, key] as const);
  assign(all, keyed, () => known.pairs((id) => keyOf(known.asGiven(id))));
  assign(all, keyed, () => known.pairs((_, row) => keyOf(row)));
}

/** The names that a record has now or had from imports, as long as it has or had no external id with them. */
function namesWithoutId(known: KnownRecords, id: unknown, field: 'title' | 'name'): unknown[] {
  const states = [known.rows.get(id as number), known.asGiven(id as number)];
  return [...new Set(states.flatMap((state) => (state?.filmindex_id === null ? [state[field]] : [])))];
}

/**
 * Films of the same ceremony and title. It can have two of one title, so the same category and nominee come
 * first.
 */
function adoptMovies(source: SourceRecord, known: Known): void {
  const all = [...source.movies.values()];
  const named = () =>
    [...source.nominations.values()].filter(({ movie }) => movie.columns.filmindex_id !== null);
  const titled = () =>
    [...known.nominations.rows.values()].flatMap((row) =>
      namesWithoutId(known.movies, row.movie_id, 'title').map((title) => ({ row, title })),
    );
  const nomineesOf = ({ nominee_id }: Columns) => {
    const states = [
      known.nominees.rows.get(nominee_id as number),
      known.nominees.asGiven(nominee_id as number),
    ];
    return [...new Set(states.map((state) => state?.name))];
  };
  assign(
    all,
    () =>
      named().map((each) => [
        each.movie,
        [each.ceremony, each.titledAs, each.category.id, each.creditedAs].join('\t'),
      ]),
    () =>
      titled().flatMap(({ row, title }) =>
        nomineesOf(row).map(
          (name) =>
            [[row.ceremony_id, title, row.category_id, name].join('\t'), row.movie_id as number] as const,
        ),
      ),
  );
  assign(
    all,
    () => named().map(({ ceremony, movie, titledAs }) => [movie, `${ceremony} ${titledAs}`]),
    () => titled().map(({ row, title }) => [`${row.ceremony_id} ${title}`, row.movie_id as number]),
  );
}

/** Nominees of the same ceremony, category, film and name. */
function adoptNominees(source: SourceRecord, known: Known): void {
  const named = () =>
    [...source.nominations.values()].filter(({ nominee }) => nominee.columns.filmindex_id !== null);
  assign(
    [...source.nominees.values()],
    () =>
      named().map((each) => [
        each.nominee,
        [each.ceremony, each.category.id, each.movie.id, each.creditedAs].join(' '),
      ]),
    () =>
      [...known.nominations.rows.values()].flatMap((row) =>
        namesWithoutId(known.nominees, row.nominee_id, 'name').map(
          (name) =>
            [
              [row.ceremony_id, row.category_id, row.movie_id, name].join(' '),
              row.nominee_id as number,
            ] as const,
        ),
      ),
  );
}

/**
 * By film and title. A song belongs to the films of its nominations. Film and title as imports gave them come
 * first.
 */
function matchSongs(source: SourceRecord, known: Known): void {
  const all = [...source.songs.values()];
  const keyed = () => all.map((song) => [song, `${song.movie.id} ${song.columns.original_title}`] as const);
  /** @param keysOf the keys of a song, by its nomination as imports gave it and as it is */
  const songs = (keysOf: (given: Columns, current: Columns, titles: unknown[]) => string[]) =>
    [...known.nominations.rows].flatMap(([nomination, row]) => {
      const given = known.nominations.asGiven(nomination);
      return [...new Set([given.song_id, row.song_id] as number[])].flatMap((id) => {
        const song = known.songs.rows.get(id);
        if (song === undefined) return [];
        const titles = [known.songs.asGiven(id).original_title, song.original_title];
        return keysOf(given, row, titles).map((key) => [key, id] as const);
      });
    });
  assign(all, keyed, () => songs((given, _, [title]) => [`${given.movie_id} ${title}`]));
  assign(all, keyed, () =>
    songs((given, current, titles) =>
      [given, current].flatMap(({ movie_id }) => titles.map((title) => `${movie_id} ${title}`)),
    ),
  );
}

/** The references of a nomination, those of some fields as "*". */
const referencesKey = (row: Columns, isHole: (field: ReferenceField) => boolean = () => false): string =>
  fields.map((field) => (isHole(field) ? '*' : row[field])).join(' ');

function matchNominations(source: SourceRecord, known: Known): void {
  const { nominations, nominees } = known;
  const all = [...source.nominations.values()];
  for (const { columns, ceremony, category, movie, nominee, song } of all)
    Object.assign(columns, {
      ...{ ceremony_id: ceremony, category_id: category.id, movie_id: movie.id, nominee_id: nominee.id },
      song_id: song?.id ?? null,
    });
  const keyed = () => all.map((each) => [each, referencesKey(each.columns)] as const);
  assign(all, keyed, () => nominations.pairs((id) => referencesKey(nominations.asGiven(id))));
  assign(all, keyed, () => nominations.pairs((_, row) => referencesKey(row)));
  // The source now gives the id of a namesake. It gave the old nominee before, so that the new one counts as
  // a change.
  const isNominee = (field: ReferenceField) => field === 'nominee_id';
  const namesakes = assign(
    all,
    () => all.map((each) => [each, `${referencesKey(each.columns, isNominee)} ${each.creditedAs}`]),
    () =>
      nominations.pairs((id) => {
        const given = nominations.asGiven(id);
        const { filmindex_id, name } = nominees.asGiven(given.nominee_id as number);
        return filmindex_id === null ? `${referencesKey(given, isNominee)} ${name}` : undefined;
      }),
  );
  for (const { id } of namesakes)
    nominations.remember(id, { nominee_id: nominations.asGiven(id).nominee_id! });
  matchOrphans(all, source, known);
}

/**
 * Matches nominations that referred to a deleted record, according to imports, with those whose record is
 * added again. The nomination keeps the reference that an editor gave it instead.
 */
function matchOrphans(all: readonly SourceNomination[], source: SourceRecord, known: Known): void {
  const { nominations } = known;
  const idsOf = (resource: ReferencedResource, isAdded: boolean) => {
    const things: Thing[] = [...source[resource].values()];
    return new Set<unknown>(things.filter(({ isNew }) => isNew || !isAdded).map(({ id }) => id));
  };
  const setsOf = (isAdded: boolean) =>
    new Map(fields.map((field) => [field, idsOf(references[field], isAdded)]));
  const [named, added] = [setsOf(false), setsOf(true)];
  const isAdded = (row: Columns) => (field: ReferenceField) => added.get(field)!.has(row[field]);
  const isGone = (row: Columns) => (field: ReferenceField) =>
    row[field] !== null &&
    !known[references[field]].rows.has(row[field] as number) &&
    !named.get(field)!.has(row[field]);
  const matched = assign(
    all,
    () => all.map((each) => [each, referencesKey(each.columns, isAdded(each.columns))]),
    () =>
      nominations.pairs((id) => {
        const given = nominations.asGiven(id);
        return fields.some(isGone(given)) ? referencesKey(given, isGone(given)) : undefined;
      }),
  );
  for (const { id, columns } of matched)
    nominations.remember(
      id,
      Object.fromEntries(fields.filter(isAdded(columns)).map((field) => [field, columns[field]!])),
    );
}

/** Gives ids of new records to the things without one, in their order. */
function giveNewIds(connection: Connection, resource: ResourceName, things: Iterable<Thing>): void {
  const all = [...things];
  const taken = new Set(all.map(({ id }) => id));
  const ids = freeIds(connection, resource);
  for (const thing of all) {
    if (thing.id !== 0) continue;
    do thing.id = ids.next().value;
    while (taken.has(thing.id));
    thing.isNew = true;
  }
}
