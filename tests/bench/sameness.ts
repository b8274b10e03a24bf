/** Makes sure that the compared services do the same work. */
import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../../api/contract/target.ts';
import { addressOf } from './requests.ts';

/** The document at an address, as JSON text. */
type Answering = (request: Target) => string | undefined | Promise<string | undefined>;

interface SearchDocument {
  data: { id: number }[];
  pagination: { total: number };
}

/** @throws Error naming the first request that both do not answer with the same document */
export async function expectSameAnswers(
  requests: readonly Target[],
  ours: Answering,
  rival: Answering,
): Promise<void> {
  for (const request of requests) {
    const own = JSON.parse((await ours(request)) ?? 'null');
    const other = JSON.parse((await rival(request)) ?? 'null');
    const same = request.path === '/api/search' ? sameFindings(own, other) : isDeepStrictEqual(own, other);
    if (same) continue;
    const [ownText, otherText] = [own, other].map((document) => JSON.stringify(document).slice(0, 600));
    throw new Error(`different answers to ${addressOf(request)}: ${ownText} and ${otherText}`);
  }
}

/** FTS5 ranks differently, so only the set of results is compared, where it fits on one page. */
function sameFindings(own: SearchDocument, other: SearchDocument): boolean {
  const ids = ({ data }: SearchDocument) => new Set(data.map(({ id }) => id));
  if (own.pagination.total !== other.pagination.total || own.data.length !== other.data.length) return false;
  return own.pagination.total > own.data.length || isDeepStrictEqual(ids(own), ids(other));
}
