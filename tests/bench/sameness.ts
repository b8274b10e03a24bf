/** Makes sure that what is compared does the same work: both services answer a sample of requests with the same documents. */
import { isDeepStrictEqual } from 'node:util';
import { addressOf, type BenchRequest } from './requests.ts';

/** The document at an address, as JSON text. */
export type Answering = (request: BenchRequest) => string | undefined | Promise<string | undefined>;

interface SearchDocument {
  data: { id: number }[];
  pagination: { total: number };
}

/** @throws Error naming the first request that is not answered alike */
export async function expectSameAnswers(
  requests: readonly BenchRequest[],
  ours: Answering,
  rival: Answering,
): Promise<void> {
  for (const request of requests) {
    const documents: unknown[] = [];
    for (const answering of [ours, rival]) documents.push(JSON.parse((await answering(request)) ?? 'null'));
    const [own, other] = documents;
    const same =
      request.path === '/api/search'
        ? sameFindings(own as SearchDocument, other as SearchDocument)
        : isDeepStrictEqual(own, other);
    if (!same)
      throw new Error(
        `${addressOf(request)} is not answered alike: ${JSON.stringify(own).slice(0, 600)} versus ${JSON.stringify(other).slice(0, 600)}`,
      );
  }
}

/** FTS5 ranks otherwise; what is found must be the same, as far as one page shows it. */
function sameFindings(own: SearchDocument, other: SearchDocument): boolean {
  const ids = ({ data }: SearchDocument) => new Set(data.map((nomination) => nomination.id));
  if (own.pagination.total !== other.pagination.total || own.data.length !== other.data.length) return false;
  return own.pagination.total > own.data.length || isDeepStrictEqual(ids(own), ids(other));
}
