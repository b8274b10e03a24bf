/**
 * Finds the record of each thing that a source names. First by identity: the external id, or the name if there is none,
 * compared with the values that sources gave last and then with the current values. Then by *adoption*: a record without an
 * id, in the same nomination and under the same name, is the thing, which brings its id. Things without a record get the id of
 * a new one. Nothing is written to the record.
 */
import { type ReferenceField, references } from '../../api/contract/bodies.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { freeIds } from '../edits.ts';
import { allGiven, type Given, type GivenBySource } from '../given.ts';
import type { Connection } from '../open.ts';
import { allRows, type Columns, forEachResource } from '../records.ts';
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
export class KnownRecords {
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

/** Gives an id to each thing of the source, except honors, and completes the columns of nominations with their references. */
export function matchRecords(connection: Connection, source: SourceRecord, known: Known): void {
  for (const [id, ceremony] of source.ceremonies) ceremony.isNew = !known.ceremonies.rows.has(id);
  matchCategories(connection, source, known.categories);
  const nominated = nominationsByCeremony(known);
  matchByKey(source.movies, known.movies, ({ filmindex_id, title }) => identityKey(filmindex_id, title));
  adoptMovies(source, known, nominated);
  giveNewIds(connection, 'movies', source.movies.values());
  matchByKey(source.nominees, known.nominees, ({ filmindex_id, name }) => identityKey(filmindex_id, name));
  adoptNominees(source, known, nominated);
  giveNewIds(connection, 'nominees', source.nominees.values());
  matchSongs(source, known);
  giveNewIds(connection, 'songs', source.songs.values());
  matchNominations(source, known);
  giveNewIds(connection, 'nominations', source.nominations.values());
}

/** Gives an id to each honor of the source. */
export function matchHonors(connection: Connection, source: SourceRecord, known: Known): void {
  matchByKey(source.honors, known.honors, honorKey);
  giveNewIds(connection, 'honors', source.honors.values());
}

/** By name. A new category gets its id of the reference if that id is free. */
function matchCategories(connection: Connection, { categories }: SourceRecord, known: KnownRecords): void {
  const byName = new Map([...known.rows.keys()].map((id) => [known.asGiven(id).category_name, id]));
  for (const category of categories.values()) {
    const id = byName.get(category.columns.category_name!);
    if (id !== undefined) category.id = id;
    else if (!known.rows.has(category.number)) Object.assign(category, { id: category.number, isNew: true });
  }
  giveNewIds(connection, 'categories', categories.values());
}

/** Keys are unique among the things, and each record has one key, so that no two things want one record. */
function matchByKey(
  things: ReadonlyMap<string, Thing>,
  known: KnownRecords,
  keyOf: (columns: Columns) => string,
): void {
  const [given, current] = [new Candidates<string>(), new Candidates<string>()];
  for (const [id, row] of known.rows) {
    given.add(keyOf(known.asGiven(id)), id);
    current.add(keyOf(row), id);
  }
  const taken = takenBy(things.values());
  for (const candidates of [given, current])
    for (const [key, thing] of things) taken.give(thing, candidates.of(key));
}

/** Ids of records by what they are found by, ascending. */
class Candidates<K> {
  readonly #ids = new Map<K, number[]>();

  add(key: K, id: number): void {
    const ids = this.#ids.get(key);
    if (ids === undefined) this.#ids.set(key, [id]);
    else ids.push(id);
  }

