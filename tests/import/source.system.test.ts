/** The record is read from a file or an http address. A source that cannot be read is refused with the reason. */
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { importRecord } from '../../data/import/import.ts';
import { readSource } from '../../data/import/read.ts';
import { openDatabase } from '../../data/database/open.ts';
import { freePort, listen } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { recordOf } from '../records/record-text.ts';

const folder = temporaryFolder();
const file = (text: string) => {
  writeFileSync(join(folder, 'record.tsv'), text);
  return join(folder, 'record.tsv');
};
/** The address of a server that answers in this way. */
async function address(listener: RequestListener): Promise<string> {
  const server = await listen(createServer(listener));
  onTestFinished(() => server.stop());
  return `${server.origin}/record.tsv`;
}

const record = recordOf({}, { Film: 'Amélie', FilmId: 'tt2' });
it.each<[string, () => string | Promise<string>]>([
  ['a file', () => file(record)],
  ['an address', () => address((_, response) => response.end(record))],
])('%s is imported', async (_, source) => {
  const report = await importRecord(openDatabase(':memory:'), await source());
  expect(report.resources.movies.added).toBe(2);
});

const large = 'x'.repeat(200_000);
it.each<[string, () => string | Promise<string>, RegExp]>([
  ['a missing file', () => join(folder, 'none.tsv'), /none\.tsv: there is no such file$/],
  ['a folder', () => folder, /it is a directory$/],
  ['a web page', () => file('\n<!DOCTYPE html>'), /is a web page/],
  ['a large file', () => file(large), /larger than/],
  ['no server', async () => `http://127.0.0.1:${await freePort()}/`, /ECONNREFUSED/],
  [
    'an error of the server',
    () => address((_, response) => response.writeHead(404).end('no')),
    /the server answered 404 Not Found$/,
  ],
  [
    'a slow answer',
    () => address((_, response) => void response.write('Ceremony\t')),
    /no complete answer within 0\.3 seconds$/,
  ],
  ['a large answer', () => address((_, response) => response.end(large)), /larger than/],
])('%s is refused', async (_, source, message) => {
  const refusal = readSource(await source(), { timeoutMs: 300, maxBytes: 1000 });
  await expect(refusal).rejects.toMatchObject({ name: 'UserError', message: expect.stringMatching(message) });
});
