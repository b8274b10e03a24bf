/**
 * The sample of the project: the latest three ceremonies with all categories, songs and honors, and the
 * winners of six categories of all others. It is written by an import, so that a later import of the whole
 * record updates its records instead of doubling them.
 *
 * entries.tsv has one row per entry, grouped by category; honors.tsv one per honor. An empty category is that
 * of the row above. People and companies stand with their external ids, "Jane Doe nm0000001"; films by the
 * key of films.tsv.
 */
import type { Honor } from '../../api/contract/resources.ts';
import { actingGroup } from '../../api/contract/entries.ts';
import { fillWith } from '../import/import.ts';
import { SourceRecord } from '../import/source-record.ts';
import type { Connection } from '../database/open.ts';
import { isEmpty } from '../record/records.ts';
import { type Reference, readReference, readTable } from '../reference/reference.ts';
import { writeTransaction } from '../database/transaction.ts';
import { UserError } from '../system/messages.ts';
import { markSample } from './state.ts';

/**
 * Fills an empty database with the sample.
 * @returns the report of an import
 * @throws UserError if the database is not empty, or another program keeps it locked
 */
export function fillWithSample(connection: Connection) {
  const reference = readReference();
  return writeTransaction(connection, () => {
    if (!isEmpty(connection))
      throw new UserError('the database has records already; the sample only fills an empty one');
    const source = new SourceRecord(reference);
    stage(source, readSample(), reference);
    const report = fillWith(connection, source, false);
    markSample(connection);
    return report;
  });
}

interface Credit {
  name: string;
  /** Null for a country, and for a company without an id. */
  filmindexId: string | null;
}

/**
 * Reads the files of the sample. The key of a film is its title, with the year where two films have one
 * title.
 */
export function readSample() {
  const table = (name: string) => readTable(new URL(name, import.meta.url));
  const films = table('films.tsv').map((row) => ({
    key: row.film!,
    title: row.film!.replace(/ \([0-9]{4}\)$/, ''),
    filmindexId: row.id!,
    genres: listOf(row.genres!),
    origin_country: listOf(row.countries!),
    release_date: row.release_date || null,
    runtime: row.runtime ? Number(row.runtime) : null,
  }));
  const entries = withCategories(table('entries.tsv')).map((row) => ({
    ceremony: Number(row.ceremony),
    category: row.category!,
    /** Several where one nomination was for several films. */
    films: listOf(row.films!),
    nominees: listOf(row.nominees!).map(creditOf),
    winner: row.won === 'yes',
    /** The song, or the character: one, or one in each film. */
    detail: row.detail!,
    historicalCategory: row.called || row.category!.toUpperCase(),
    note: row.note || null,
    official: row.official !== 'no',
  }));
  const honors = withCategories(table('honors.tsv')).map((row) => ({
    class: row.class!,
    category: row.category!,
    ceremony: Number(row.ceremony),
    recipients: row.recipients!.replaceAll(/ nm[0-9]+/g, ''),
    nomineeIds: row.recipients!.match(/\bnm[0-9]+/g) ?? [],
  }));
  return { films: new Map(films.map((film) => [film.key, film])), entries, honors };
}

const listOf = (text: string): string[] => text.split('|').filter(Boolean);

function creditOf(text: string): Credit {
  const [, name = text, filmindexId = null] = /^(.+) ((?:nm|co)[0-9]+)$/.exec(text) ?? [];
  return { name, filmindexId };
}

/** The rows with the category, and the class, of the row above where they have none. */
function withCategories(rows: ReturnType<typeof readTable>) {
  let group: Readonly<Record<string, string>> = {};
  return rows.map((row) => {
    if (row.category !== '')
      group = row.class ? { class: row.class, category: row.category! } : { category: row.category! };
    return { ...row, ...group };
  });
}

function stage(source: SourceRecord, sample: ReturnType<typeof readSample>, reference: Reference): void {
  for (const ceremony of reference.ceremonies.values()) source.ceremony(ceremony);
  const categoryNamed = new Map(
    [...reference.categories.values()].map((category) => [category.category_name, category]),
  );
  const counts = new Map<string, number>();
  // By ceremony, as the record is: ids follow the order of first appearance.
  for (const each of sample.entries.toSorted((a, b) => a.ceremony - b.ceremony)) {
    const category = categoryNamed.get(each.category)!;
    const place = `${each.ceremony} ${each.category}`;
    const entry = (counts.get(place) ?? 0) + 1;
    counts.set(place, entry);
    const nominees = each.nominees.map(({ name, filmindexId }) => ({
      nominee: source.nominee(filmindexId, name, filmindexId?.startsWith('nm') ?? false),
      credited_as: name,
    }));
    const characters = category.category_group === actingGroup ? each.detail.split('|') : [];
    const song = category.category_name === 'Music (Original Song)' ? each.detail : undefined;
    for (const [index, key] of each.films.entries()) {
      const { title, filmindexId, ...details } = sample.films.get(key)!;
      const movie = source.movie(filmindexId, title, details);
      const artists = each.nominees.map(({ name }) => name).join(', ');
      const ofSong = song === undefined ? null : source.song(movie, song, artists);
      for (const nominee of nominees)
        source.nomination({
          ceremony_id: each.ceremony,
          category: category.id,
          movie,
          song: ofSong,
          ...nominee,
          titled_as: title,
          winner: each.winner,
          entry,
          note: each.note,
          official: each.official,
          character: characters[index] || characters[0] || null,
          historical_category: each.historicalCategory,
        });
    }
  }
  for (const { ceremony, category, recipients, nomineeIds, ...honor } of sample.honors)
    source.honor({
      ceremony_id: ceremony,
      class: honor.class as Honor['class'],
      ...{ winner: true, note: null },
      category,
      recipients,
      citation: null,
      movie_key: null,
      nominee_keys: nomineeIds,
    });
}
