/** The real record, beside the project. `npm run check` tests with it where it is present. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { isFullCheck } from './settings.ts';

/** The public award record, ceremonies 1 to 98; not part of the project. */
export const realRecordPath = fileURLToPath(new URL('../../shared/data/oscars.csv', import.meta.url));

export const hasRealRecord = existsSync(realRecordPath);

/** A group of tests on the real record. Where it does not run, the report shows one skipped test that says why. */
export function describeWithRealRecord(name: string, body: () => void): void {
  if (hasRealRecord && isFullCheck) describe(name, body);
  else
    describe(name, () => {
      const reason = hasRealRecord ? '"npm run check" runs it' : `${realRecordPath} is missing`;
      it(`skipped: ${reason}`, (context) => context.skip());
    });
}
