/** An undo takes back what is as the change left it, each write on its condition; what was changed since stays, and is named. */
import { expect, test } from 'vitest';
import type { WritableResource } from '../../api/contract/names.ts';
import type { Stored } from '../../build/site/edit/reading.ts';
import type { Receipt } from '../../build/site/edit/requests.ts';
import { planUndo } from '../../build/site/edit/undo.ts';

type Change = Pick<Receipt, 'action' | 'resource' | 'record_id' | 'before' | 'after'>;

const film = { id: 7, title: 'A Film', runtime: null };
const nomination = { id: 9, movie_id: 7, movie: 'A Film', winner: false, note: null };
const created: Change = { action: 'create', resource: 'movies', record_id: 7, before: {}, after: film };
const nominated: Change = {
  ...{ action: 'create', resource: 'nominations', record_id: 9, before: {}, after: nomination },
};
const changed: Change = {
  ...{ action: 'update', resource: 'movies', record_id: 7 },
  ...{ before: { runtime: null }, after: { runtime: 120 } },
};
const deleted: Change = { action: 'delete', resource: 'movies', record_id: 7, before: film, after: {} };

/** @param now path of a record without /api/ → its values now @param users ids of nominations that refer to any record */
async function undo(changes: Change[], now: Record<string, object>, users: number[] = []) {
  const receipts = changes.map((change, i) => {
    const title = change.resource === 'movies' ? 'A Film' : 'A Nomination';
    return {
      id: 50 - i,
      at: '2026-01-01T00:00:00.000Z',
      key: 'editor',
      title,
      ...change,
    } as unknown as Receipt;
  });
  const load = async (resource: WritableResource, id: number): Promise<Stored | undefined> => {
    const values = now[`${resource}/${id}`];
    return values && { values: { ...values }, etag: `"${resource} ${id}"` };
  };
  const nominationsOf = async (resource: WritableResource) => (resource === 'nominations' ? [] : users);
  const { writes, changes: lines, left } = await planUndo(receipts, { load, nominationsOf });
  return { writes, lines, left };
}

const none = { writes: [], lines: [] };
const etag = '"movies 7"';

test.each<[what: string, Parameters<typeof undo>, Awaited<ReturnType<typeof undo>>]>([
  [
    'an added record is deleted, on the condition that it stays as it is',
    [[created], { 'movies/7': film }],
    {
      writes: [{ method: 'DELETE', path: '/api/movies/7', if_match: etag }],
      lines: ['A Film: is deleted'],
      left: [],
    },
  ],
  [
    'a change is taken back, on the same condition',
    [[changed], { 'movies/7': { ...film, runtime: 120, tagline: 'Newer' } }],
    {
      writes: [{ method: 'PATCH', path: '/api/movies/7', if_match: etag, body: { runtime: null } }],
      lines: ['A Film: runtime 120 → nothing'],
      left: [],
    },
  ],
  [
    'a deleted record is added again',
    [[deleted], {}],
    {
      writes: [{ method: 'POST', path: '/api/movies', body: film }],
      lines: ['A Film: is added again'],
      left: [],
    },
  ],
  [
    'of a collection that takes no writes nothing is taken back',
    [[{ ...deleted, resource: 'categories' }], {}],
    { ...none, left: [] },
  ],
  [
    'a record that was added and changed by one batch is deleted',
    [[changed, created], { 'movies/7': { ...film, runtime: 120 } }],
    {
      writes: [
        { method: 'PATCH', path: '/api/movies/7', if_match: etag, body: { runtime: null } },
        { method: 'DELETE', path: '/api/movies/7', if_match: etag },
      ],
      lines: ['A Film: runtime 120 → nothing', 'A Film: is deleted'],
      left: [],
    },
  ],
  [
    'an added film goes with its added nomination',
    [[nominated, created], { 'movies/7': film, 'nominations/9': { ...nomination, movie: 'Renamed' } }, [9]],
    {
      writes: [
        { method: 'DELETE', path: '/api/nominations/9', if_match: '"nominations 9"' },
        { method: 'DELETE', path: '/api/movies/7', if_match: etag },
      ],
      lines: ['A Nomination: is deleted', 'A Film: is deleted'],
      left: [],
    },
  ],
  [
    'an added nomination that won since stays, and the film that it needs',
    [[nominated, created], { 'movies/7': film, 'nominations/9': { ...nomination, winner: true } }, [9]],
    { ...none, left: ['A Nomination: winner changed since', 'A Film: still has 1 nomination'] },
  ],
  [
    'an added film stays that a newer nomination refers to',
    [[created], { 'movies/7': film }, [10, 11]],
    { ...none, left: ['A Film: still has 2 nominations'] },
  ],
  [
    'newer values of the changed fields stay, and so does what the batch did before',
    [[changed, created], { 'movies/7': { ...film, runtime: 121 } }],
    { ...none, left: ['A Film: runtime changed since'] },
  ],
  [
    'a value that an added record has got since stays',
    [[created], { 'movies/7': { ...film, tagline: 'Newer', poster_path: 'https://example.org/p' } }],
    { ...none, left: ['A Film: tagline and poster path changed since'] },
  ],
  [
    'a record that was deleted since stays so',
    [[changed], {}],
    { ...none, left: ['A Film: was deleted since'] },
  ],
  [
    'a record that was added again since stays',
    [[deleted], { 'movies/7': film }],
    { ...none, left: ['A Film: was added again since'] },
  ],
])('%s', async (_, asked, plan) => {
  expect(await undo(...asked)).toEqual(plan);
});
