/** The part of autocannon that the bench uses; the package has no types. */
declare module 'autocannon' {
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Milliseconds of a sample. */
    sampleInt: number;
    setupClient(client: { setRequests(requests: { path: string }[]): void }): void;
  }
  interface Result {
    requests: { total: number };
    errors: number;
    timeouts: number;
    non2xx: number;
  }
  export default function autocannon(
    options: Options,
    callback: (error: Error | null, result: Result) => void,
  ): { on(event: 'start', listener: () => void): void };
}
