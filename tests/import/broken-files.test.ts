/** A file that has no results, is cut off or too large, changes nothing; a single bad record is skipped, counted and named. */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { useEnrichment } from './enriching.ts';
import { addUnknown, arrayOf, resultsOf } from './wikidata-text.ts';

const { at, connection, file, wikidata, known, everything } = useEnrichment();
const film = 'tt0000001';
beforeEach(() => addUnknown(connection(), [film]));

const row = { imdb: film, item: 'Q1', duration: '90' };
const results = resultsOf([row]);

describe('is refused in one line, and changes nothing:', () => {
  const neither = /has no SPARQL JSON results: .*; it begins with /;
  const tooMany = 64 * 1024 * 1024 + 1;
  const tooLarge = /source-\d+ is larger than 64 MB; ask for fewer ids at once$/;
  const stackTrace = `SPARQL-QUERY: queryStr=SELECT ?item WHERE {}\njava.util.concurrent.TimeoutException\n\tat java.util`;
  it.each<[string, string | Buffer, RegExp]>([
    ['an empty file', '', /source-\d+ is empty$/],
    ['white space', ' \n\n ', /source-\d+ is empty$/],
    ['a table', 'tconst\ttitle\ntt0000001\tX\n', neither],
    ['a web page', '<!doctype html><title>429</title>', neither],
    ['random bytes', Buffer.from([0, 255, 254, 1, 2, 3]), neither],
    ['another JSON document', '{"films":[1,2,3]}\n', neither],
    ['JSON lines', '{"id":7}\n{"id":8}\n', neither],
    ['a dump', '[\n{"type":"item","id":"Q1","claims":{}}\n]', neither],
    ['a list of numbers', '[1,2,3]', neither],
    ['the stack trace of a query', stackTrace, neither],
    [
      'results that end in a stack trace',
      results.slice(0, -30) + stackTrace,
      /cut off after row 0: the query ran out of time/,
    ],
    ['results that end in the middle', results.slice(0, -4), /cut off after row 1/],
    ['results with something behind them', `${results}\n${stackTrace}`, /cut off after row 1/],
    ['an array that ends in the middle', arrayOf([row, row]).slice(0, -4), /cut off after row 1/],
    ['gzip that is cut off', gzipSync(results).subarray(0, -9), /its gzip data is cut off; fetch it again$/],
    ['gzip with a damaged byte', damaged(gzipSync(results.repeat(2))), /^cannot read .*source-\d+: /],
    ['more than 64 MB', Buffer.alloc(tooMany, ' '), tooLarge],
    ['a small gzip file of more than 64 MB', gzipSync(Buffer.alloc(tooMany, ' ')), tooLarge],
  ])('%s', async (_name, content, message) => {
    const before = everything();
    const { name, message: line } = await wikidata(content).then(
      () => new Error('was read'),
      (error: Error) => error,
    );
    expect(line).toMatch(message);
    expect([name, line.includes('\n')]).toEqual(['UserError', false]);
    expect(everything()).toEqual(before);
  });

  it('a missing file, and a folder', async () => {
    await expect(wikidata('', { files: [at('none')] })).rejects.toThrow(/none: there is no such file$/);
    await expect(wikidata('', { files: [at('')] })).rejects.toThrow(/: it is a directory$/);
  });

  it('the second of two files, although the first is fine', async () => {
    await expect(wikidata('', { files: [file(results), file('x')] })).rejects.toThrow(neither);
    expect(known('movies')).toEqual({});
  });
});

function damaged(bytes: Buffer): Buffer {
  bytes[bytes.length >> 1]! ^= 0xff;
  return bytes;
}

it('much white space costs no time', async () => {
  const space = ' '.repeat(30 * 1024 * 1024);
  const start = performance.now();
  await wikidata(
    space + resultsOf([{ imdb: film, item: 'Q1' }]).replace('"bindings":', `"bindings":${space}`),
  );
  expect(performance.now() - start).toBeLessThan(10_000);
});

describe('is skipped, counted and named, and the rest is read:', () => {
  it('a row without its ids', async () => {
    const rows = [{ duration: '80' }, { imdb: film, duration: '80' }, { item: 'Q2' }].map((row) =>
      resultsOf([row]),
    );
    for (const text of rows) {
      const { skipped } = await wikidata(text);
      expect(skipped).toEqual([
        { what: expect.stringMatching(/ row 1$/), reason: expect.stringMatching(/^has no "(imdb|item)"$/) },
      ]);
    }
    expect(known('movies')).toEqual({});
  });
});