  of(key: K): readonly number[] {
    return this.#ids.get(key) ?? [];
  }
}

/** The ids that things have already. A record is one thing only. */
function takenBy(things: Iterable<Thing>) {
  const ids = new Set<number>();
  for (const { id } of things) if (id !== 0) ids.add(id);
  return {
    /** Gives a thing without an id the first one that is free. @returns the id; undefined if it has got none */
    give(thing: Thing, candidates: Iterable<number>): number | undefined {
      if (thing.id !== 0) return undefined;
      for (const id of candidates)
        if (!ids.has(id)) {
          ids.add(id);
          thing.id = id;
          return id;
        }
      return undefined;
    },
  };
}

interface Nominated {
  id: number;
  row: Columns;
}

/** The nominations of each ceremony before the import, ascending by id. */
function nominationsByCeremony({ nominations }: Known): ReadonlyMap<unknown, Nominated[]> {
  const byCeremony = new Map<unknown, Nominated[]>();
  for (const [id, row] of nominations.rows) {
    const own = byCeremony.get(row.ceremony_id) ?? [];
    own.push({ id, row });
    byCeremony.set(row.ceremony_id, own);
  }
  return byCeremony;
}

/** Whether a record has a name, now or as imports gave it, and had no external id then. */
function isNamed(known: KnownRecords, id: number, field: 'title' | 'name', text: string): boolean {
  const row = known.rows.get(id);
  const given = known.asGiven(id);
  return (
    (given.filmindex_id === null && given[field] === text) ||
    (row?.filmindex_id === null && row[field] === text)
  );
}

/** Films of the same ceremony and title. It can have two of one title, so the same category and nominee come first. */
function adoptMovies(source: SourceRecord, known: Known, nominated: ReadonlyMap<unknown, Nominated[]>): void {
  const taken = takenBy(source.movies.values());
  for (const isPrecise of [true, false])
    for (const { ceremony, category, movie, titledAs, creditedAs } of source.nominations.values()) {
      if (movie.id !== 0 || movie.columns.filmindex_id === null) continue;
      const same = (nominated.get(ceremony) ?? []).filter(
        ({ row }) =>
          isNamed(known.movies, row.movie_id as number, 'title', titledAs) &&
          (!isPrecise ||
            (row.category_id === category.id && namesOf(known, row.nominee_id as number).includes(creditedAs))),
      );
      taken.give(movie, same.map(({ row }) => row.movie_id as number));
    }
}

/** The names of a nominee: the current one, and that which imports gave last. */
const namesOf = ({ nominees }: Known, id: number): unknown[] => [
  nominees.rows.get(id)?.name,
  nominees.asGiven(id).name,
];

/** Nominees of the same ceremony, category, film and name. */
function adoptNominees(
  source: SourceRecord,
  known: Known,
  nominated: ReadonlyMap<unknown, Nominated[]>,
): void {
  const taken = takenBy(source.nominees.values());
  for (const { ceremony, category, movie, nominee, creditedAs } of source.nominations.values()) {
    if (nominee.id !== 0 || nominee.columns.filmindex_id === null) continue;
    const same = (nominated.get(ceremony) ?? []).filter(
      ({ row }) =>
        row.category_id === category.id &&
        row.movie_id === movie.id &&
        isNamed(known.nominees, row.nominee_id as number, 'name', creditedAs),
    );
    taken.give(nominee, same.map(({ row }) => row.nominee_id as number));
  }
}

/** By film and title. A song belongs to the films of its nominations. Film and title as imports gave them come first. */
function matchSongs(source: SourceRecord, known: Known): void {
  const [given, any] = [new Candidates<string>(), new Candidates<string>()];
  for (const [nomination, row] of known.nominations.rows) {
    const givenRow = known.nominations.asGiven(nomination);
    for (const id of new Set([givenRow.song_id, row.song_id])) {
      const song = known.songs.rows.get(id as number);
      if (song === undefined) continue;
      const title = known.songs.asGiven(id as number).original_title;
      given.add(`${givenRow.movie_id} ${title}`, id as number);
      for (const movie of [givenRow.movie_id, row.movie_id])
        for (const text of [title, song.original_title]) any.add(`${movie} ${text}`, id as number);
    }
  }
  const taken = takenBy(source.songs.values());
  for (const candidates of [given, any])
    for (const song of source.songs.values())
      taken.give(song, candidates.of(`${song.movie.id} ${song.columns.original_title}`));
}

const keyOf = (row: Columns, but?: ReferenceField): string =>
  fields.map((field) => (field === but ? '*' : row[field])).join(' ');

function matchNominations(source: SourceRecord, known: Known): void {
  const { nominations, nominees } = known;
  const all = [...source.nominations.values()];
  for (const nomination of all) Object.assign(nomination.columns, referencesOf(nomination));
  const [given, current, byNominee] = [
    new Candidates<string>(),
    new Candidates<string>(),
    new Candidates<string>(),
  ];
  for (const [id, row] of nominations.rows) {
    const asGiven = nominations.asGiven(id);
    given.add(keyOf(asGiven), id);
    current.add(keyOf(row), id);
    const nominee = nominees.rows.has(asGiven.nominee_id as number)
      ? nominees.asGiven(asGiven.nominee_id as number)
      : undefined;
    if (nominee?.filmindex_id === null) byNominee.add(`${keyOf(asGiven, 'nominee_id')} ${nominee.name}`, id);
  }
  const taken = takenBy(all);
  for (const candidates of [given, current])
    for (const nomination of all) taken.give(nomination, candidates.of(keyOf(nomination.columns)));
  // The source now gives the id of a namesake. It gave the old nominee before, so that the new one counts as a change.
  for (const nomination of all) {
    const key = `${keyOf(nomination.columns, 'nominee_id')} ${nomination.creditedAs}`;
    const id = taken.give(nomination, byNominee.of(key));
    if (id !== undefined) nominations.remember(id, { nominee_id: nominations.asGiven(id).nominee_id! });
  }
  matchOrphans(source, known, taken);
}

const referencesOf = ({ ceremony, category, movie, nominee, song }: SourceNomination) => ({
  ceremony_id: ceremony,
  category_id: category.id,
  movie_id: movie.id,
  nominee_id: nominee.id,
  song_id: song?.id ?? null,
});

/**
 * Matches nominations that referred to a deleted record, according to imports, with those whose record is added again. The
 * nomination keeps the reference that an editor gave it instead.
 */
function matchOrphans(
  source: SourceRecord,
  known: Known,
  taken: ReturnType<typeof takenBy>,
): void {
  const { nominations } = known;
  const named = {
    ceremonies: source.ceremonies,
    categories: source.categories,
    movies: source.movies,
    nominees: source.nominees,
    songs: source.songs,
  };
  const idsOf = (resource: keyof typeof named, isAdded: boolean) => {
    const things: Thing[] = [...named[resource].values()];
    return new Set(things.filter(({ isNew }) => isNew || !isAdded).map(({ id }) => id));
  };
  const sets = new Map(
    fields.map((field) => [
      field,
      { named: idsOf(references[field], false), added: idsOf(references[field], true) },
    ]),
  );
  const isGone = (field: ReferenceField, id: Columns[string] | undefined) =>
    typeof id === 'number' && !known[references[field]].rows.has(id) && !sets.get(field)!.named.has(id);
  const isAdded = (field: ReferenceField, id: Columns[string] | undefined) =>
    sets.get(field)!.added.has(id as number);
  const withHoles = (row: Columns, isHole: typeof isGone) =>
    fields.map((field) => (isHole(field, row[field]) ? '*' : row[field])).join(' ');
  const orphans = new Candidates<string>();
  for (const id of nominations.rows.keys()) {
    const given = nominations.asGiven(id);
    if (fields.some((field) => isGone(field, given[field]))) orphans.add(withHoles(given, isGone), id);
  }
  for (const nomination of source.nominations.values()) {
    const { columns } = nomination;
    const id = taken.give(nomination, orphans.of(withHoles(columns, isAdded)));
    const added = fields.filter((field) => isAdded(field, columns[field]));
    if (id !== undefined)
      nominations.remember(id, Object.fromEntries(added.map((field) => [field, columns[field]!])));
  }
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

