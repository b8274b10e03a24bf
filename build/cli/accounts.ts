/** Accounts at the services of others, from environment variables. */
import { UserError } from '../../data/system/messages.ts';
import { readSettings } from './environment.ts';

/**
 * The account for publishing to Netlify, from NETLIFY_AUTH_TOKEN, NETLIFY_SITE_ID and NETLIFY_API_URL.
 * @param siteOption instead of NETLIFY_SITE_ID
 * @throws UserError naming the variable that is missing or invalid
 */
export function netlifyAccount(siteOption?: string) {
  const {
    NETLIFY_AUTH_TOKEN: token,
    NETLIFY_API_URL: api = 'https://api.netlify.com/api/v1',
    NETLIFY_SITE_ID: site = siteOption,
  } = readSettings('NETLIFY_AUTH_TOKEN', 'NETLIFY_API_URL', 'NETLIFY_SITE_ID');
  if (token === undefined)
    throw new UserError(
      'NETLIFY_AUTH_TOKEN is not set; make a token under User settings, Applications, New access token',
    );
  if (site === undefined)
    throw new UserError(
      'NETLIFY_SITE_ID is not set; it is the project id, under Project configuration (or use --site)',
    );
  return { site: siteOption ?? site, token, api };
}

/** The account for the TMDB API. @throws UserError as netlifyAccount() does */
export function tmdbAccount() {
  const { TMDB_TOKEN: token, TMDB_API_URL: api = 'https://api.themoviedb.org' } = readSettings(
    'TMDB_TOKEN',
    'TMDB_API_URL',
  );
  if (token === undefined)
    throw new UserError('TMDB_TOKEN is not set; it is the "API Read Access Token" under Settings, API');
  return { token, api };
}
