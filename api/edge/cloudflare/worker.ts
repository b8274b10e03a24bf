/** The service as a Cloudflare Worker. The files of the snapshot and its layers are its static assets. */
import { renderer } from '../../../build/site/explorer/render.tsx';
import { isApiPath, notFoundPage, pageAt, wantsPage } from '../../contract/site.ts';
import { edgeService } from '../edge-service.ts';
import { writeServiceOf } from '../write-forwarding.ts';
import { fetchSource } from '../../read/fetch-source.ts';

interface Environment {
  ASSETS: { fetch: typeof fetch };
  AWARDS_ORIGIN?: string;
  WRITE_ORIGIN?: string;
  WRITE_SECRET?: string;
}

// The host of an asset request does not matter.
const root = 'https://assets.invalid/';

/** Made by the first request. All requests have the same environment. */
let service: ReturnType<typeof edgeService> | undefined;

function serviceIn({ ASSETS, AWARDS_ORIGIN, WRITE_ORIGIN, WRITE_SECRET }: Environment) {
  const writes = writeServiceOf(WRITE_ORIGIN, WRITE_SECRET);
  const source = fetchSource(root, (input) => ASSETS.fetch(input));
  return edgeService(source, { writes, render: renderer, origin: AWARDS_ORIGIN || undefined });
}

/**
 * Assets are answered before the Worker runs, but for the addresses of the explorer and the API. Other addresses get the page
 * for unknown addresses.
 */
async function answerTo(request: Request, env: Environment): Promise<Response> {
  service ??= serviceIn(env);
  const answer = await service(request, request.headers.get('CF-Connecting-IP') ?? '');
  if (answer.status !== 404) return answer;
  const { pathname } = new URL(request.url);
  if (isApiPath(pathname) || pageAt(pathname) || !wantsPage(request.method, request.headers.get('Accept')))
    return answer;
  const page = await env.ASSETS.fetch(root + notFoundPage);
  return page.ok ? new Response(page.body, { status: answer.status, headers: page.headers }) : answer;
}

export default {
  fetch(request: Request, env: Environment, lifetime: { waitUntil(work: Promise<unknown>): void }) {
    const answer = answerTo(request, env);
    // Concurrent requests share loads: a load must finish even if its first request is cancelled.
    lifetime.waitUntil(answer);
    return answer;
  },
};
