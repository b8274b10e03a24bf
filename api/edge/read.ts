/** Netlify's entry point for reads. The CDN caches its answers. Netlify calls write.ts first for POST and PATCH. */
import { netlifyService, path, rateLimit } from '../hosts/netlify.ts';

export default netlifyService();

export const config = { path, rateLimit, cache: 'manual' };
