/** Documents of the API as pages read them: a resolver computes them, in the browser or on the server. */
import type { Pagination } from '../../../api/contract/answers.ts';
import type { ParameterFault } from '../../../api/contract/problems.ts';
import { splitTarget } from '../../../api/contract/target.ts';
import type { Resolver } from '../../../api/read/resolve.ts';

/** An answer other than 200. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly faults: readonly ParameterFault[];

  constructor(status: number, detail: string, faults: readonly ParameterFault[] = []) {
    super(detail);
    this.status = status;
    this.faults = faults;
  }
}

export interface List<T> {
  data: T[];
}

interface Paged<T> extends List<T> {
  pagination: Pagination;
}

const decoder = new TextDecoder();

/** The document at an address such as `/api/movies?genre=Drama`. @throws ApiError */
export async function readDocument<T>(resolver: Resolver, address: string): Promise<T> {
  const { status, body } = await resolver.answer({ method: 'GET', ...splitTarget(address) });
  const document: unknown = JSON.parse(decoder.decode(body ?? undefined));
  if (status === 200) return document as T;
  const { detail, errors } = document as { detail: string; errors?: ParameterFault[] };
  throw new ApiError(status, detail, errors);
}

/** All records of a list. @param read gives the document at an address @throws ApiError */
export async function everyPage<T>(
  read: (address: string) => Promise<Paged<T>>,
  address: string,
): Promise<T[]> {
  const separator = address.includes('?') ? '&' : '?';
  const page = (number: number) => read(`${address}${separator}limit=100&page=${number}`);
  const first = await page(1);
  const others = Array.from({ length: Math.max(0, first.pagination.totalPages - 1) }, (_, i) => page(i + 2));
  return [first, ...(await Promise.all(others))].flatMap(({ data }) => data);
}
