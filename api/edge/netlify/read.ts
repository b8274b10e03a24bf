/**
 * Netlify's entry point for reads and pages. The CDN caches its answers. Netlify calls write.ts first for
 * POST, PATCH and DELETE.
 */
// Netlify's bundler finds the packages that a file names, and not the one that JSX stands for.
import 'preact/jsx-runtime';
import { SitePages } from '../../../build/site/explorer/site-pages.ts';
import { netlifyService, rateLimit, readPaths } from '../netlify-service.ts';

export default netlifyService({ Pages: SitePages });

export const config = { path: readPaths, rateLimit, cache: 'manual' };
