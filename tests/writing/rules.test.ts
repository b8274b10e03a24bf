/** The references of a nomination exist, and its derived fields have no other value than the derived one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedFields, references } from '../../api/contract/bodies.ts';
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

/** The stored nomination, and its derived fields. */
const before: RecordFields = {
  ...{ id: 7, ceremony_id: 1, category_id: 1, movie_id: 1, nominee_id: 1, song_id: 1 },
  winner: false,
};
const derived: RecordFields = {
  ...{ ceremony_year: 1929, category: 'Directing', movie: 'Wings', nominee: 'Ann' },
  ...{ song_title: 'Golden', is_song: true },
};

const create = (record: RecordFields) => checkRules('nominations', undefined, record, undefined, lookup);
const update = (record: RecordFields) => checkRules('nominations', 7, record, before, lookup);
const is = (shown: string) => `is derived: it is ${shown}; leave it out or send that`;

describe('an id', () => {
  it.each(writableResources)('of %s may be repeated, not changed', (resource) => {
    const check = (record: RecordFields) => checkRules(resource, 7, record, { id: 7 }, lookup);
    expect([check({ id: 7 }), check({})]).toEqual([[], []]);
    expect(check({ id: 8 })).toEqual([{ pointer: '/id', message: 'must stay 7' }]);
  });

  it('is free for a new record', () => {
    expect(create({ ...before, id: 8 })).toEqual([]);
    expect(checkRules('movies', undefined, { id: 8, title: 'Wings' }, undefined, lookup)).toEqual([]);
  });
});

describe('a reference', () => {
  it.each(['ceremony', 'category', 'movie', 'nominee', 'song'])('to a %s must lead to a record', (name) => {
    const field = `${name}_id`;
    const faults = [{ pointer: `/${field}`, message: `there is no ${name} with id 3` }];
    expect(create({ ...before, [field]: 3 })).toEqual(faults);
    expect(update({ [field]: 3 })).toEqual(faults);
    expect(update({ [field]: 2 })).toEqual([]);
  });

  it('that is not sent is not looked up', () => {
    const none: RecordLookup = { ...lookup, exists: () => false };
    expect(checkRules('nominations', 7, { winner: true }, before, none)).toEqual([]);
  });
});

describe('a derived field', () => {
  it('may have its derived value', () => {
    expect(create({ ...before, ...derived })).toEqual([]);
    expect(update(derived)).toEqual([]);
    expect(update({ ...before, ...derived })).toEqual([]);
    expect(create({ ...before, song_id: null })).toEqual([]);
    expect(update({ song_id: null, song_title: null, is_song: false })).toEqual([]);
  });

  it.each([
    ['ceremony_year', 1930, '1929'],
    ['category', 'directing', '"Directing"'],
    ['movie', '', '"Wings"'],
    ['nominee', 'Ann ', '"Ann"'],
    ['song_title', null, '"Golden"'],
    ['is_song', false, 'true'],
  ])('%s may not be %j', (field, wrong, shown) => {
    const faults = [{ pointer: `/${field}`, message: is(shown) }];
    expect(create({ ...before, ...derived, [field]: wrong })).toEqual(faults);
    expect(update({ [field]: wrong })).toEqual(faults);
  });

  it('is compared with its value after the change', () => {
    expect(update({ movie_id: 2, movie: 'Wings 2' })).toEqual([]);
    const faults = [{ pointer: '/movie', message: is('"Wings 2"') }];
    expect(update({ movie_id: 2, movie: 'Wings' })).toEqual(faults);
  });

  it('of a missing record has no fault; is_song needs no record', () => {
    expect(update({ song_id: 3, song_title: 'x', is_song: false })).toEqual([
      { pointer: '/song_id', message: 'there is no song with id 3' },
      { pointer: '/is_song', message: is('true') },
    ]);
  });

  it('of a missing nomination is compared only if its reference is sent', () => {
    const check = (record: RecordFields) => checkRules('nominations', 7, record, undefined, lookup);
    expect(check(derived)).toEqual([]);
    const faults = [{ pointer: '/movie', message: is('"Wings"') }];
    expect(check({ movie_id: 1, movie: 'x', is_song: true })).toEqual(faults);
  });

  it('is an ordinary field in another resource', () => {
    expect(checkRules('ceremonies', undefined, { ceremony_year: 5 }, undefined, lookup)).toEqual([]);
  });
});

it('any change has a fault for each missing reference and each different derived field, and no other', () => {
  const id = fc.integer({ min: 1, max: 3 });
  const changes = {
    ...{ ceremony_id: id, category_id: id, movie_id: id, nominee_id: id, song_id: fc.option(id) },
    ceremony_year: fc.constantFrom(1929, 1930),
    category: fc.constantFrom('Directing', 'Directing 2'),
    movie: fc.constantFrom('Wings', 'Wings 2'),
    nominee: fc.constantFrom('Ann', 'Ann 2'),
    song_title: fc.constantFrom('Golden', 'Golden 2', null),
    is_song: fc.boolean(),
  };
  fc.assert(
    fc.property(fc.record(changes, { requiredKeys: [], noNullPrototype: true }), (sent) => {
      const due = lookup.derive({ ...before, ...sent } as Parameters<RecordLookup['derive']>[0]);
      const wrong = [
        ...Object.keys(references).filter((field) => (sent as RecordFields)[field] === 3),
        ...derivedFields.filter(
          (field) => sent[field] !== undefined && due[field] !== undefined && sent[field] !== due[field],
        ),
      ];
      const found = update(sent as RecordFields).map(({ pointer }) => pointer);
      expect(found).toEqual(wrong.map((field) => `/${field}`));
    }),
    { numRuns: runs(500) },
  );
});
