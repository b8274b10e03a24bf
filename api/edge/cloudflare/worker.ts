/** The service as a Cloudflare Worker. The files of the snapshot and its layers are its static assets. */
import { SitePages } from '../../../build/site/explorer/site-pages.ts';
import { isAnsweredByCode, notFoundPage, wantsPage } from '../../../build/site/shared/hosting.ts';
import { edgeService } from '../edge-service.ts';
import { writeServiceOf } from '../write-forwarding.ts';
import { fetchSource } from '../../read/source.ts';

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
  return edgeService(source, { writes, Pages: SitePages, origin: AWARDS_ORIGIN || undefined });
}

/** wrangler.json names the files that are answered before the Worker runs. */
async function answerTo(request: Request, env: Environment): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (!isAnsweredByCode(pathname)) {
    const asset = await env.ASSETS.fetch(request);
    if (asset.status !== 404) return asset;
    if (wantsPage(request.method, request.headers.get('Accept'))) {
      const page = await env.ASSETS.fetch(root + notFoundPage);
      if (page.ok) return new Response(page.body, { status: asset.status, headers: page.headers });
    }
  }
  service ??= serviceIn(env);
  return service(request, request.headers.get('CF-Connecting-IP') ?? '');
}

export default {
  fetch(request: Request, env: Environment, lifetime: { waitUntil(work: Promise<unknown>): void }) {
    const answer = answerTo(request, env);
    // Concurrent requests share loads: a load must finish even if its first request is cancelled.
    lifetime.waitUntil(answer);
    return answer;
  },
};
