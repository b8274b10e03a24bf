/** A file that is of neither format, or cut off, changes nothing; a single bad record is skipped, counted and named. */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachLine, forEachRow, maxPartBytes } from '../../data/enrich/cutting.ts';
import { FactsById } from '../../data/enrich/facts.ts';
import { readWikidataFile } from '../../data/enrich/wikidata-file.ts';
import { runs } from '../settings.ts';
import { seeded } from '../support/seed.ts';
import { useEnrichment } from './enriching.ts';
import { addUnknown, amount, dumpOf, entity, linesOf, resultsOf, statement } from './wikidata-text.ts';

const { at, connection, file, wikidata, known, everything } = useEnrichment();
const film = 'tt0000001';
beforeEach(() => addUnknown(connection(), [film]));

const good = entity('Q1', { P345: [statement(film)], P2047: [statement(amount(90))] }, 'a film');
const goodLine = JSON.stringify(good);
const results = resultsOf([{ imdb: film, item: 'Q1', duration: '90' }]);

describe('is refused in one line, and changes nothing:', () => {
  const neither =
    /is neither SPARQL JSON results nor a dump of Wikidata with one entity per line; it begins with /;
  const stackTrace = `SPARQL-QUERY: queryStr=SELECT ?item WHERE {}\njava.util.concurrent.TimeoutException\n\tat java.util`;
  it.each<[string, string | Buffer, RegExp]>([
    ['an empty file', '', /source-\d+ is empty$/],
    ['white space', ' \n\n ', /source-\d+ is empty$/],
    ['a table', 'tconst\ttitle\ntt0000001\tX\n', neither],
    ['a web page', '<!doctype html><title>429</title>', neither],
    ['random bytes', Buffer.from([0, 255, 254, 1, 2, 3]), neither],
    ['another JSON document', '{"films":[1,2,3]}\n', neither],
    ['other JSON lines', '{"id":7}\n{"id":8}\n'.repeat(200), neither],
    ['a list of numbers', '[1,2,3]', neither],
    ['a dump with entities over several lines', JSON.stringify([good], null, 2), neither],
    ['the stack trace of a query', stackTrace, neither],
    [
      'results that end in a stack trace',
      results.slice(0, -30) + stackTrace,
      /cut off after row 0: the query ran out of time/,
    ],
    ['results that end in the middle', results.slice(0, -4), /cut off after row 1/],
    ['results with something behind them', `${results}\n${stackTrace}`, /cut off after row 1/],
    [
      'gzip that is cut off',
      gzipSync(linesOf([good])).subarray(0, -9),
      /its gzip data is cut off; fetch it again$/,
    ],
    ['gzip with a damaged byte', damaged(gzipSync(dumpOf([good, good]))), /^cannot read .*source-\d+: /],
    [
      'bzip2',
      Buffer.from('BZh91AY&SY'),
      /is compressed with bzip2; run "bzcat .*source-\d+ \| awards enrich/,
    ],
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

  it('labels that are no entities', async () => {
    const unnamed = entity('Q1', { P345: [statement(film)], P136: [statement({ id: 'Q2' })] });
    await expect(wikidata(linesOf([unnamed]), { labels: file(results) })).rejects.toThrow(neither);
    expect(known('movies')).toEqual({});
  });
});

function damaged(bytes: Buffer): Buffer {
  bytes[bytes.length >> 1]! ^= 0xff;
  return bytes;
}

describe('is skipped, counted and named, and the rest is read:', () => {
  const large = `{"id":"Q2","claims":"${'x'.repeat(maxPartBytes)}"}`;
  it.each<[string, string, [string, RegExp][]]>([
    ['a line that breaks off', goodLine.slice(0, 50), [['line 2', /is not JSON/]]],
    ['a line of another file', 'tt0000001\tX', [['line 2', /is not JSON/]]],
    ['another JSON value', '{"films":[]}', [['line 2', /is no entity/]]],
    ['a text', '"Q1"', [['line 2', /is no entity/]]],
    ['a line that is too large', large, [['line 2', /is larger than 32 MB/]]],
    [
      'two of them',
      `{\n${goodLine.slice(9)}`,
      [
        ['line 2', /is not JSON/],
        ['line 3', /is no(t JSON| entity)/],
      ],
    ],
  ])('%s', async (_name, line, expected) => {
    const first = JSON.stringify(entity('Q9', { P345: [statement('tt9')] }));
    const { skipped } = await wikidata(`${first}\n${line}\n${goodLine}\n`);
    expect(known('movies')).toEqual({ runtime: 90 });
    expect(skipped).toHaveLength(expected.length);
    for (const [i, [what, reason]] of expected.entries()) {
      expect(skipped[i]!.what).toMatch(new RegExp(`source-\\d+ ${what}$`));
      expect(skipped[i]!.reason).toMatch(reason);
    }
  });

  it('a bad first line', async () => {
    const { skipped } = await wikidata(`{"oops\n${goodLine}\n`);
    expect(known('movies')).toEqual({ runtime: 90 });
    expect(skipped).toEqual([{ what: expect.stringMatching(/ line 1$/), reason: 'is no entity' }]);
  });

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

describe('wherever a stream is cut into pieces', () => {
  const choices = seeded('pieces of a stream');
  const text = 'é"\\"[{\n'.repeat(3);
  const rows = Array.from({ length: 9 }, (_, i) => ({ imdb: `tt${i}`, title: text, item: 'Q1' }));
  const document = resultsOf(rows);
  const lines = ['', 'a', 'é'.repeat(70_000), '', '{"x":"\\n"}', 'last'];

  async function* inPieces(whole: string) {
    const bytes = Buffer.from(whole);
    const largest = choices.pick([1, 7, 1000, 70_000]);
    // One buffer for all pieces: each is valid until the next one.
    const buffer = Buffer.alloc(largest);
    for (let at = 0; at < bytes.length; ) {
      const length = bytes.copy(buffer, 0, at, at + choices.between(1, largest));
      yield buffer.subarray(0, length);
      at += length;
    }
  }

  it('the rows and lines are the same', async () => {
    for (let run = 0; run < runs(40); run += 1) {
      const found: string[] = [];
      expect(await forEachRow(inPieces(document), (row) => found.push(row!))).toBe(true);
      expect(found.map((row) => JSON.parse(row).title.value)).toEqual(rows.map(({ title }) => title));
      const read: [number, string][] = [];
      await forEachLine(inPieces(lines.join('\n')), (line, number) => read.push([number, line!.toString()]));
      expect(read).toEqual(lines.map((line, i) => [i + 1, line]));
    }
  });

  it.each([
    ['results', results],
    ['entities', dumpOf([good, good])],
  ])('%s say the same', async (format, content) => {
    for (let run = 0; run < runs(40); run += 1) {
      const facts = new FactsById();
      const skip = () => expect.unreachable();
      expect(await readWikidataFile('x', inPieces(content), new Set([film]), facts, skip)).toBe(format);
      expect(facts.get(film)).toEqual({ item: 'Q1', texts: { duration: ['90'] } });
    }
  });
});
