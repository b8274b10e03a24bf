/**
 * A dataset → the database, in one transaction: its things are matched with the records that are there (matching.ts), what
 * follows from them is derived, and only what is new is written (record-merge.ts). The import and the sample both end here.
 */
import { refuseBrokenReferences } from '../integrity.ts';
import type { Connection } from '../open.ts';
import { type CeremonyFacts, type Reference, readReference } from '../reference/reference.ts';
import { writeTransaction } from '../transaction.ts';
import type { AwardEntry, Dataset, Film, Song } from './dataset.ts';
import { deriveDepartments, deriveEras } from './derived.ts';
import { type Merges, matchFilms, matchNominees, matchSongs } from './matching.ts';
import { NominationMatching } from './nomination-matching.ts';
import { overviewOf } from './overview.ts';
import { RecordMerge, sourceValue, type Values } from './record-merge.ts';
import type { ImportReport } from './report.ts';

/** Everything a report tells but what the reader of the source left out. */
type Ingested = Omit<ImportReport, 'leftOut'>;

/**
 * Writes a dataset to a database, in one transaction.
 * @param check runs first, inside the transaction; throws where the database is not fit
 * @throws UserError if another program keeps the database locked, or a reference in it is broken
 */
export function ingest(connection: Connection, dataset: Dataset, check: () => void = () => {}): Ingested {
  const reference = readReference();
  return writeTransaction(connection, () => {
    check();
    refuseBrokenReferences(connection);
    return merge(dataset, openMerges(connection), reference);
  });
}

function openMerges(connection: Connection): Merges {
  const unset = (...fields: string[]): Values => Object.fromEntries(fields.map((field) => [field, null]));
  const ceremony = unset(
    'ceremony_year',
    'date',
    'show_title',
    'venue',
    'overview',
    'movies_eligible',
    'wikiurl',
  );
  const category = unset('category_name', 'category_group', 'definition', 'era', 'history');
  const movie = unset('title', 'release_date', 'runtime', 'filmindex_id');
  const nomination = unset('ceremony_id', 'category_id', 'movie_id', 'nominee_id', 'song_id');
  return {
    ceremonies: new RecordMerge(connection, 'ceremonies', ceremony),
    categories: new RecordMerge(connection, 'categories', category),
    movies: new RecordMerge(connection, 'movies', { ...movie, genres: '[]', origin_country: '[]' }),
    nominees: new RecordMerge(connection, 'nominees', unset('name', 'known_for_department', 'filmindex_id')),
    songs: new RecordMerge(connection, 'songs', unset('original_title', 'artist_names')),
    nominations: new RecordMerge(connection, 'nominations', { ...nomination, winner: 0 }),
  };
}

function merge(dataset: Dataset, merges: Merges, reference: Reference): Ingested {
  mergeCeremonies(dataset, merges.ceremonies);
  const categoryOf = mergeCategories(merges.categories, reference);
  const nominations = new NominationMatching(merges);
  const movieOf = matchFilms(dataset, merges, categoryOf, filmValues);
  const nomineeOf = matchNominees(dataset, merges, categoryOf, movieOf, ({ name, filmindexId }) => ({
    name,
    filmindex_id: filmindexId,
  }));
  const songOf = matchSongs(dataset, merges, movieOf, songValues);
  const entries = nominations.addOrUpdate(dataset.entries, (entry) => ({
    ceremony_id: entry.ceremony,
    category_id: categoryOf.get(entry.category)!,
    movie_id: movieOf.get(entry.film)!,
    nominee_id: nomineeOf.get(entry.nominee)!,
    song_id: entry.song && songOf.get(entry.song)!,
    winner: entry.winner ? 1 : 0,
  }));
  deriveEras(merges);
  const people = dataset.nominees
    .filter((nominee) => nominee.isPerson)
    .map((nominee) => nomineeOf.get(nominee)!);
  deriveDepartments(merges, entries, new Set(people), reference, categoryOf);
  // A nomination refers to the other five, so it is written last.
  const resources = {
    ceremonies: merges.ceremonies.write(),
    categories: merges.categories.write(),
    movies: merges.movies.write(),
    nominees: merges.nominees.write(),
    songs: merges.songs.write(),
    nominations: merges.nominations.write(),
  };
  return { resources, missing: missingFrom(dataset, merges.nominations, entries) };
}

/** Ceremonies and categories keep the ids they have in the reference where those are free. */
function mergeCeremonies(dataset: Dataset, ceremonies: RecordMerge): void {
  const entries = new Map<number, AwardEntry[]>(dataset.ceremonies.map(({ number }) => [number, []]));
  for (const entry of dataset.entries) entries.get(entry.ceremony)!.push(entry);
  for (const ceremony of dataset.ceremonies) {
    const values = ceremonyValues(ceremony);
    const { number } = ceremony;
    if (ceremonies.get(number)) ceremonies.update(number, values);
    else ceremonies.add(values, number);
    ceremonies.derive(number, 'overview', overviewOf(ceremony, entries.get(number)!, dataset.whole));
  }
}

/** Our category id → the database's; all categories are there from the first import on, in use or not. */
function mergeCategories(categories: RecordMerge, reference: Reference): Map<number, number> {
  const idOfName = new Map(
    [...categories.records()].map((record) => [sourceValue(record, 'category_name'), record.id]),
  );
  return new Map(
    [...reference.categories.values()].map(({ id, name, group, definition, history }) => {
      const values = { category_name: name, category_group: group, definition, history };
      const known = idOfName.get(name);
      if (known === undefined)
        return [id, categories.get(id) ? categories.add(values) : categories.add(values, id)];
      categories.update(known, values);
      return [id, known];
    }),
  );
}

function ceremonyValues(ceremony: CeremonyFacts): Values {
  return {
    ceremony_year: ceremony.year,
    date: ceremony.date,
    show_title: ceremony.showTitle,
    venue: ceremony.venue,
    movies_eligible: ceremony.moviesEligible,
    wikiurl: ceremony.encyclopediaUrl,
  };
}

function filmValues({ title, filmindexId, details }: Film): Values {
  if (!details) return { title, filmindex_id: filmindexId };
  return {
    title,
    filmindex_id: filmindexId,
    release_date: details.releaseDate,
    runtime: details.runtime,
    genres: JSON.stringify(details.genres),
    origin_country: JSON.stringify(details.countries),
  };
}

const songValues = ({ title, artists }: Song): Values => ({ original_title: title, artist_names: artists });

/** Only of ceremonies the source covers: a file of one ceremony says nothing of the others. */
function missingFrom(
  dataset: Dataset,
  nominations: RecordMerge,
  entries: ReadonlyMap<number, AwardEntry>,
): number[] {
  const covered = new Set(dataset.ceremonies.map((ceremony) => ceremony.number));
  return [...nominations.records()]
    .filter(({ id, fromSource }) => covered.has(fromSource.ceremony_id as number) && !entries.has(id))
    .map(({ id }) => id);
}
