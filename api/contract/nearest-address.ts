/** The address that a mistyped path means. */
import { changeFeedPath, changeIndexPath, releaseIndexPath } from './history.ts';
import { downloadIndexPath, listIndexPath } from './layers.ts';
import { nearestName } from './nearest.ts';
import { rootPath, routes } from './routes.ts';
import { manifestPath } from './snapshot.ts';

/** What others call a part of an address. */
const otherWords: Readonly<Record<string, string>> = {
  film: 'movies',
  films: 'movies',
  title: 'movies',
  titles: 'movies',
  people: 'nominees',
  person: 'nominees',
  persons: 'nominees',
  actor: 'nominees',
  actors: 'nominees',
  award: 'nominations',
  awards: 'nominations',
  oscars: 'nominations',
  winners: 'nominations',
  year: 'ceremonies',
  years: 'ceremonies',
  query: 'search',
  ranking: 'stats',
  rankings: 'stats',
  swagger: 'openapi',
  schema: 'openapi',
  spec: 'openapi',
};

const files = [
  downloadIndexPath,
  releaseIndexPath,
  changeIndexPath,
  changeFeedPath,
  listIndexPath,
  manifestPath,
  'docs',
  'llms.txt',
];

/** The parts of a path that tell addresses apart, in lower case. */
function partsOf(path: string): string[] {
  const parts = path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && !/^(api|rest|v\d+)$/.test(part))
    .map((part) => part.replace(/(?<=.)\.[a-z]{2,5}$/, ''));
  if (parts.length > 1 && parts.at(-1) === 'index') parts.pop();
  return parts.map((part) => (Object.hasOwn(otherWords, part) ? otherWords[part]! : part));
}

/** The id of a record in a part such as `3669` or `3669-titanic`. */
const idIn = (part: string): string | undefined => /^[1-9]\d{0,15}(?=$|[-.])/.exec(part)?.[0];

/** The address that finds a record by the IMDb id in a part. */
function byImdbId(part: string): string | undefined {
  const [id] = /^(tt|nm|co)\d{5,12}(?=$|\.)/.exec(part.toLowerCase()) ?? [];
  return id && `/api/${id.startsWith('tt') ? 'movies' : 'nominees'}?filmindex_id=${id}`;
}

/** What is said of a path that names no record: the last part is that of a page, an IMDb id or a title. */
export function recordHint(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  const last = path.slice(at);
  const found = byImdbId(last);
  if (found !== undefined) return `; ${found} finds one by its IMDb id`;
  const id = idIn(last);
  if (id === undefined) return '; an id is a whole number';
  return id === last ? '' : `; did you mean ${path.slice(0, at)}${id}?`;
}

/** The parts of an address → the address. */
const addressesByParts: ReadonlyMap<string, string> = /* @__PURE__ */ makeAddresses();

function makeAddresses(): Map<string, string> {
  const found = new Map<string, string>();
  for (const address of [...routes.keys(), ...files.map((file) => `/${file}`)]) {
    const parts = partsOf(address).join('/');
    if (address !== rootPath && !found.has(parts)) found.set(parts, address);
  }
  return found;
}

/**
 * The address that a path with nothing at it means: the nearest one, or that of a record whose part it asks
 * for. Undefined if none is near.
 */
export function nearestAddress(path: string): string | undefined {
  let id = '';
  const parts = partsOf(path.slice(0, 200)).map((part) => {
    const own = idIn(part);
    if (own === undefined) return part;
    id = own;
    return '{id}';
  });
  const found = parts.map(byImdbId).find((own) => own !== undefined);
  if (found !== undefined) return found;
  const nearest = nearestName(parts.join('/'), [...addressesByParts.keys()]);
  for (let length = parts.length; length > 0; length -= 1) {
    const named = length === parts.length ? nearest : parts.slice(0, length).join('/');
    const address = addressesByParts.get(named ?? '');
    if (address !== undefined) return address.replace('{id}', id);
  }
  return undefined;
}
