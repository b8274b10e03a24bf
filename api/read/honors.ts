/** Honors as lists show them, and which of them a film, a person or a ceremony has. */
import type { CountedResource } from '../contract/names.ts';
import type { Honor } from '../contract/resources.ts';
import type { Snapshot } from './snapshot.ts';

/** Honors in the form of a list. @param rows of the table */
export async function honorRecords(snapshot: Snapshot, rows: ArrayLike<number>): Promise<Honor[]> {
  const [honors, ceremonies, titles] = await Promise.all([
    snapshot.table('honors'),
    snapshot.table('ceremonies'),
    snapshot.table('titles'),
  ]);
  return Array.from(rows, (row) => {
    const [ceremony_id, movie_id] = [honors.ceremony[row]!, honors.movie[row]!];
    return {
      id: honors.id(row),
      ceremony_id,
      ceremony_year: ceremonies.year[ceremonies.row(ceremony_id)]!,
      class: honors.class[row]!,
      winner: honors.winner[row] === 1,
      category_id: honors.category_id[row]!,
      category: honors.category.values[row]!,
      movie_id,
      movie: movie_id === null ? null : titles.text.values[titles.row(movie_id)]!,
      recipients: honors.recipients.values[row]!,
      nominee_ids: honors.nominees[row]!,
      citation: honors.citation[row]!,
      note: honors.note[row]!,
    };
  });
}

/** The columns of honors that name the records that an honor is of. */
export type HonorReference = 'ceremony' | 'category_id' | 'movie' | 'nominees';

/** Id of a record → the rows of its honors, ascending. @throws SnapshotUnavailable */
export const honorRows = (
  snapshot: Snapshot,
  of: HonorReference,
): Promise<ReadonlyMap<number, readonly number[]>> =>
  snapshot.derive(`honors by ${of}`, ['honors'], async () => {
    const rows = new Map<number, number[]>();
    // An honor can name a person twice.
    for (const [row, own] of (await snapshot.table('honors'))[of].entries())
      for (const id of new Set([own].flat())) {
        if (id === null) continue;
        if (!rows.has(id)) rows.set(id, []);
        rows.get(id)!.push(row);
      }
    return rows;
  });

/** The column that names the records of a resource. */
export const honorReferences: Record<CountedResource, HonorReference> = {
  ceremonies: 'ceremony',
  movies: 'movie',
  nominees: 'nominees',
};
