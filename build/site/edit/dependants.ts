/** What refers to a record, and the writes that delete it with that, or put another record in its place. */
import type { ResourceName, WritableResource } from '../../../api/contract/names.ts';
import * as routes from '../../../api/contract/routes.ts';
import { type NamedResource, titleOf } from './naming.ts';
import { type Listed, list, nominationsOf, read, type Stored, type Values } from './reading.ts';
import { bodyOf, type Write } from './requests.ts';

type Nomination = Listed<'nominations'>;
type Honor = Listed<'honors'>;

/** Writes, and what they do in words, a line each. */
export interface Plan {
  writes: Write[];
  lines: string[];
}

/** Collection → the field of a nomination that refers to it. */
const referenceFields = { movies: 'movie_id', nominees: 'nominee_id', songs: 'song_id' } as const;

const honorParameters: Partial<Record<ResourceName, string>> = {
  movies: 'movie_ids',
  nominees: 'nominee_ids',
};

async function honorsOf(resource: ResourceName, id: number): Promise<Honor[]> {
  if (resource === 'ceremonies') {
    const all = await list('honors');
    return all.filter((honor) => honor.ceremony_id === id);
  }
  const parameter = honorParameters[resource];
  return parameter ? list('honors', `&${parameter}=${id}`) : [];
}

/** The address of a record with its ETag: the write is refused if the record changes meanwhile. */
async function conditionOf(resource: ResourceName, id: number) {
  const path = routes.recordPath(resource, id);
  return { path, if_match: (await read(path)).etag };
}

const patchOf = async (resource: WritableResource, id: number, body: Values): Promise<Write> => ({
  method: 'PATCH',
  ...(await conditionOf(resource, id)),
  body: bodyOf(resource, body),
});

const deletionOf = async (resource: WritableResource, id: number): Promise<Write> => ({
  method: 'DELETE',
  ...(await conditionOf(resource, id)),
});

const wordsOf = (one: Nomination) => `${titleOf({ ...one })}${one.winner ? ' (won)' : ''}`;

/** The writes that put a record in the place of another in honors, or nothing if `kept` is undefined. */
async function honorWrites(
  resource: ResourceName,
  honors: readonly Honor[],
  gone: number,
  kept: number | undefined,
): Promise<Write[]> {
  return Promise.all(
    honors.map((honor) => {
      const own = (honor.nominee_ids ?? []).filter((id) => id !== gone && id !== kept);
      const nominee_ids = kept === undefined ? own : [...own, kept];
      const body: Values = resource === 'nominees' ? { nominee_ids } : { movie_id: kept ?? null };
      return patchOf('honors', honor.id, body);
    }),
  );
}

/** Deletes a record with the nominations that refer to it. */
export async function planRemoval(resource: WritableResource, id: number, base: Stored): Promise<Plan> {
  const [nominations, honors] = await Promise.all([nominationsOf(resource, id), honorsOf(resource, id)]);
  const writes = await Promise.all(nominations.map((one) => deletionOf('nominations', one.id)));
  // An honor needs its ceremony; without a film or a person it stays.
  const isOfCeremony = resource === 'ceremonies';
  const deletions = () => Promise.all(honors.map((honor) => deletionOf('honors', honor.id)));
  writes.push(...(isOfCeremony ? await deletions() : await honorWrites(resource, honors, id, undefined)));
  writes.push({ method: 'DELETE', path: routes.recordPath(resource, id), if_match: base.etag });
  const lines = [
    ...nominations.map((one) => `Nomination: ${wordsOf(one)}`),
    ...honors.map(
      (honor) => `${isOfCeremony ? 'Honor:' : 'No longer named by the honor'} ${titleOf({ ...honor })}`,
    ),
  ];
  return { writes, lines };
}

/** What makes two nominations the same: all but the record that is merged. */
function sameKey(one: Nomination, field: 'movie_id' | 'nominee_id' | 'song_id'): string {
  const references = { ...one, [field]: 0 };
  const { ceremony_id, category_id, movie_id, nominee_id, song_id } = references;
  return [ceremony_id, category_id, movie_id, nominee_id, song_id].join();
}

/**
 * Merges two records: what refers to the one that goes refers to the one that stays, and a nomination that
 * both have is there once.
 * @param fields values that the one that stays gets
 */
export async function planMerge(
  resource: NamedResource,
  kept: number,
  gone: number,
  fields: Values,
): Promise<Plan> {
  const [moving, staying, honors] = await Promise.all([
    nominationsOf(resource, gone),
    nominationsOf(resource, kept),
    honorsOf(resource, gone),
  ]);
  const field = referenceFields[resource];
  const known = new Map(staying.map((one) => [sameKey(one, field), one]));
  const writes: Write[] = [];
  const lines: string[] = [];
  for (const one of moving) {
    const same = known.get(sameKey(one, field));
    if (!same) {
      writes.push(await patchOf('nominations', one.id, { [field]: kept }));
      lines.push(`Moves: ${wordsOf(one)}`);
      continue;
    }
    writes.push(await deletionOf('nominations', one.id));
    lines.push(`There twice, stays once: ${wordsOf(one)}`);
    if (one.winner && !same.winner) writes.push(await patchOf('nominations', same.id, { winner: true }));
  }
  writes.push(...(await honorWrites(resource, honors, gone, kept)));
  lines.push(...honors.map((honor) => `Moves: the honor ${titleOf({ ...honor })}`));
  // The id of IMDb can be in one record at a time.
  writes.push(await deletionOf(resource, gone));
  if (Object.keys(fields).length > 0) writes.push(await patchOf(resource, kept, fields));
  return { writes, lines };
}
