/** What the bench's server processes have in common: they print their port, and end with their standard input. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The input given by the bench. */
export const childInput = <T>(): T => JSON.parse(process.argv[2]!) as T;

/** Prints one result as a line of JSON. */
export function report(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Listens on any free port of this machine alone. @param finish what is to be done before the process ends */
export function serveUntilInputEnds(server: Server, finish?: () => Promise<void>): void {
  server.listen(0, '127.0.0.1', () => report((server.address() as AddressInfo).port));
  endWithInput(finish);
}

/** Ends the process when whoever started it closes its standard input, or is gone. @param finish what is to be done before */
export function endWithInput(finish?: () => Promise<void>): void {
  process.stdin.resume();
  process.stdin.on('end', async () => {
    await finish?.();
    process.exit();
  });
}
