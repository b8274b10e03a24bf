/** The service as a Cloudflare Worker, the snapshot as its static assets: the same code on another host. */
import { env } from 'cloudflare:workers';
import { notFoundPage, wantsPage } from '../contract/site.ts';
import { EdgeService } from '../hosts/edge-service.ts';
import { fetchSource } from '../read/fetch-source.ts';

// Assets are asked for by path alone; the host is any.
const root = 'https://assets.invalid/';
const service = new EdgeService(
  fetchSource(root, (input) => env.ASSETS.fetch(input), root),
  { writes: env.WRITE_ORIGIN ? { origin: env.WRITE_ORIGIN, secret: env.WRITE_SECRET ?? '' } : undefined },
);

/** What is asked here and is not of the API is no asset either: a person is told so on a page. */
async function answerTo(request: Request): Promise<Response> {
  const answer = await service.fetch(request, request.headers.get('CF-Connecting-IP') ?? '');
  const { pathname } = new URL(request.url);
  if (pathname.startsWith('/api') || !wantsPage(request.method, request.headers.get('Accept'))) return answer;
  const page = await env.ASSETS.fetch(root + notFoundPage);
  return page.ok ? new Response(page.body, { status: answer.status, headers: page.headers }) : answer;
}

export default {
  fetch(request: Request, _env: unknown, lifetime: { waitUntil(work: Promise<unknown>): void }) {
    const answer = answerTo(request);
    // Requests share what is being loaded: it must arrive even if the one that asked for it first is gone.
    lifetime.waitUntil(answer);
    return answer;
  },
};
