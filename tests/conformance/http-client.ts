/** A runtime behind an address. Targets are sent unchanged. */
import { Agent } from 'node:http';
import { send } from '../support/http.ts';
import type { Reply, Runtime } from './expectation.ts';
import type { ConformanceRequest } from './requests.ts';

/** @returns the runtime, and what closes its connections */
export function overHttp(origin: string): { runtime: Runtime; close: () => void } {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(origin);
  const runtime = async ({ method, target, ifNoneMatch }: ConformanceRequest): Promise<Reply> => {
    const asked = ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch };
    const options = { agent, hostname, port, path: target, method, headers: asked };
    const { status, rawHeaders, body } = await send(options);
    const headers = new Headers();
    for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
    return { status, headers, body };
  };
  return { runtime, close: () => agent.destroy() };
}
