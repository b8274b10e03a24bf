/** Our service in a process of its own, without the rate limit. */
import { createService } from '../../api/serve/server.ts';
import { childInput, serveUntilInputEnds } from './child.ts';

const { tree, answerBytes } = childInput<{ tree: string; answerBytes?: number }>();
serveUntilInputEnds(
  createService({
    out: tree,
    readLimit: 0,
    ...(answerBytes !== undefined && { answerBytes }),
    proxies: [],
    onError: (error) => process.stderr.write(`${(error as Error).stack ?? String(error)}\n`),
  }),
);
