/** An import of the largest file that it takes stays within 400 MB of memory. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { project } from '../bench/checkout.ts';
import { exhaustive } from '../settings.ts';
import { recordOf } from './record-text.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

/** The limit takes a minute. A quarter of it would show, too, that memory grows with the file. */
const bytes = (exhaustive ? 64 : 16) * 1024 * 1024;

/** Writes a record in which each row has a film, a title and two nominees of its own. @returns its path */
function writeLargeRecord(): string {
  const file = join(folder, 'large.csv');
  const descriptor = openSync(file, 'w');
  for (let size = 0, row = 0, text = recordOf(); size + text.length <= bytes; row += 1) {
    size += writeSync(descriptor, text);
    const made = recordOf({
      ...{ Ceremony: String(99 + Math.floor(row / 200)), Year: String(2026 + Math.floor(row / 200)) },
      ...{ Film: `Film number ${row}`, FilmId: `tt${row}`, Name: `Person ${row} and Company ${row}` },
      ...{ Nominees: `Person ${row}|Company ${row}`, NomineeIds: `nm${row}|co${row}`, Note: `NOTE: ${row}` },
      Winner: row % 5 === 0 ? 'True' : '',
    });
    text = made.slice(made.indexOf('\n') + 1);
  }
  closeSync(descriptor);
  return file;
}

it('a file of the largest size is imported within 400 MB', { timeout: 300_000 }, async () => {
  const file = writeLargeRecord();
  const { stdout, peakBytes } = await project.run([
    'import',
    file,
    '--db',
    join(folder, 'large.db'),
    '--json',
  ]);
  const { resources } = JSON.parse(stdout) as { resources: Record<string, { added: number }> };
  expect(resources.nominations!.added).toBeGreaterThan(bytes / 150);
  expect(peakBytes).toBeLessThan(400 * 1024 * 1024);
});
