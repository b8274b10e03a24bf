/**
 * Writes a dataset to the database in one transaction. Its things are matched with existing records (matching.ts), fields are
 * derived (derived.ts), and only what changed is written (record-merge.ts). The import and the sample both end here.
 */
import { referencedResources, type ResourceName, resourceNames } from '../../api/contract/names.ts';
import type { Connection } from '../open.ts';
import { refuseBrokenReferences } from '../records.ts';
import { type CeremonyFacts, type Reference, readReference } from '../reference/reference.ts';
import { writeTransaction } from '../transaction.ts';
import type { AwardEntry, Dataset, Film, Nominee, Song } from './dataset.ts';
import { deriveDepartments, deriveEras, overviewOf } from './derived.ts';
import { type Merges, matchFilms, matchNominees, matchSongs } from './matching.ts';
import { NominationMatching } from './nomination-matching.ts';
import { RecordMerge, sourceValue, type Tally, type Values } from './record-merge.ts';
import type { ImportReport } from './report.ts';

type Ingested = Omit<ImportReport, 'leftOut'>;

const unset = (...fields: string[]): Values => Object.fromEntries(fields.map((field) => [field, null]));

/** The fields that a source can give, each with the value that means unknown. */
const defaults: Record<ResourceName, Values> = {
  ceremonies: unset('ceremony_year', 'date', 'show_title', 'venue', 'overview', 'movies_eligible', 'wikiurl'),
  categories: unset('category_name', 'category_group', 'definition', 'era', 'history'),
  movies: {
    ...unset('title', 'release_date', 'runtime', 'filmindex_id'),
    genres: '[]',
    origin_country: '[]',
  },
  nominees: unset('name', 'known_for_department', 'filmindex_id'),
  songs: unset('original_title', 'artist_names'),
  nominations: {
    ...unset('ceremony_id', 'category_id', 'movie_id', 'nominee_id', 'song_id'),
    winner: 0,
  },
};

/**
 * Writes a dataset to a database, in one transaction.
 * @param check runs first, inside the transaction; may throw to refuse the database
 * @throws UserError if another program keeps the database locked, or a reference in it is broken
 */
export function ingest(connection: Connection, dataset: Dataset, check: () => void = () => {}): Ingested {
  const reference = readReference();
  return writeTransaction(connection, () => {
    check();
    refuseBrokenReferences(connection);
    const merges = resourceNames.map((name) => [name, new RecordMerge(connection, name, defaults[name])]);
    return merge(dataset, Object.fromEntries(merges) as Merges, reference);
  });
}

function merge(dataset: Dataset, merges: Merges, reference: Reference): Ingested {
  mergeCeremonies(dataset, merges.ceremonies);
  const categoryOf = mergeCategories(merges.categories, reference);
  const nominations = new NominationMatching(merges);
  const movieOf = matchFilms(dataset, merges, categoryOf, filmValues);
  const nomineeOf = matchNominees(dataset, merges, categoryOf, movieOf, nomineeValues);
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
  const people = dataset.nominees.filter((nominee) => nominee.isPerson);
  const ids = new Set(people.map((nominee) => nomineeOf.get(nominee)!));
  deriveDepartments(merges, entries, ids, reference, categoryOf);
  // Nominations refer to the other records, so they are written last.
  const tallies = [...referencedResources, 'nominations' as const].map((name) => [
    name,
    merges[name].write(),
  ]);
  return {
    resources: Object.fromEntries(tallies) as Record<ResourceName, Tally>,
    missing: missingFrom(dataset, merges.nominations, entries),
  };
}

/** Updates or adds the ceremonies of the dataset. The number of a ceremony is its id. */
function mergeCeremonies(dataset: Dataset, ceremonies: RecordMerge): void {
  const entries = new Map<number, AwardEntry[]>(dataset.ceremonies.map(({ number }) => [number, []]));
  for (const entry of dataset.entries) entries.get(entry.ceremony)!.push(entry);
  for (const ceremony of dataset.ceremonies) {
    const values = ceremonyValues(ceremony);
    const { number } = ceremony;
    if (ceremonies.get(number)) ceremonies.update(number, values);
    else ceremonies.add(values, number);
    ceremonies.derive(number, 'overview', overviewOf(ceremony, entries.get(number)!, dataset.isComplete));
  }
}

/** Updates or adds all categories. A new one gets its id of the reference if that id is free. @returns category id of the reference → id in the database */
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
  const identity = { title, filmindex_id: filmindexId };
  if (!details) return identity;
  return {
    ...identity,
    release_date: details.releaseDate,
    runtime: details.runtime,
    genres: JSON.stringify(details.genres),
    origin_country: JSON.stringify(details.countries),
  };
}

const nomineeValues = ({ name, filmindexId }: Nominee): Values => ({ name, filmindex_id: filmindexId });

const songValues = ({ title, artists }: Song): Values => ({ original_title: title, artist_names: artists });

/** Ids of the nominations that the source no longer has, in the ceremonies that it covers. */
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
