/** Only unset fields are filled; a value of an editor or of another source is never replaced, and each value has its provenance. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import {
  type EnrichedResource,
  type EnrichmentSource,
  enrichedResources,
} from '../../api/contract/enrichment.ts';
import { enrichedFields } from '../../data/enrich/wanted.ts';
import { readRecord, updateRecord } from '../../data/record/edits.ts';
import { Filling, type FillOptions } from '../../data/enrich/filling.ts';
import { renderEnrichReport } from '../../data/enrich/report.ts';
import { listReceipts } from '../../data/record/receipts.ts';
import { sampleValue, useEnrichment } from './enriching.ts';
import { addUnknown } from './wikidata-text.ts';

const { connection, known, provenance, everything } = useEnrichment();
const ids: Readonly<Record<EnrichedResource, string>> = { movies: 'tt1', nominees: 'nm1' };
beforeEach(() => addUnknown(connection(), ['tt1', 'tt2'], ['nm1', 'nm2']));

interface Fill extends FillOptions {
  source?: EnrichmentSource;
  at?: string;
  resource?: EnrichedResource;
  id?: number;
}

/** Fills fields of one record as a source does. */
async function fill(values: Record<string, JsonValue>, options: Fill = {}) {
  const {
    source = 'wikidata',
    at = '2026-01-01T00:00:00.000Z',
    resource = 'movies',
    id = 1,
    ...more
  } = options;
  const filling = new Filling(connection(), source, more);
  const filmindexId = ids[resource].slice(0, 2) + id;
  await filling.fill([{ resource, id, filmindexId, sourceId: `${source}-id`, retrievedAt: at, values }]);
  return filling.report;
}

const edit = (resource: EnrichedResource, field: string, to: JsonValue) =>
  updateRecord(connection(), resource, 1, { [field]: to });
const everyField = enrichedResources.flatMap((resource) =>
  enrichedFields[resource].map((field): [EnrichedResource, string] => [resource, field]),
);

describe.each(everyField)('%s.%s', (resource, field) => {
  const [first, second, third] = [1, 2, 3].map((n) => sampleValue(field, n)) as [
    JsonValue,
    JsonValue,
    JsonValue,
  ];
  const current = () =>
    (readRecord(connection(), resource, 1) as unknown as Record<string, JsonValue>)[field];
  const from = (source: EnrichmentSource, to: JsonValue, refresh = false) =>
    fill({ [field]: to }, { source, resource, refresh });

  it('is filled if it is unset, with its source, and not a second time', async () => {
    expect((await from('wikidata', first)).resources[resource].filled).toEqual({ [field]: 1 });
    expect(current()).toEqual(first);
    expect(provenance()).toEqual([`${resource} 1 ${field}: wikidata wikidata-id`]);
    const before = everything();
    await from('wikidata', first);
    await from('wikidata', second);
    await from('tmdb', second);
    expect(everything()).toEqual(before);
  });

  it('keeps the value of an editor, also with --refresh, and the report lists both', async () => {
    edit(resource, field, second);
    for (const refresh of [false, true]) {
      const { contradicted } = await from('wikidata', first, refresh);
      expect(contradicted).toEqual([{ resource, id: 1, field, record: second, source: first }]);
    }
    expect(current()).toEqual(second);
    expect(provenance()).toEqual([]);
  });

  it('that an editor emptied is filled by another source only, also with --refresh', async () => {
    const unset = current()!;
    await from('wikidata', first);
    edit(resource, field, unset);
    for (const refresh of [false, true]) await from('wikidata', first, refresh);
    expect(current()).toEqual(unset);
    await from('tmdb', second);
    expect(current()).toEqual(second);
  });

  it('is renewed by --refresh of the same source only', async () => {
    await from('tmdb', first);
    await from('wikidata', second, true);
    expect(current()).toEqual(first);
    expect((await from('tmdb', third, true)).resources[resource].renewed).toEqual({ [field]: 1 });
    expect(current()).toEqual(third);
    expect(provenance()).toEqual([`${resource} 1 ${field}: tmdb tmdb-id`]);
  });
});

describe('a written value', () => {
  it('has a receipt, like the write of an editor', async () => {
    await fill({ runtime: 90, genres: ['Drama'] });
    expect(listReceipts(connection(), { limit: 9 })).toEqual([
      expect.objectContaining({
        ...{ key: 'enrich:wikidata', action: 'update', resource: 'movies', record_id: 1 },
        before: { runtime: null, genres: [] },
        after: { runtime: 90, genres: ['Drama'] },
      }),
    ]);
  });

  it('has the time when the source was asked, and of several values of a record the earliest', async () => {
    await fill({ runtime: 90 }, { source: 'tmdb', at: '2026-02-03T04:05:06.000Z' });
    await fill({ tagline: 'T' }, { source: 'tmdb', at: '2026-03-03T04:05:06.000Z' });
    await fill({ overview: 'O' }, { source: 'wikidata' });
    const rows = 'SELECT source, retrieved_at AS at FROM given ORDER BY source';
    expect(connection().prepare(rows).all()).toEqual([
      { source: 'tmdb', at: '2026-02-03T04:05:06.000Z' },
      { source: 'wikidata', at: '2026-01-01T00:00:00.000Z' },
    ]);
  });

  it('that is still the same gets the time of the refresh, without a receipt', async () => {
    await fill({ runtime: 90 }, { at: '2026-01-01T00:00:00.000Z' });
    await fill({ runtime: 90 }, { at: '2026-06-01T00:00:00.000Z', refresh: true });
    expect(connection().prepare('SELECT retrieved_at FROM given').pluck().all()).toEqual([
      '2026-06-01T00:00:00.000Z',
    ]);
    expect(listReceipts(connection(), { limit: 9 })).toHaveLength(1);
  });

  it('of a list is the same in another order', async () => {
    edit('movies', 'genres', ['Romance', 'Drama']);
    expect((await fill({ genres: ['Drama', 'Romance'] })).contradicted).toEqual([]);
  });
});

