/** Our whole service in a process of its own, reading and writing, without rate limits. */
import { createService } from '../../api/serve/server.ts';
import { openWriting } from '../../api/serve/writing.ts';
import { childInput, serveUntilInputEnds } from './child.ts';

const { db, out } = childInput<{ db: string; out: string }>();
const onError = (error: unknown): void =>
  void process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
const writing = await openWriting({
  db,
  out,
  environmentKey: process.env.AWARDS_API_KEY,
  writeLimit: 0,
  onError,
});
serveUntilInputEnds(createService({ out, readLimit: 0, proxies: [], writing, onError }), () =>
  writing.close(),
);
