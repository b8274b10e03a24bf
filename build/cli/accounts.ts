/** Accounts at the services of others, from environment variables. */
import { defaultOrigin } from '../../api/contract/layers.ts';
import { UserError } from '../system/messages.ts';
import { type CommandVariable, environment } from './environment.ts';

/**
 * The account for publishing to Netlify, from NETLIFY_AUTH_TOKEN, NETLIFY_SITE_ID and NETLIFY_API_URL.
 * @param site instead of NETLIFY_SITE_ID
 * @throws UserError naming the variable that is missing or invalid
 */
export function netlifyAccount(site = environment.NETLIFY_SITE_ID?.trim()) {
  const advice = 'make a token under User settings, Applications, New access token';
  const token = tokenFrom('NETLIFY_AUTH_TOKEN', advice);
  if (!site)
    throw new UserError(
      'NETLIFY_SITE_ID is not set; it is the project id, under Project configuration (or use --site)',
    );
  if (!/^[A-Za-z0-9.-]+$/.test(site)) throw new UserError(`"${site}" is not the id of a site`);
  return { site, token, api: serviceAddress('NETLIFY_API_URL', 'https://api.netlify.com/api/v1') };
}

/** The address of the site, if one is given; undefined for the address where `serve` listens, which is the default. */
export const givenOrigin = (origin?: string): string | undefined =>
  origin === defaultOrigin ? undefined : origin;

/** The account for the TMDB API. @throws UserError as netlifyAccount() does */
export const tmdbAccount = () => ({
  token: tokenFrom('TMDB_TOKEN', 'it is the "API Read Access Token" under Settings, API'),
  api: serviceAddress('TMDB_API_URL', 'https://api.themoviedb.org'),
});

/** @param advice how to get a token */
function tokenFrom(name: CommandVariable, advice: string): string {
  const token = environment[name]?.trim();
  if (!token) throw new UserError(`${name} is not set; ${advice}`);
  // The error of fetch() for an invalid header would not name the variable.
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UserError(`${name} is not a token: it contains blanks or control characters`);
}

function serviceAddress(name: CommandVariable, usual: string): string {
  const address = environment[name] ?? usual;
  // Every request carries the token.
  if (/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/])/.test(address) && URL.canParse(address))
    return address;
  throw new UserError(`${name} is "${address}"; it must be an https address`);
}
