/** Netlify's entry point for reads and pages. The CDN caches its answers. Netlify calls write.ts first for POST, PATCH and DELETE. */
// Netlify's bundler finds the packages that a file names, and not the one that JSX stands for.
import 'preact/jsx-runtime';
import { renderer } from '../../../build/site/explorer/render.tsx';
import { netlifyService, pagePaths, path as apiPaths, rateLimit } from '../netlify-service.ts';

export default netlifyService({ render: renderer });

export const config = { path: [...apiPaths, ...pagePaths], rateLimit, cache: 'manual' };
