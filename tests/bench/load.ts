/** Load on a server by autocannon, from this process. */
import autocannon from 'autocannon';
import { addressOf, type BenchRequest } from './requests.ts';

const connections = 32;

/**
 * Keeps all connections busy for some seconds; every connection has addresses of its own, which it asks for in turn.
 * @throws Error unless everything is answered with 2xx
 */
export function requestsPerSecond(
  origin: string,
  requests: readonly BenchRequest[],
  duration: number,
): Promise<number> {
  const shares: { path: string }[][] = Array.from({ length: connections }, () => []);
  for (const [i, request] of requests.entries()) shares[i % connections]!.push({ path: addressOf(request) });
  return new Promise((resolve, reject) => {
    let began = performance.now();
    const instance = autocannon(
      {
        url: origin,
        connections,
        duration,
        // It looks at the clock only at the end of a sample.
        sampleInt: 50,
        setupClient: (client) => client.setRequests(shares.pop()!),
      },
      (error, { requests: answered, errors, timeouts, non2xx }) => {
        if (error) reject(error);
        else if (errors + timeouts + non2xx > 0)
          reject(new Error(`${origin}: ${errors} errors, ${timeouts} timeouts, ${non2xx} not 2xx`));
        else resolve((answered.total / (performance.now() - began)) * 1000);
      },
    );
    // Making the requests ready takes a while, in which nothing is asked yet.
    instance.on('start', () => {
      began = performance.now();
    });
  });
}
