/**
 * The sample of the project: all ceremonies with the winners of six categories, and all nominees of the latest ten. It is
 * written by ingest(), so that a later import of the whole record updates its records instead of doubling them.
 */
import { readFileSync } from 'node:fs';
import { Dataset } from '../import/dataset.ts';
import { ingest } from '../import/ingest.ts';
import type { ImportReport } from '../import/report.ts';
import type { Connection } from '../open.ts';
import { countRecords } from '../records.ts';
import { type Reference, readReference, readTable } from '../reference/reference.ts';
import { UserError } from '../user-error.ts';

/**
 * Fills an empty database with the sample.
 * @throws UserError if the database is not empty, or another program keeps it locked
 */
export function fillWithSample(connection: Connection): ImportReport {
  const { resources, missing } = ingest(connection, datasetOf(readSample(), readReference()), () => {
    if (Object.values(countRecords(connection)).some((count) => count > 0))
      throw new UserError('the database has records already; the sample only fills an empty one');
  });
  return { resources, missing, leftOut: [] };
}

/** Reads the files of the sample. The key of a film is "Title (Year)", because two films can have one title. */
export function readSample() {
  const address = (name: string) => new URL(name, import.meta.url);
  const films = readTable(address('films.tsv')).map((row) => ({
    key: row.film!,
    title: row.film!.replace(/ \([0-9]{4}\)$/, ''),
    genres: row.genres!.split('|'),
    countries: row.countries!.split('|'),
    releaseDate: row.release_date || null,
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

function datasetOf(sample: ReturnType<typeof readSample>, reference: Reference): Dataset {
  const dataset = new Dataset([...reference.ceremonies.values()], false);
  const categoryOfName = new Map([...reference.categories.values()].map(({ id, name }) => [name, id]));
  for (const { ceremony, category, film: key, nominees, winner } of sample.nominations) {
    const { title, filmindexId, ...details } = sample.films.get(key)!;
    const film = dataset.film(filmindexId, title, details);
    for (const creditedAs of nominees) {
      const name = sample.nameOfCredit.get(creditedAs) ?? creditedAs;
      const nominee = dataset.nominee(null, name, !sample.companies.has(name));
      dataset.add({
        ceremony,
        category: categoryOfName.get(category)!,
        film,
        titledAs: film.title,
        nominee,
        creditedAs: name,
        song: null,
        winner,
      });
    }
  }
  return dataset;
}
