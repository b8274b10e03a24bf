/** Where to publish to and with whose right, from options and environment. */
import { UserError } from '../../data/user-error.ts';

export const netlifyApi = 'https://api.netlify.com/api/v1';

export interface Account {
  site: string;
  token: string;
  /** Address of the API. */
  api: string;
}

/**
 * @param site wins over NETLIFY_SITE_ID
 * @throws UserError naming what is missing or cannot be right
 */
export function accountOf(environment: NodeJS.ProcessEnv, site: string | undefined): Account {
  const token = environment.NETLIFY_AUTH_TOKEN?.trim();
  if (!token)
    throw new UserError(
      'NETLIFY_AUTH_TOKEN is not set; make a token under User settings, Applications, New access token',
    );
  // A header cannot hold anything else, and the error of whoever tries says nothing.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UserError('NETLIFY_AUTH_TOKEN is no token: it has blanks or other odd characters in it');
  const id = site ?? environment.NETLIFY_SITE_ID?.trim();
  if (!id)
    throw new UserError(
      'NETLIFY_SITE_ID is not set; it is the project id, under Project configuration (or use --site)',
    );
  if (!/^[A-Za-z0-9.-]+$/.test(id)) throw new UserError(`"${id}" is no id of a site`);
  return { site: id, token, api: apiAddress(environment.NETLIFY_API_URL) };
}

function apiAddress(given: string | undefined): string {
  if (!given) return netlifyApi;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isHere = url && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname);
  // The token goes along with every request.
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isHere))
    throw new UserError(`NETLIFY_API_URL is "${given}"; it must be an https address`);
  return given;
}
