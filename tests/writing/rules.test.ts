/** A nomination refers to records that exist, and what is derived from them cannot be set to anything else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedFields, writableResources } from '../../api/contract/bodies.ts';
import type { ReferencedResource } from '../../api/contract/names.ts';
import { checkRules, type RecordLookup } from '../../api/write/rules.ts';
import type { RecordFields } from '../../api/write/validation.ts';
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

/** As it is stored, and what follows from that. */
const before: RecordFields = {
  id: 7,
  ceremony_id: 1,
  category_id: 1,
  movie_id: 1,
  nominee_id: 1,
  song_id: 1,
  winner: false,
};
const derived: RecordFields = {
  ceremony_year: 1929,
  category: 'Directing',
  movie: 'Wings',
  nominee: 'Ann',
  song_title: 'Golden',
  is_song: true,
};

const create = (record: RecordFields) => checkRules('nominations', undefined, record, undefined, lookup);
const update = (record: RecordFields) => checkRules('nominations', 7, record, before, lookup);
const is = (shown: string) => `is derived: it is ${shown}; leave it out or send that`;

describe('an id', () => {
  it.each(writableResources.map((resource) => [resource]))(
    'of %s may be repeated, not changed',
    (resource) => {
      expect(checkRules(resource, 7, { id: 7 }, { id: 7 }, lookup)).toEqual([]);
      expect(checkRules(resource, 7, {}, { id: 7 }, lookup)).toEqual([]);
      expect(checkRules(resource, 7, { id: 8 }, { id: 7 }, lookup)).toEqual([
        { pointer: '/id', message: 'must stay 7' },
      ]);
    },
  );

  it('is free for a new record', () => {
    expect(create({ ...before, id: 8 })).toEqual([]);
    expect(checkRules('movies', undefined, { id: 8, title: 'Wings' }, undefined, lookup)).toEqual([]);
  });
});

describe('a reference', () => {
  it.each([
    ['ceremony_id', 'ceremony'],
    ['category_id', 'category'],
    ['movie_id', 'movie'],
    ['nominee_id', 'nominee'],
    ['song_id', 'song'],
  ])('%s must lead to a record', (field, name) => {
    const faults = [{ pointer: `/${field}`, message: `there is no ${name} with id 3` }];
    expect(create({ ...before, [field]: 3 })).toEqual(faults);
    expect(update({ [field]: 3 })).toEqual(faults);
    expect(update({ [field]: 2 })).toEqual([]);
  });

  it('to a song may be null', () => {
    expect(create({ ...before, song_id: null })).toEqual([]);
    expect(update({ song_id: null })).toEqual([]);
  });

  it('that is not sent is not looked up', () => {
    const none: RecordLookup = { ...lookup, exists: () => false };
    expect(checkRules('nominations', 7, { winner: true }, before, none)).toEqual([]);
  });
});

describe('a derived field', () => {
  it('may be sent as it is', () => {
    expect(create({ ...before, ...derived })).toEqual([]);
    expect(update(derived)).toEqual([]);
    expect(update({ ...before, ...derived })).toEqual([]);
    expect(update({ song_id: null, song_title: null, is_song: false })).toEqual([]);
  });

  it.each([
    ['ceremony_year', 1930, '1929'],
    ['category', 'directing', '"Directing"'],
    ['movie', '', '"Wings"'],
    ['nominee', 'Ann ', '"Ann"'],
    ['song_title', null, '"Golden"'],
    ['is_song', false, 'true'],
  ])('%s may not be sent as %j', (field, wrong, shown) => {
    const faults = [{ pointer: `/${field}`, message: is(shown) }];
    expect(create({ ...before, ...derived, [field]: wrong })).toEqual(faults);
    expect(update({ [field]: wrong })).toEqual(faults);
  });

  it('is compared with what it will be, not with what it was', () => {
    expect(update({ movie_id: 2, movie: 'Wings 2' })).toEqual([]);
    expect(update({ movie_id: 2, movie: 'Wings' })).toEqual([
      { pointer: '/movie', message: is('"Wings 2"') },
    ]);
    expect(update({ song_id: null, song_title: 'Golden', is_song: true })).toEqual([
      { pointer: '/song_title', message: is('null') },
      { pointer: '/is_song', message: is('false') },
    ]);
  });

  it('says nothing where the record it comes from does not exist; is_song is known all the same', () => {
    expect(update({ movie_id: 3, movie: 'Wings' }).map(({ pointer }) => pointer)).toEqual(['/movie_id']);
    expect(update({ song_id: 3, song_title: 'x', is_song: false })).toEqual([
      { pointer: '/song_id', message: 'there is no song with id 3' },
      { pointer: '/is_song', message: is('true') },
    ]);
  });

  it('says nothing about a record that is not there to be changed', () => {
    expect(checkRules('nominations', 7, derived, undefined, lookup)).toEqual([]);
    expect(
      checkRules('nominations', 7, { movie_id: 1, movie: 'x', is_song: true }, undefined, lookup),
    ).toEqual([{ pointer: '/movie', message: is('"Wings"') }]);
  });

  it('is no more than a field in another resource', () => {
    expect(checkRules('ceremonies', undefined, { ceremony_year: 5 }, undefined, lookup)).toEqual([]);
  });
});

it('whatever is sent: a fault for each reference that leads nowhere and each derived field that differs, and no other', () => {
  const id = fc.integer({ min: 1, max: 3 });
  const change = fc.record(
    {
      ceremony_id: id,
      category_id: id,
      movie_id: id,
      nominee_id: id,
      song_id: fc.option(id),
      ceremony_year: fc.constantFrom(1929, 1930),
      category: fc.constantFrom('Directing', 'Directing 2'),
      movie: fc.constantFrom('Wings', 'Wings 2'),
      nominee: fc.constantFrom('Ann', 'Ann 2'),
      song_title: fc.constantFrom('Golden', 'Golden 2', null),
      is_song: fc.boolean(),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  fc.assert(
    fc.property(change, (sent) => {
      const after = { ...before, ...sent } as Parameters<RecordLookup['derive']>[0];
      const due = lookup.derive(after);
      const wrong = [
        ...(['ceremony_id', 'category_id', 'movie_id', 'nominee_id', 'song_id'] as const).filter(
          (field) => sent[field] === 3,
        ),
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
