/** Sends the requests of the reference. Where no service answers, the resolver answers GET from the snapshot's files. */
import { fetchSource } from '../../../api/read/fetch-source.ts';
import { splitTarget } from '../../../api/contract/target.ts';
import { Resolver } from '../../../api/read/resolve.ts';

export interface Received {
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  text: string;
  milliseconds: number;
  bytes: number;
  /** Whether the answer was made in this page. */
  isLocal: boolean;
}

interface TriedRequest {
  method: string;
  target: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

/** A host of plain files answers with its own page, if it answers at all. */
const isOfService = (response: Response): boolean =>
  !response.headers.get('Content-Type')?.startsWith('text/html');

let resolver: Resolver | undefined;

/** @throws TypeError if neither a service nor the files of the snapshot can be reached */
export async function sendRequest(request: TriedRequest): Promise<Received> {
  const { method, target, headers, body } = request;
  const start = performance.now();
  const response = await fetch(target, {
    method,
    headers,
    cache: 'no-store',
    ...(body !== undefined && { body }),
  }).catch(() => undefined);
  const content = await response?.arrayBuffer().catch(() => undefined);
  if (response === undefined || content === undefined || !isOfService(response))
    return method === 'GET' ? answerHere(request) : noService(content && response?.status);
  return {
    status: response.status,
    headers: [...response.headers],
    text: new TextDecoder().decode(content),
    milliseconds: performance.now() - start,
    bytes: content.byteLength,
    isLocal: false,
  };
}

function noService(status: number | undefined): never {
  throw new TypeError(
    status === undefined || status >= 500
      ? 'The service cannot be reached. Nothing is known about the write: read the record before you send it again.'
      : `This host has files only, and takes no writes (${status}).`,
  );
}

async function answerHere({ target, headers }: TriedRequest): Promise<Received> {
  resolver ??= new Resolver(fetchSource('/'), { writable: false });
  const start = performance.now();
  const answer = await resolver.answer({
    method: 'GET',
    ...splitTarget(target),
    ifNoneMatch: headers['If-None-Match'],
  });
  const content = answer.body ?? new Uint8Array();
  return {
    status: answer.status,
    headers: [...new Headers(answer.headers)],
    text: new TextDecoder().decode(content),
    milliseconds: performance.now() - start,
    bytes: content.length,
    isLocal: true,
  };
}
