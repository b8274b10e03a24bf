/** What is wrong with a source, gathered line by line: a person who mends a file wants to see all of it at once. */
import { UserError } from '../user-error.ts';

const shownAtMost = 20;

export class Faults {
  readonly #faults: string[] = [];

  /** Notes one fault of a line (counted from 1). */
  add(line: number, message: string): void {
    this.#faults.push(`line ${line}: ${message}`);
  }

  /** @throws UserError naming the first faults with their lines and counting the rest, if there is any */
  refuseIfAny(): void {
    if (this.#faults.length === 0) return;
    const shown = this.#faults.slice(0, shownAtMost);
    const rest = this.#faults.length - shown.length;
    if (rest > 0) shown.push(`and ${rest} more`);
    throw new UserError(`the record is malformed, so nothing was imported; ${shown.join('; ')}`);
  }
}

/** A value as a message shows it: quoted, on one line, cut short. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
}
