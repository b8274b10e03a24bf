/** Netlify's entry point for reading: every method but those of write.ts, which is asked first, and answers kept by the CDN. */
import { netlifyService, path, rateLimit } from '../hosts/netlify.ts';

export default netlifyService();

export const config = { path, rateLimit, cache: 'manual' };
