/** The record as the browser reads it: the resolver over the snapshot's files on this very host, so no answer needs a server. */
import { fetchSource } from '../../../api/read/fetch-source.ts';
import { Resolver } from '../../../api/read/resolve.ts';

const resolver = new Resolver(fetchSource('/'), { writable: false });
const decoder = new TextDecoder();

/** What an address of the API answers with an error. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

/** The document at an address of the API, such as /api/movies?title=x. @throws ApiError */
export async function read<T>(address: string): Promise<T> {
  const question = address.indexOf('?');
  const path = question < 0 ? address : address.slice(0, question);
  const queryString = question < 0 ? '' : address.slice(question + 1);
  const { status, body } = await resolver.answer({ method: 'GET', path, queryString });
  const document = JSON.parse(decoder.decode(body ?? undefined)) as unknown;
  if (status !== 200) throw new ApiError(status, (document as { detail: string }).detail);
  return document as T;
}

/** Takes up the record as it is now. */
export const refreshRecord = (): Promise<void> => resolver.refresh();
