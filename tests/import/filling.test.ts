/** Only unset fields are filled. A value of an editor or of another source stays, and each value has its provenance. */
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { defaultOf, type JsonValue } from '../../api/contract/bodies.ts';
import { enrichedResources, type EnrichmentSource } from '../../api/contract/enrichment.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { writeTransaction } from '../../data/database/transaction.ts';
import { type Candidate, Filling, type FillOptions } from '../../data/enrich/filling.ts';
import { renderEnrichReport } from '../../data/enrich/report.ts';
import { enrichedFields } from '../../data/enrich/wanted.ts';
import { readRecord, updateRecord, withDetails } from '../../data/record/edits.ts';
import { listReceipts } from '../../data/record/receipts.ts';
import { seeded } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { everything, isUnset, known, provenanceOf, sampleValue } from './enriching.ts';
import { filmRow, importText, nomineeRow, recordOf } from '../records/record-text.ts';
import { addUnknown } from './wikidata-text.ts';

let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
});

type Fill = FillOptions & Partial<Candidate> & { source?: EnrichmentSource };

/** Fills fields of one record as a source does. */
async function fill(values: Record<string, JsonValue>, { source = 'wikidata', ...options }: Fill = {}) {
  const { resource = 'movies', id = 1, retrievedAt = '2026-01-01T00:00:00.000Z', ...more } = options;
  const filling = new Filling(connection, source, more);
  const filmindexId = `${resource === 'movies' ? 'tt' : 'nm'}${id}`;
  await filling.fill([{ resource, id, filmindexId, sourceId: source, retrievedAt, values }]);
  return filling.report;
}

it('in any order of imports, enrichments and edits, each field has the value and the provenance of a model', async () => {
  const choices = seeded('imports, enrichment and edits');
  const sources = ['wikidata', 'tmdb'] as const;
  const isSame = (a: JsonValue | undefined, b: JsonValue) => JSON.stringify(a) === JSON.stringify(b);
  for (let run = 0; run < runs(8); run += 1) {
    connection = openDatabase(':memory:');
    /** "resource id field" → what it must hold, and what each source wrote into it. */
    const model = new Map<
      string,
      { value: JsonValue; given: Partial<Record<EnrichmentSource, JsonValue>> }
    >();
    const history: string[] = [];
    const importRows = (rows: number) => {
      history.push(`import ${rows}`);
      const row = (at: number) => ({ ...filmRow(`F ${at}`, `tt${at}`), ...nomineeRow(`P ${at}`, `nm${at}`) });
      return importText(connection, recordOf(...Array.from({ length: rows }, (_, at) => row(at + 1))));
    };
    await importRows(2);
    for (let [step, rows] = [0, 2]; step < 25; step += 1) {
      const resource = choices.pick(enrichedResources);
      const id = choices.between(1, rows);
      // The import derives the department, so the model does not know it.
      const fields = enrichedFields[resource].filter(
        (field) => field !== 'known_for_department' && choices.chance(0.6),
      );
      const isEdit = choices.chance(0.4);
      const values = Object.fromEntries(
        fields.map((field) => [
          field,
          isEdit && choices.chance(0.3) ? defaultOf(field) : sampleValue(field, choices.between(0, 3)),
        ]),
      );
      const expected = fields.map((field) => {
        const key = `${resource} ${id} ${field}`;
        const known = model.get(key) ?? { value: defaultOf(field), given: {} };
        model.set(key, known);
        return [field, values[field]!, known] as const;
      });
      if (choices.chance(0.2)) {
        rows = Math.max(rows, choices.between(2, 4));
        await importRows(rows);
      } else if (isEdit) {
        history.push(`edit ${resource} ${id} ${JSON.stringify(values)}`);
        updateRecord(connection, resource, id, values);
        for (const [, value, own] of expected) own.value = value;
      } else {
        const [source, refresh] = [choices.pick(sources), choices.chance(0.5)];
        history.push(`${source} refresh ${refresh} ${resource} ${id} ${JSON.stringify(values)}`);
        const { contradicted } = await fill(values, { resource, id, source, refresh });
        const others = expected.filter(([, value, own]) => {
          const { given } = own;
          const mayFill = isUnset(own.value) && given[source] === undefined;
          const isOther = !isUnset(own.value) && !isSame(own.value, value);
          if (!mayFill && !(refresh && isSame(given[source], own.value))) return isOther;
          Object.assign(own, { value, given: { ...given, [source]: value } });
          return false;
        });
        expect(contradicted, history.join('\n')).toEqual(
          others.map(([field, value, own]) => ({ resource, id, field, record: own.value, source: value })),
        );
      }
      for (const [key, { value }] of model) {
        const [of, own, field] = key.split(' ') as [typeof resource, string, string];
        const shown = readRecord(connection, of, Number(own))!;
        const record = withDetails(connection, of, shown) as unknown as Record<string, JsonValue>;
        expect(record[field], `${key} after\n${history.join('\n')}`).toEqual(value);
      }
    }
    const owned = [...model].flatMap(([key, { value, given }]) =>
      sources.flatMap((source) => (isSame(given[source], value) ? [`${key}: ${source} ${source}`] : [])),
    );
    expect(provenanceOf(connection).sort(), history.join('\n')).toEqual(owned.sort());
    connection.close();
  }
});

