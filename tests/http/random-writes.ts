/** Random writes: valid and invalid records, damaged bytes, addresses and headers of every kind. */
import fc from 'fast-check';
import { type WritableResource, writableResources } from '../../api/contract/names.ts';
import type { JsonValue } from '../../api/contract/bodies.ts';
import { anyBadField, anyBody } from './random-bodies.ts';

export interface AnyWrite {
  method: string;
  target: string;
  headers: Record<string, string | string[]>;
  body: Uint8Array;
}

/** One time in so many; else undefined. */
export const seldom = <T>(arbitrary: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** Mostly the first, one time in so many one of the others. */
const mostly = (first: readonly string[], weight: number, others: readonly string[]) =>
  fc.oneof(
    { weight, arbitrary: fc.constantFrom(...first) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const otherIds = '4 424242 9007199254740992 0 01 -1 1.0 x %31 1/2'.split(' ');
const ids = mostly(['1', '2', '3', '9007199254740991'], 8, otherIds);
const queries = mostly([''], 6, ['?', '?id=2', '?a=%FF&a']);
const otherTargets = fc.constantFrom(
  ...'/ /api /api/categories /api/categories/1 /api/search /api/stats/top-movies /api/films *'.split(' '),
  ...'/receipts /receipts/1 /receipts/x /receipts?before=2 //api/movies /api/movies/ /manifest.json'.split(
    ' ',
  ),
);

const encode = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const odd = [
  '',
  'null',
  '[]',
  '{',
  '{}x',
  '{"a":1,"a":1}',
  '{"__proto__":{}}',
  '{"title":"\\ud800"}',
  '"\\u0000"',
];
const nested = (depth: number) => `{"title":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const raw = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.oneof(fc.json(), fc.constantFrom(...odd, '{"id":1e999}')).map((text) => Buffer.from(text)),
  fc.constantFrom(65_536, 65_537, 200_000).map((size) => Buffer.alloc(size, ' ')),
  fc.constantFrom(60, 70, 5000).map((depth) => Buffer.from(nested(depth))),
);

const edit = fc.record({ at: fc.nat(), removed: fc.nat({ max: 3 }), put: fc.uint8Array({ maxLength: 3 }) });

/** Bytes with a few places changed. */
export const damaged = (bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  fc.tuple(bytes, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([whole, edits]) =>
    edits.reduce((now, { at, removed, put }) => {
      const place = at % (now.length + 1);
      return Buffer.concat([now.subarray(0, place), put, now.subarray(place + removed)]);
    }, whole),
  );

type Fields = Record<string, JsonValue>;

/** The fields of a record. Few ids, so that some are taken. */
const someFields = (resource: WritableResource): fc.Arbitrary<Fields> =>
  fc
    .tuple(anyBody(resource), seldom(fc.integer({ min: 1, max: 60 }), 4))
    .map(([{ id: _, ...body }, id]) => ({ ...body, ...(id !== undefined && { id }) }));

function bodiesFor(resource: WritableResource): fc.Arbitrary<Uint8Array> {
  const some = someFields(resource);
  const part = fc
    .tuple(some, fc.integer({ min: 0, max: 3 }))
    .map(([body, most]) => Object.fromEntries(Object.entries(body).slice(0, most)));
  const bad = fc
    .tuple(some, anyBadField(resource))
    .map(([body, [field, value]]) => ({ ...body, [field]: value }));
  return fc.oneof(
    { weight: 5, arbitrary: some.map(encode) },
    { weight: 4, arbitrary: part.map(encode) },
    { weight: 3, arbitrary: bad.map(encode) },
    { weight: 2, arbitrary: damaged(some.map(encode)) },
    { weight: 2, arbitrary: raw },
  );
}

/** The key replaces `%`. */
const rightHeaders: Record<string, string> = { 'x-api-key': '%', 'Content-Type': 'application/json' };
const oddHeaders = fc.constantFrom<AnyWrite['headers']>(
  { 'x-api-key': '' },
  { 'x-api-key': ['%', '%'] },
  { 'Content-Type': 'application/merge-patch+json' },
  { 'Content-Type': 'application/json;charset=UTF-16' },
  { 'Content-Type': ['application/json', 'application/json'] },
  { 'Content-Type': '/' },
  { 'Content-Encoding': 'br' },
  { 'If-Match': '*' },
  { 'If-Match': 'W/"a", "b"' },
  { 'If-Match': '' },
  { 'If-None-Match': '*' },
  { Expect: '100-continue' },
  { 'Transfer-Encoding': 'chunked' },
  { Connection: 'close' },
  { Connection: 'Upgrade', Upgrade: 'websocket' },
  { Origin: 'null', Accept: 'text/html', Range: 'bytes=0-1' },
  { 'Accept-Version': '2', 'X-HTTP-Method-Override': 'GET' },
);

const verb = fc.constantFrom('POST', 'POST', 'POST', 'PATCH', 'PATCH', 'PATCH', 'DELETE');

/** A write. Three of four are right except for the body. */
export const anyWrite: fc.Arbitrary<AnyWrite> = fc.constantFrom(...writableResources).chain((resource) =>
  fc
    .record({
      verb,
      otherMethod: seldom(fc.constantFrom('PUT', 'GET', 'HEAD', 'OPTIONS', 'TRACE'), 15),
      otherTarget: seldom(otherTargets, 15),
      id: ids,
      query: queries,
      odd: seldom(oddHeaders, 4),
      body: bodiesFor(resource),
    })
    .map(({ verb: own, otherMethod, otherTarget, id, query, odd, body }) => ({
      method: otherMethod ?? own,
      target: otherTarget ?? `/api/${resource}${own === 'POST' ? '' : `/${id}`}${query}`,
      headers: { ...rightHeaders, ...odd },
      body: own === 'DELETE' && otherTarget === undefined ? new Uint8Array() : body,
    })),
);

/** One write of a batch. */
export interface AnyMember {
  method: string;
  path: string;
  body?: JsonValue;
  if_match?: JsonValue;
}

/** One write of a batch. Eleven of twelve are right except for what the record of the service refuses. */
const anyMember: fc.Arbitrary<AnyMember> = fc.constantFrom(...writableResources).chain((resource) =>
  fc
    .record({
      verb,
      id: fc.constantFrom('1', '2', '3'),
      fields: someFields(resource),
      most: fc.integer({ min: 1, max: 3 }),
      odd: seldom(
        fc.constantFrom<Partial<AnyMember>>(
          { method: 'PUT' },
          { path: '/api/batch' },
          { path: '/api/categories' },
          { body: null },
          { body: { id: 0 } },
          { if_match: '"x"' },
          { if_match: null },
        ),
        12,
      ),
    })
    .map(({ verb: method, id, fields, most, odd }) => {
      const change = Object.fromEntries(
        Object.entries(fields)
          .filter(([name]) => name !== 'id')
          .slice(0, most),
      );
      return {
        method,
        path: `/api/${resource}${method === 'POST' ? '' : `/${id}`}`,
        ...(method !== 'DELETE' && { body: method === 'POST' ? fields : change }),
        ...odd,
      };
    }),
);

/** A batch of a few writes. */
export const anyBatch: fc.Arbitrary<AnyMember[]> = fc.array(anyMember, { minLength: 1, maxLength: 4 });
