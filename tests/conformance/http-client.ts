/** A runtime behind an address. Targets are sent unchanged. */
import { Agent, request } from 'node:http';
import type { Reply, Runtime, SentRequest } from './expectation.ts';

/** @returns the runtime, and what closes its connections */
export function overHttp(origin: string): { runtime: Runtime; close: () => void } {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(origin);
  const runtime = ({ method, target, ifNoneMatch }: SentRequest): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const headers = ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch };
      const sent = request({ agent, hostname, port, path: target, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const received = new Headers();
          for (let i = 0; i < response.rawHeaders.length; i += 2)
            received.append(response.rawHeaders[i]!, response.rawHeaders[i + 1]!);
          resolve({ status: response.statusCode!, headers: received, body: Buffer.concat(chunks) });
        });
      });
      sent.on('error', reject);
      sent.end();
    });
  return { runtime, close: () => agent.destroy() };
}
