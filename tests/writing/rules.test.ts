/** The references of a nomination exist, and its derived fields have no other value than the derived one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { derivedFields, derivedFrom, references } from '../../api/contract/bodies.ts';
import { type ReferencedResource, writableResources } from '../../api/contract/names.ts';
import { checkRules, type RecordLookup } from '../../api/write/rules.ts';
import type { RecordFields } from '../../data/validation.ts';
import { runs } from '../settings.ts';

/** Two of each. */
const names: Record<ReferencedResource, Record<number, string>> = {
  ceremonies: { 1: '1929', 2: '1930' },
  categories: { 1: 'Directing', 2: 'Directing 2' },
  movies: { 1: 'Wings', 2: 'Wings 2' },
  nominees: { 1: 'Ann', 2: 'Ann 2' },
  songs: { 1: 'Golden', 2: 'Golden 2' },
};
const nameOf = (resource: ReferencedResource, id: number | null | undefined) => names[resource][id ?? 0];

const lookup: RecordLookup = {
  hadEntry: () => false,
  exists: (resource, id) => nameOf(resource, id) !== undefined,
  derive: ({ ceremony_id, category_id, movie_id, nominee_id, song_id }) => {
    const year = nameOf('ceremonies', ceremony_id);
    return {
      ceremony_year: year === undefined ? undefined : Number(year),
      category: nameOf('categories', category_id),
      movie: nameOf('movies', movie_id),
      nominee: nameOf('nominees', nominee_id),
      song_title: song_id === null ? null : nameOf('songs', song_id),
      is_song: song_id !== null,
    };
  },
};

/** The stored nomination. */
const before: RecordFields = {
  ...{ id: 7, ceremony_id: 1, category_id: 1, movie_id: 1, nominee_id: 1, song_id: 1 },
  winner: false,
};
it.each(writableResources)(
  'the id of %s may be repeated, not changed, and is free for a new record',
  (resource) => {
    const check = (id: number | undefined, record: RecordFields) =>
      checkRules(resource, id, record, { id: 7 }, lookup);
    expect([check(7, { id: 7 }), check(7, {}), check(undefined, { id: 8 })]).toEqual([[], [], []]);
    expect(check(7, { id: 8 })).toEqual([{ pointer: '/id', message: 'must stay 7' }]);
  },
);

it('a reference that is not sent is not looked up', () => {
  const none: RecordLookup = { ...lookup, exists: () => false };
  expect(checkRules('nominations', 7, { winner: true }, before, none)).toEqual([]);
});

it('a derived field is an ordinary one in another resource', () => {
  expect(checkRules('ceremonies', undefined, { ceremony_year: 5 }, undefined, lookup)).toEqual([]);
});

it('any write has a fault for each missing reference and each different derived field, and no other', () => {
  const id = fc.integer({ min: 1, max: 3 });
  const changes = {
    ...{ ceremony_id: id, category_id: id, movie_id: id, nominee_id: id, song_id: fc.option(id) },
    ceremony_year: fc.constantFrom(1929, 1930),
    category: fc.constantFrom('Directing', 'Directing 2', 'directing'),
    movie: fc.constantFrom('Wings', 'Wings 2', ''),
    nominee: fc.constantFrom('Ann', 'Ann 2', 'Ann '),
    song_title: fc.constantFrom('Golden', 'Golden 2', null),
    is_song: fc.boolean(),
  };
  const anyChange = fc.record(changes, { requiredKeys: [], noNullPrototype: true });
  const kinds = fc.constantFrom('of a new record', 'of a stored one', 'of a missing one');
  fc.assert(
    fc.property(anyChange, kinds, (sent: RecordFields, kind) => {
      const record = kind === 'of a new record' ? { ...before, ...sent } : sent;
      const stored = kind === 'of a stored one' ? before : undefined;
      const after = { ...stored, ...record };
      const due = lookup.derive(after as unknown as Parameters<RecordLookup['derive']>[0]);
      const missing = Object.keys(references).filter((field) => record[field] === 3);
      // What a missing nomination refers to is not known.
      const wrong = derivedFields.filter(
        (field) =>
          record[field] !== undefined &&
          after[derivedFrom[field]] !== undefined &&
          due[field] !== undefined &&
          record[field] !== due[field],
      );
      const id = kind === 'of a new record' ? undefined : 7;
      expect(checkRules('nominations', id, record, stored, lookup)).toEqual([
        ...missing.map((field) => ({
          pointer: `/${field}`,
          message: `there is no ${field.replace('_id', '')} with id 3`,
        })),
        ...wrong.map((field) => ({
          pointer: `/${field}`,
          message: `is derived: it is ${JSON.stringify(due[field])}; leave it out or send that`,
        })),
      ]);
    }),
    { numRuns: runs(1000) },
  );
});
