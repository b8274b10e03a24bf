/**
 * The pages layer: the answer of every record (api/<resource>/<id>.json), every page of the unfiltered lists
 * (api/<resource>.json, then api/<resource>/pages/<n>.json), the nominations of each ceremony and the honors
 * of each year at the largest limit, which the page of a ceremony shows, and the lists and rankings that a
 * visitor meets first.
 */
import { resourceNames } from '../../api/contract/names.ts';
import {
  type AddressOf,
  defaultQuery,
  filtersAt,
  type Query,
  rankingNames,
  rankingSorts,
} from '../../api/contract/addresses.ts';
import { countKeys, maxLimit, parameters } from '../../api/contract/parameters.ts';
import { countsPath, listPath, rankingPath, recordPath, routeAt } from '../../api/contract/routes.ts';
import { textOf } from '../../api/read/documents.ts';
import { textsIn } from '../../api/read/named-columns.ts';
import { type AskedOfSnapshot, documentAt } from '../../api/read/addresses.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { affectedTopics, anyChange, listPageCount, topicOf } from './affected.ts';
import type { Layer, LayerFile } from './layer.ts';

interface Page extends Pick<LayerFile, 'path' | 'topic'> {
  asked: AskedOfSnapshot;
}

export const pagesLayer: Layer = {
  name: 'pages',
  async *all(snapshot) {
    const encode = pageEncoder();
    for await (const { path, topic, asked } of allPages(snapshot)) {
      const content = async () => {
        const document = await documentAt(snapshot, asked);
        if (!document || !('json' in document)) throw new Error(`${path} has no record`);
        return encode(textOf(document));
      };
      yield { path, topic, content };
    }
  },
  affected: affectedTopics,
};

/** Encodes one page at a time into a shared buffer: 30,000 buffers would cost more than the rendering. */
function pageEncoder(): (text: string) => Uint8Array {
  const encoder = new TextEncoder();
  let buffer = new Uint8Array(64 * 1024);
  return (text) => {
    // UTF-8 takes at most three bytes for a UTF-16 unit.
    if (buffer.length < text.length * 3) buffer = new Uint8Array(text.length * 6);
    return buffer.subarray(0, encoder.encodeInto(text, buffer).written);
  };
}

async function* allPages(snapshot: Snapshot): AsyncGenerator<Page> {
  const ids = await snapshot.table('ids');
  for (const resource of resourceNames) {
    const route = routeAt(`${listPath(resource)}/{id}`);
    for (let row = 0; row < ids[resource].count; row += 1) {
      const id = ids[resource].id(row);
      const path = `${recordPath(resource, id).slice(1)}.json`;
      yield { path, topic: topicOf.record(resource, id), asked: { route, id, query: defaultQuery } };
    }
  }
  for (const resource of resourceNames) {
    const topic = (page: number) => topicOf.listPage(resource, page);
    yield* numbered(listPath(resource), '', {}, listPageCount(resource, ids[resource].count), topic);
  }
  yield* filteredPages(snapshot);
  for (const resource of ['movies', 'nominees'] as const)
    yield queryPage(listPath(resource), '/sort/-entries', { sort: '-entries', include: ['counts'] });
  for (const by of countKeys) yield queryPage(countsPath, `/${by}`, { by });
  yield* rankingPages(snapshot);
}

/** api/nominations/ceremony_ids/<id>.json and api/honors/year/<year>.json, then …/pages/<n>.json. */
async function* filteredPages(snapshot: Snapshot): AsyncGenerator<Page> {
  const [{ ceremony }, ceremonies, honors] = await Promise.all([
    snapshot.table('nominations'),
    snapshot.table('ceremonies'),
    snapshot.table('honors'),
  ]);
  const honorsOf = new Map([...ceremonies.year].map((year) => [year, 0]));
  for (const id of honors.ceremony) {
    const year = ceremonies.year[ceremonies.row(id)]!;
    honorsOf.set(year, honorsOf.get(year)! + 1);
  }
  const pages = (records: number) => Math.max(1, Math.ceil(records / maxLimit));
  for (let row = 0; row < ceremonies.count; row += 1) {
    const id = ceremonies.id(row);
    const [query, topic] = [{ ceremony_ids: [id], limit: maxLimit }, () => topicOf.ceremony(id)];
    const last = pages(ceremony.nominationsOf(id).length);
    yield* numbered(listPath('nominations'), `/ceremony_ids/${id}`, query, last, topic);
  }
  for (const [year, records] of honorsOf) {
    const [query, topic] = [{ year, limit: maxLimit }, () => topicOf.year(year)];
    yield* numbered(listPath('honors'), `/year/${year}`, query, pages(records), topic);
  }
}

/**
 * Every ranking without years, with no filter or one by a text, at the default limit:
 * api/stats/<ranking>/<sort>.json and api/stats/<ranking>/<sort>/<filter>/<value>.json, the value folded.
 */
async function* rankingPages(snapshot: Snapshot): AsyncGenerator<Page> {
  for (const ranking of rankingNames) {
    const selections: [below: string, query: Partial<Query>][] = [['', {}]];
    for (const filter of filtersAt(rankingPath(ranking)).filter(
      ({ name }) => parameters[name].kind === 'text',
    ))
      for (const value of await textsIn(snapshot, filter.column)) {
        const name = fileNameOf(value);
        if (name !== undefined) selections.push([`/${filter.name}/${name}`, { [filter.name]: value }]);
      }
    for (const [below, query] of selections)
      for (const sort of rankingSorts)
        yield queryPage(rankingPath(ranking), `/${sort}${below}`, { ...query, sort });
  }
}

function* numbered(
  address: QueryAddress,
  below: string,
  query: Partial<Query>,
  last: number,
  topic: (page: number) => string,
): Generator<Page> {
  for (let page = 1; page <= last; page += 1)
    yield queryPage(address, page === 1 ? below : `${below}/pages/${page}`, { ...query, page }, topic(page));
}

type QueryAddress = AddressOf<'list' | 'counts' | 'ranking'>;

/** @param below of the page's path, below the address @param query what differs from the default */
function queryPage(address: QueryAddress, below: string, query: Partial<Query>, topic = anyChange): Page {
  const path = `${address.slice(1)}${below}.json`;
  return { path, topic, asked: { route: routeAt(address), query: { ...defaultQuery, ...query } } };
}

/** Longer values have no page: a file name has at most 255 bytes. */
const maxNameLength = 200;

/**
 * An injective file name for a folded value: a space becomes "-", any other character than a-z and 0-9
 * becomes "_" and its bytes.
 * @returns undefined if there is no page of that value
 */
function fileNameOf(value: string): string | undefined {
  // A lone surrogate has no UTF-8 bytes.
  if (/\p{Surrogate}/u.test(value)) return undefined;
  const name = value.replaceAll(/[^a-z0-9]/gu, (character) =>
    character === ' ' ? '-' : [...new TextEncoder().encode(character)].map(escapedByte).join(''),
  );
  return name.length > maxNameLength ? undefined : name;
}

const escapedByte = (byte: number): string => `_${byte.toString(16).padStart(2, '0')}`;
