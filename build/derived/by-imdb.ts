/**
 * The by-imdb layer: one file for each film and nominee with an IMDb id, at by-imdb/<id>.json. It is the
 * record that the API answers for this id, with its nominations and counts, and a summary of the official
 * ones: for media servers, which know this id alone.
 */
import { summaryOf } from '../../api/contract/award-summary.ts';
import { byImdbFolder, imdbIdPattern } from '../../api/contract/layers.ts';
import { officialCounter } from '../../api/read/counts.ts';
import { recordsIn } from '../../api/read/records.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { referenceTo } from '../../api/read/tables.ts';
import { affectedTopics, topicOf } from './affected.ts';
import type { Layer } from './layer.ts';

/** The resources with IMDb ids, and what a file includes. */
const included = {
  movies: ['nominations', 'counts', 'film_year'],
  nominees: ['nominations', 'counts'],
} as const;

interface Identified {
  imdbId: string;
  resource: keyof typeof included;
  id: number;
  /** In the table of the resource. */
  row: number;
}

/** Topics are IMDb ids: two records can share one, and an id can move from one record to another. */
export const byImdbLayer: Layer = {
  name: 'by-imdb',
  async *all(snapshot) {
    const taken = new Set<string>();
    for (const { imdbId, resource, row } of await identified(snapshot)) {
      if (taken.has(imdbId)) continue;
      taken.add(imdbId);
      const content = async () => Buffer.from(await fileText(snapshot, resource, row));
      yield { path: `${byImdbFolder}/${imdbId}.json`, topic: imdbId, content };
    }
  },
  async affected(before, after) {
    const topics = await affectedTopics(before, after);
    const records = [...(await identified(before)), ...(await identified(after))];
    const affected = records.filter(({ resource, id }) => topics.has(topicOf.record(resource, id)));
    return new Set(affected.map(({ imdbId }) => imdbId));
  },
};

/**
 * The records with an IMDb id, by resource and ascending id. Other programs may have stored texts that are no
 * file name.
 */
async function identified(snapshot: Snapshot): Promise<Identified[]> {
  const [movies, nominees] = await Promise.all([snapshot.table('films'), snapshot.table('people')]);
  const isId = new RegExp(imdbIdPattern);
  return Object.entries({ movies, nominees }).flatMap(([resource, table]) =>
    table.filmindex_id.flatMap((imdbId, row) =>
      imdbId !== null && isId.test(imdbId)
        ? [{ imdbId, resource: resource as Identified['resource'], id: table.id(row), row }]
        : [],
    ),
  );
}

async function fileText(snapshot: Snapshot, resource: Identified['resource'], row: number): Promise<string> {
  const [record] = await recordsIn(snapshot, resource, [row], { include: included[resource] });
  const nominations = (await snapshot.table('nominations'))[referenceTo[resource]];
  const counts = (await officialCounter(snapshot))(nominations.nominationsOf(record!.id as number));
  return JSON.stringify({ ...record, official_counts: counts, summary: summaryOf(counts) });
}
