/** Netlify's entry point for writing, with a rate limit of its own. Handed through to WRITE_ORIGIN. */
import { netlifyService, path, rateLimit } from '../hosts/netlify.ts';

export default netlifyService();

export const config = { path, rateLimit, method: ['POST', 'PATCH'] };