describe('provenance', () => {
  beforeEach(() => fill({ runtime: 90 }));

  it('is deleted with its record', () => {
    connection().exec('DELETE FROM movies WHERE id = 1');
    expect(provenance()).toEqual([]);
    connection().exec("INSERT INTO movies (id, title) VALUES (1, 'Other')");
    expect(provenance()).toEqual([]);
  });

  it('follows its record to another id', () => {
    connection().exec('UPDATE movies SET id = 50 WHERE id = 1');
    expect(provenance()).toEqual(['movies 50 runtime: wikidata wikidata-id']);
    connection().exec('UPDATE movies SET id = 51, runtime = 91 WHERE id = 50');
    expect(provenance()).toEqual(['movies 51 runtime: wikidata wikidata-id (edited)']);
  });
});

it('a dry run reports the same and changes nothing', async () => {
  const before = everything();
  const dry = await fill({ runtime: 90 }, { dryRun: true });
  expect(everything()).toEqual(before);
  expect({ ...dry, dryRun: false }).toEqual(await fill({ runtime: 90 }));
  expect(renderEnrichReport(dry)).toMatch(/filled: runtime 1\n.*dry run: nothing was changed/s);
});

it('the limit counts changed records, and the next run continues', async () => {
  addUnknown(
    connection(),
    Array.from({ length: 200 }, (_, i) => `tt${i + 3}`),
  );
  const candidates = Array.from({ length: 202 }, (_, i) => ({
    ...{ resource: 'movies' as const, id: i < 2 ? i + 1 : i + 1, filmindexId: `tt${i + 1}` },
    ...{ sourceId: 'Q1', retrievedAt: '', values: { runtime: 90 } },
  }));
  const changed: number[] = [];
  for (let left = true; left; ) {
    const filling = new Filling(connection(), 'wikidata', { limit: 75 });
    await filling.fill(candidates);
    changed.push(filling.report.resources.movies.changed);
    left = filling.report.isLimited;
  }
  expect(changed).toEqual([75, 75, 52]);
});

it('a record that got another id meanwhile is left alone', async () => {
  connection().exec("UPDATE movies SET filmindex_id = 'tt99' WHERE id = 1");
  await fill({ runtime: 90 });
  await fill({ runtime: 90 }, { id: 77 });
  expect(known('movies')).toEqual({});
});

describe('a value that an editor could not write is skipped and named, and the others are filled:', () => {
  it.each<[string, string, JsonValue, RegExp]>([
    ['10 MB', 'overview', 'x'.repeat(10 * 1024 * 1024), /must be a text/],
    ['a control character', 'overview', 'a\u0000b', /control characters/],
    ['an escape character', 'tagline', '\u001b[31mred', /control characters/],
    ['half a character', 'overview', 'a\ud83d', /control characters/],
    ['an empty text', 'overview', '', /not blank/],
    ['a number', 'overview', 7, /must be a text/],
    ['a control character in a list', 'genres', ['Drama', 'a\u0007'], /control characters/],
    ['an empty text in a list', 'genres', [''], /not blank/],
    ['a date that does not exist', 'release_date', '1943-02-30', /calendar date/],
    ['a negative number', 'runtime', -1, /whole number/],
    ['a fraction', 'runtime', 1.5, /whole number/],
    ['an address without https', 'poster_path', 'http://example.org/x', /https address/],
    ['a script as an address', 'poster_path', 'javascript:alert(1)', /https address/],
    ['an unknown field', 'director', 'X', /unknown|no such|field/i],
  ])('%s', async (_name, field, bad, reason) => {
    const { skipped, contradicted } = await fill({ [field]: bad, moviedb_id: 5 });
    expect(skipped).toEqual([{ what: `movies 1 (tt1) ${field}`, reason: expect.stringMatching(reason) }]);
    expect(contradicted).toEqual([]);
    expect(known('movies')).toEqual({ moviedb_id: 5 });
  });

  it('text that only looks dangerous is text', async () => {
    const text = "<script>alert(1)</script>\r\n'; DROP TABLE movies; --\t{{x}} \u2028 🎬";
    await fill({ overview: text, genres: ['<b>'] });
    expect(known('movies')).toEqual({ overview: text, genres: ['<b>'] });
  });
});

it('the text of the report is one line per subject, without control characters', async () => {
  edit('movies', 'overview', 'one\ntwo\u001b[2J');
  const report = await fill({ overview: 'x'.repeat(1000), runtime: -1, genres: ['D'] });
  const text = renderEnrichReport(report);
  expect(text.split('\n')).toHaveLength(4);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
  expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f]/);
  expect(text).toContain('different in Wikidata, not changed: 1 value (movies 1 overview: "one\\ntwo');
});
