/**
 * Every example of the document is what the service really answers over the sample. `AWARDS_WRITE_EXAMPLES=1` writes them
 * anew, for when an answer was changed on purpose.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import answers from '../../api/contract/openapi/example-answers.json' with { type: 'json' };
import { exampleRequests } from '../../api/contract/openapi/examples.ts';
import { removeTemporaryFolders } from '../service/temporary-folder.ts';
import { askExamples, type ExampleReply, shownOf } from './example-service.ts';

const file = new URL('../../api/contract/openapi/example-answers.json', import.meta.url);

const isWriting = process.env.AWARDS_WRITE_EXAMPLES === '1';

removeTemporaryFolders();
let replies: Map<string, ExampleReply>;
beforeAll(async () => {
  replies = await askExamples();
  if (!isWriting) return;
  const lines = [...replies].map(([name, { reply }]) => `  "${name}": ${JSON.stringify(shownOf(reply))}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
});

it.skipIf(isWriting).each(Object.keys(exampleRequests))(
  'the example %s is what the service answers over the sample (AWARDS_WRITE_EXAMPLES=1 writes it anew)',
  (name) => {
    expect((answers as Record<string, unknown>)[name]).toEqual(shownOf(replies.get(name)!.reply));
  },
);

it('there is an answer for every example, and none for anything else', () => {
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual(Object.keys(exampleRequests));
});
