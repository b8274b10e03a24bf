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
  swagger: 'openapi',
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
    if (!/^[1-9]\d{0,15}$/.test(part)) return part;
    id = part;
    return '{id}';
  });
  const nearest = nearestName(parts.join('/'), [...addressesByParts.keys()]);
  for (let length = parts.length; length > 0; length -= 1) {
    const named = length === parts.length ? nearest : parts.slice(0, length).join('/');
    const address = addressesByParts.get(named ?? '');
    if (address !== undefined) return address.replace('{id}', id);
  }
  return undefined;
}
