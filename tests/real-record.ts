/** Where the real record lies beside the project; tests that need it skip with a message where it does not. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';

/** The public award record, ceremonies 1 to 98; not part of the project. */
export const realRecordPath = fileURLToPath(new URL('../../shared/data/oscars.csv', import.meta.url));

export const hasRealRecord = existsSync(realRecordPath);

/** A group of tests that needs the real record; without it the report shows one skipped test that says so. */
export function describeWithRealRecord(name: string, body: () => void): void {
  if (hasRealRecord) describe(name, body);
  else
    describe(name, () => {
      it(`skipped: the real record is missing (${realRecordPath})`, (context) => context.skip());
    });
}
