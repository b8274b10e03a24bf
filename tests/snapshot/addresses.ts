/** Which public address a file of the snapshot answers, worked out from its path alone and from nothing the build uses. */

export interface Address {
  path: string;
  queryString: string;
}

/** @returns undefined for a file that stands for no address */
export function addressOf(file: string): Address | undefined {
  const path = /^(api\/.+)\.json$/.exec(file)?.[1];
  if (path === undefined) return undefined;
  const [, resource, folder, ...rest] = path.split('/');
  if (resource === 'stats') return rankingAddress(folder!, rest);
  if (folder === 'pages') return { path: `/api/${resource}`, queryString: `page=${rest[0]}` };
  return { path: `/${path}`, queryString: '' };
}

function rankingAddress(ranking: string, [sort, filter, value]: string[]): Address {
  const filtered = filter === undefined ? '' : `&${filter}=${percentEncoded(value!)}`;
  return { path: `/api/stats/${ranking}`, queryString: `sort=${sort}${filtered}` };
}

/** In file names a hyphen stands for a space, and `_` leads the two hexadecimal digits of any other byte. */
function percentEncoded(name: string): string {
  return name.replaceAll('-', '%20').replaceAll('_', '%');
}