it('a written value has a receipt, and the time when the source was asked: of several values the earliest', async () => {
  addUnknown(connection, ['tt1']);
  const times = () => connection.prepare('SELECT source, retrieved_at FROM given ORDER BY 1').raw().all();
  await fill({ runtime: 90, genres: ['Drama'] }, { source: 'tmdb', retrievedAt: '2026-02-03' });
  await fill({ tagline: 'T' }, { source: 'tmdb', retrievedAt: '2026-03-03' });
  await fill({ overview: 'O' }, { retrievedAt: '2026-01-01' });
  expect(times()).toEqual([
    ['tmdb', '2026-02-03'],
    ['wikidata', '2026-01-01'],
  ]);
  expect(listReceipts(connection, { limit: 9 })[2]).toMatchObject({
    ...{ key: 'enrich:tmdb', action: 'update', resource: 'movies', record_id: 1 },
    ...{ before: { runtime: null, genres: [] }, after: { runtime: 90, genres: ['Drama'] } },
  });
  // A refresh renews the time of a value that is the same, and that is no write. The order of a list does not count.
  const { contradicted } = await fill(
    { overview: 'O', genres: ['Drama'] },
    { refresh: true, retrievedAt: '2026-06-01' },
  );
  expect([contradicted, listReceipts(connection, { limit: 9 }).length]).toEqual([[], 3]);
  expect(times()[1]).toEqual(['wikidata', '2026-06-01']);
});

it('a dry run reports the same, and changes nothing', async () => {
  addUnknown(connection, ['tt1']);
  const before = everything(connection);
  const dry = await fill({ runtime: 90 }, { dryRun: true });
  expect(everything(connection)).toEqual(before);
  expect({ ...dry, dryRun: false }).toEqual(await fill({ runtime: 90 }));
  expect(renderEnrichReport(dry)).toMatch(/filled: runtime 1\n.*dry run: nothing was changed$/s);
});

it('editors write between the transactions of a fill, and no value of theirs is replaced', async () => {
  const file = join(temporaryFolder(), 'awards.db');
  const [own, editor] = [openDatabase(file), openDatabase(file, { timeoutMs: 0 })];
  const ids = Array.from({ length: 300 }, (_, i) => i + 1);
  addUnknown(
    own,
    ids.map((id) => `tt${id}`),
  );
  const edited: number[] = [];
  const common = { resource: 'movies', sourceId: 'Q1', retrievedAt: '', values: { runtime: 90 } } as const;
  const all = ids.map((id) => ({ ...common, id, filmindexId: `tt${id}` }));
  await new Filling(own, 'wikidata', {}).fill(all, () => {
    // The fill waits after each transaction, and goes on from the lowest id.
    const id = 300 - edited.length;
    writeTransaction(editor, () => updateRecord(editor, 'movies', id, { runtime: 7 }));
    edited.push(id);
  });
  const runtimes = ids.map((id) => known(own, 'movies', id).runtime);
  expect(runtimes).toEqual(ids.map((id) => (edited.includes(id) ? 7 : 90)));
  expect(edited.length).toBeGreaterThan(3);
  own.close();
  editor.close();
});

it('a record that is gone, or got another id meanwhile, is left alone', async () => {
  addUnknown(connection, ['tt99']);
  await fill({ runtime: 90 });
  await fill({ runtime: 90 }, { id: 77 });
  expect(known(connection, 'movies')).toEqual({});
});

it.each<[string, string, JsonValue, RegExp]>([
  ['of 10 MB', 'overview', 'x'.repeat(10 * 1024 * 1024), /must be a text/],
  ['with a control character', 'overview', 'a\u0000b', /control characters/],
  ['with half a character', 'overview', 'a\ud83d', /control characters/],
  ['with a control character in a list', 'genres', ['Drama', 'a\u0007'], /control characters/],
  ['with a date that does not exist', 'release_date', '1943-02-30', /calendar date/],
  ['with an address without https', 'poster_path', 'http://example.org/x', /https address/],
  ['of an unknown field', 'director', 'X', /no field|unknown/i],
])('a value %s is skipped and named, and the others are filled', async (_name, field, bad, reason) => {
  addUnknown(connection, ['tt1']);
  const { skipped, contradicted } = await fill({ [field]: bad, moviedb_id: 5 });
  expect(skipped).toEqual([{ what: `movies 1 (tt1) ${field}`, reason: expect.stringMatching(reason) }]);
  expect([contradicted, known(connection, 'movies')]).toEqual([[], { moviedb_id: 5 }]);
});

it('text that only looks dangerous is text; the report has one line per subject, without control characters', async () => {
  addUnknown(connection, ['tt1']);
  const text = "<script>alert(1)</script>\r\n'; DROP TABLE movies; --\t{{x}} \u2028 🎬";
  await fill({ tagline: text, overview: 'one\ntwo\u0085' });
  updateRecord(connection, 'movies', 1, { overview: 'one\ntwo\u001b[2J' });
  expect(known(connection, 'movies')).toMatchObject({ tagline: text });
  const report = await fill({ overview: 'x'.repeat(1000), runtime: -1 });
  expect(report.contradicted[0]!.source).toBe(`${'x'.repeat(99)}…`);
  const lines = renderEnrichReport(report).split('\n');
  expect(lines).toHaveLength(4);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
  expect(lines.join('\n')).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u2028]/);
  expect(lines[2]).toContain('different in Wikidata, not changed: 1 value (movies 1 overview: "one\\ntwo');
});
