/** The service as a Cloudflare Worker. The files of the snapshot and its layers are its static assets. */
import { env } from 'cloudflare:workers';
import { renderer } from '../../../build/site/explorer/render.tsx';
import { isApiPath, notFoundPage, pageAt, wantsPage } from '../../../build/site/shared/hosting.ts';
import { edgeService } from '../edge-service.ts';
import { writeServiceOf } from '../write-forwarding.ts';
import { fetchSource } from '../../read/fetch-source.ts';

// The host of an asset request does not matter.
const root = 'https://assets.invalid/';
const service = edgeService(
  fetchSource(root, (input) => env.ASSETS.fetch(input)),
  {
    writes: writeServiceOf(env.WRITE_ORIGIN, env.WRITE_SECRET),
    render: renderer,
    origin: env.AWARDS_ORIGIN || undefined,
  },
);

/**
 * Assets are answered before the Worker runs, but for the addresses of the explorer and the API. Other addresses get the page
 * for unknown addresses.
 */
async function answerTo(request: Request): Promise<Response> {
  const answer = await service(request, request.headers.get('CF-Connecting-IP') ?? '');
  if (answer.status !== 404) return answer;
  const { pathname } = new URL(request.url);
  if (isApiPath(pathname) || pageAt(pathname) || !wantsPage(request.method, request.headers.get('Accept')))
    return answer;
  const page = await env.ASSETS.fetch(root + notFoundPage);
  return page.ok ? new Response(page.body, { status: answer.status, headers: page.headers }) : answer;
}

export default {
  fetch(request: Request, _env: unknown, lifetime: { waitUntil(work: Promise<unknown>): void }) {
    const answer = answerTo(request);
    // Concurrent requests share loads: a load must finish even if its first request is cancelled.
    lifetime.waitUntil(answer);
    return answer;
  },
};
