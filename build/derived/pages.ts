/**
 * The pages layer: the answer of every record (api/<resource>/<id>.json), every page of the unfiltered lists
 * (api/<resource>.json, then api/<resource>/pages/<n>.json), and the counts and rankings that a visitor meets
 * first.
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
import { countKeys, parameters } from '../../api/contract/parameters.ts';
import { countsPath, listPath, rankingPath, recordPath, routeAt } from '../../api/contract/routes.ts';
import { textOf } from '../../api/read/documents.ts';
import { textsIn } from '../../api/read/named-columns.ts';
import { type AskedOfSnapshot, documentAt } from '../../api/read/addresses.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { type Difference, listPageCount } from './affected.ts';
import type { Layer } from './layer.ts';

interface Page {
  path: string;
  asked: AskedOfSnapshot;
}

export const pagesLayer: Layer = {
  name: 'pages',
  async *files(snapshot, difference) {
    const encode = pageEncoder();
    for await (const { path, asked } of pagesOf(snapshot, difference)) {
      const content = async () => {
        const document = await documentAt(snapshot, asked);
        if (!document || !('json' in document)) throw new Error(`${path} has no record`);
        return encode(textOf(document));
      };
      yield { path, content };
    }
  },
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

async function* pagesOf(snapshot: Snapshot, difference: Difference | undefined): AsyncGenerator<Page> {
  const ids = await snapshot.table('ids');
  for (const resource of resourceNames) {
    const route = routeAt(`${listPath(resource)}/{id}`);
    for (const id of difference ? ascending(difference.records[resource]) : ids[resource].ids) {
      if (difference && ids[resource].row(id) < 0) continue;
      yield { path: `${recordPath(resource, id).slice(1)}.json`, asked: { route, id, query: defaultQuery } };
    }
  }
  for (const resource of resourceNames)
    for (let page = 1; page <= listPageCount(resource, ids[resource].count); page += 1)
      if (difference === undefined || difference.listPages[resource].has(page))
        yield queryPage(listPath(resource), page === 1 ? '' : `/pages/${page}`, { page });
  // Counts and rankings are few: all of them are made again when any table changes.
  if (difference?.hasOtherTables === false) return;
  for (const by of countKeys) yield queryPage(countsPath, `/${by}`, { by });
  yield* rankingPages(snapshot);
}

const ascending = (ids: ReadonlySet<number>): number[] => [...ids].sort((a, b) => a - b);

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

type QueryAddress = AddressOf<'list' | 'counts' | 'ranking'>;

/** @param below of the page's path, below the address @param query what differs from the default */
function queryPage(address: QueryAddress, below: string, query: Partial<Query>): Page {
  const path = `${address.slice(1)}${below}.json`;
  return { path, asked: { route: routeAt(address), query: { ...defaultQuery, ...query } } };
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
