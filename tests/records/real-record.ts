/** The real record, beside the project. Tests use it where it is present. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';

/** The public award record, ceremonies 1 to 98; not part of the project. */
export const realRecordPath = fileURLToPath(new URL('../../../shared/data/oscars.csv', import.meta.url));

export const hasRealRecord = existsSync(realRecordPath);

/** A group of tests on the real record. Where it does not run, the report shows one skipped test that says why. */
export function describeWithRealRecord(name: string, body: () => void): void {
  describe(name, () => {
    if (hasRealRecord) body();
    else it(`skipped: ${realRecordPath} is missing`, (context) => context.skip());
  });
}
