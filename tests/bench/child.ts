/** The child's side of the bench's processes: input, result, and their end. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The input given by the bench. */
export const childInput = <T>(): T => JSON.parse(process.argv[2]!) as T;

/** Prints one result as a line of JSON. */
export function report(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Listens on a free port of the loopback address, and prints the port. */
export function serveUntilInputEnds(server: Server): void {
  server.listen(0, '127.0.0.1', () => report((server.address() as AddressInfo).port));
  endWithInput();
}

/** Ends the process when its standard input ends: the parent closed it, or is gone. */
export function endWithInput(): void {
  process.stdin.resume();
  process.stdin.on('end', () => process.exit());
}
