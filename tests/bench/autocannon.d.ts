/** The little of autocannon that the bench uses; the package brings no types. */
declare module 'autocannon' {
  interface Client {
    setRequests(requests: { path: string }[]): void;
  }
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Milliseconds of a sample. */
    sampleInt: number;
    setupClient(client: Client): void;
  }
  interface Result {
    requests: { total: number };
    errors: number;
    timeouts: number;
    non2xx: number;
  }
  interface Instance {
    on(event: 'start', listener: () => void): void;
  }
  export default function autocannon(
    options: Options,
    callback: (error: Error | null, result: Result) => void,
  ): Instance;
}
