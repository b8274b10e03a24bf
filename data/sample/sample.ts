/**
 * The sample of the project: all ceremonies with the winners of six categories, and all nominees of the latest ten. It is
 * written by ingest(), so that a later import of the whole record updates its records instead of doubling them.
 */
import { readFileSync } from 'node:fs';
import { ingest } from '../import/ingest.ts';
import type { ImportReport } from '../import/report.ts';
import { filmDetailFields, Staging } from '../import/staging.ts';
import type { Connection } from '../open.ts';
import { isEmpty } from '../records.ts';
import { type Reference, readReference, readTable } from '../reference/reference.ts';
import { writeTransaction } from '../transaction.ts';
import { UserError } from '../../build/system/user-error.ts';

/**
 * Fills an empty database with the sample.
 * @throws UserError if the database is not empty, or another program keeps it locked
 */
export function fillWithSample(connection: Connection): ImportReport {
  const reference = readReference();
  return writeTransaction(connection, () => {
    if (!isEmpty(connection))
      throw new UserError('the database has records already; the sample only fills an empty one');
    const staging = new Staging(connection, reference);
    stage(staging, readSample(), reference);
    const options = { isComplete: false, force: false };
    const ingested = ingest(connection, { ...options, moreFields: { movies: filmDetailFields } });
    staging.drop();
    return { ...ingested, leftOut: [] };
  });
}

/** Reads the files of the sample. The key of a film is "Title (Year)", because two films can have one title. */
export function readSample() {
  const address = (name: string) => new URL(name, import.meta.url);
  const films = readTable(address('films.tsv')).map((row) => ({
    key: row.film!,
    title: row.film!.replace(/ \([0-9]{4}\)$/, ''),
    genres: row.genres!.split('|'),
    origin_country: row.countries!.split('|'),
    release_date: row.release_date || null,
    runtime: row.runtime ? Number(row.runtime) : null,
    filmindexId: row.filmindex_id || null,
  }));
  /** A film with all its nominees in a category. */
  const nominations = readTable(address('nominations.tsv')).map((row) => ({
    ceremony: Number(row.ceremony),
    category: row.category!,
    film: row.film!,
    nominees: row.nominees!.split('|'),
    winner: row.winner === 'yes',
  }));
  return {
    nominations,
    films: new Map(films.map((film) => [film.key, film])),
    /** Nominees that are not persons. */
    companies: new Set(readFileSync(address('companies.txt'), 'utf8').trimEnd().split('\n')),
    /** Credited name → name in the record, where they differ. */
    nameOfCredit: new Map(readTable(address('credits.tsv')).map((row) => [row.credited!, row.name!])),
  };
}

function stage(staging: Staging, sample: ReturnType<typeof readSample>, reference: Reference): void {
  for (const ceremony of reference.ceremonies.values()) staging.ceremony(ceremony);
  const categoryOfName = new Map(
    [...reference.categories.values()].map(({ id, category_name }) => [category_name, id]),
  );
  const entries = new Map<string, number>();
  for (const { ceremony, category, film: key, nominees, winner } of sample.nominations) {
    const { title, filmindexId, ...details } = sample.films.get(key)!;
    const movie = staging.movie(filmindexId, title, details);
    const entry = (entries.get(`${ceremony} ${category}`) ?? 0) + 1;
    entries.set(`${ceremony} ${category}`, entry);
    for (const creditedAs of nominees) {
      const name = sample.nameOfCredit.get(creditedAs) ?? creditedAs;
      staging.nomination({
        ...{ ceremony_id: ceremony, category: categoryOfName.get(category)!, movie, winner, entry },
        ...{ nominee: staging.nominee(null, name, !sample.companies.has(name)), song: 0 },
        ...{ titled_as: title, credited_as: name },
        // At the second ceremony only the winners were announced, so that no nomination of it is official.
        ...{ character: null, note: null, official: ceremony !== 2, historical_category: null },
      });
    }
  }
}
