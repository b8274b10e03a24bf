/** The child's side of the bench's processes: input, result, and their end. */

/** The input given by the bench. */
export const childInput = <T>(): T => JSON.parse(process.argv[2]!) as T;

/** Prints one result as a line of JSON. */
export function report(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Ends the process when its standard input ends: the parent closed it, or is gone. */
export function endWithInput(): void {
  process.stdin.resume();
  process.stdin.on('end', () => process.exit());
}
