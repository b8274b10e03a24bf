/** The promise: the numbers and sizes of files that deploy.md names are those of the whole record. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { type ContentOptions, listContents } from '../../build/publish/contents.ts';
import { importRecord } from '../../data/import/import.ts';
import { number } from '../../data/system/messages.ts';
import { build } from '../records/build.ts';
import { memoryDatabase } from '../records/databases.ts';
import { describeWithRealRecord, realRecordPath } from '../records/real-record.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const hundreds = (value: number) => number(Math.round(value / 100) * 100);
const thousands = (value: number) => number(Math.round(value / 1000) * 1000);

describeWithRealRecord('deploy.md', () => {
  it('names the files of the whole record, rounded', { timeout: 240_000 }, async () => {
    const connection = memoryDatabase(() => {});
    await importRecord(connection, realRecordPath);
    const out = join(temporaryFolder(), 'dist');
    await build(connection, out, { layers: layerNames });
    const filesOf = (options: Partial<ContentOptions>) =>
      listContents({ out, connection, ...options }, undefined)!.files;
    const [none, lists, all, whole] = [
      filesOf({ pages: 'none' }),
      filesOf({ pages: 'lists' }),
      filesOf({}),
      filesOf({ byImdb: true }),
    ];
    connection.close();
    const nominations = [...all.keys()].filter((path) => /^api\/nominations\/\d+\.json$/.test(path)).length;
    const largest = Math.max(...[...whole.values()].map(({ size }) => size));
    const text = readFileSync(join(project, 'docs/deploy.md'), 'utf8');
    const [withLists, withAll] = [lists.size - none.size, all.size - none.size];
    for (const said of [
      `some ${hundreds(none.size)} files for the whole record`,
      `sends ${hundreds(withLists)} pages instead of ${thousands(withAll)}`,
      `of ${thousands(all.size)} files for a film with one nomination`,
      `The whole record has ${hundreds(lists.size)} files then`,
      `| ${hundreds(lists.size)} with \`--pages lists\`; ${thousands(whole.size)} with all `,
      `${thousands(all.size)} files take`,
      `\`api/nominations\`, has ${number(nominations)}.`,
      `The whole record has ${thousands(whole.size - all.size)} files: \`publish --to DIR\``,
      `| ${(largest / 1e6).toFixed(1)} MB, the largest download `,
    ])
      expect(text).toContain(said);
  });
});
