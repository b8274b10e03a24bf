/** Netlify's entry point for writes, with its own rate limit. Writes are forwarded to WRITE_ORIGIN. */
import { netlifyService, path, rateLimit } from '../netlify-service.ts';

export default netlifyService();

export const config = { path, rateLimit, method: ['POST', 'PATCH', 'DELETE'] };
