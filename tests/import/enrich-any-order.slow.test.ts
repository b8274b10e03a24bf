/** A value of an editor survives any order of imports, enrichment and edits. A model says what each field must hold. */
import { expect, it } from 'vitest';
import { defaultOf, type JsonValue } from '../../api/contract/bodies.ts';
import {
  type EnrichedResource,
  type EnrichmentSource,
  enrichedResources,
} from '../../api/contract/enrichment.ts';
import { enrichedFields } from '../../data/enrich/wanted.ts';
import { readRecord, updateRecord } from '../../data/record/edits.ts';
import { Filling } from '../../data/enrich/filling.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { writeTransaction } from '../../data/database/transaction.ts';
import { importText, recordOf } from './record-text.ts';
import { runs } from '../support/settings.ts';
import { seeded } from '../support/seed.ts';
import { provenanceOf, sampleValue } from './enriching.ts';

const sources: readonly EnrichmentSource[] = ['wikidata', 'tmdb'];
/** The import derives the department, so the model does not know it. */
const fields = enrichedResources.flatMap((resource) =>
  enrichedFields[resource]
    .filter((field) => field !== 'known_for_department')
    .map((field): [EnrichedResource, string] => [resource, field]),
);
const isEmpty = (value: JsonValue) => value === null || JSON.stringify(value) === '[]';

/** What a field must hold, and what each source wrote into it. */
interface Expected {
  value: JsonValue;
  given: Partial<Record<EnrichmentSource, JsonValue>>;
}

const isSame = (a: JsonValue | undefined, b: JsonValue) => JSON.stringify(a) === JSON.stringify(b);

class Model {
  readonly #expected = new Map<string, Expected>();

  of(resource: EnrichedResource, id: number, field: string): Expected {
    const key = `${resource} ${id} ${field}`;
    const known = this.#expected.get(key) ?? { value: defaultOf(field), given: {} };
    this.#expected.set(key, known);
    return known;
  }

  enrich(expected: Expected, source: EnrichmentSource, value: JsonValue, refresh: boolean): void {
    const { given } = expected;
    const mayFill = isEmpty(expected.value) && given[source] === undefined;
    const mayRenew = refresh && isSame(given[source], expected.value);
    if (!mayFill && !mayRenew) return;
    expected.value = value;
    given[source] = value;
  }

  edit(expected: Expected, value: JsonValue): void {
    expected.value = value;
  }

  *all(): Generator<[string, Expected]> {
    yield* this.#expected;
  }
}

/** The films and people of an import: more rows in a later one. */
const importRecord = (connection: Connection, rows: number) =>
  importText(
    connection,
    recordOf(
      ...Array.from({ length: rows }, (_, i) => ({
        ...{ Film: `Film ${i}`, FilmId: `tt${i + 1}`, Nominees: `Person ${i}`, NomineeIds: `nm${i + 1}` },
        ...{ Winner: i % 2 ? 'True' : '' },
      })),
    ),
  );

async function playOnce(choices: ReturnType<typeof seeded>): Promise<void> {
  const connection = openDatabase(':memory:');
  const model = new Model();
  const history: string[] = [];
  let rows = 2;
  await importRecord(connection, rows);
  /** A record, and values for some of its fields. */
  const anyValues = (valueFor: (field: string) => JsonValue) => {
    const resource = choices.pick(enrichedResources);
    const own = fields.filter(([of]) => of === resource && choices.chance(0.6));
    const values = Object.fromEntries(own.map(([, field]) => [field, valueFor(field)]));
    return { resource, id: choices.between(1, rows), values };
  };
  const anySample = (field: string) => sampleValue(field, choices.between(0, 3));

  const steps: (() => Promise<void> | void)[] = [
    async () => {
      rows = Math.max(rows, choices.between(2, 4));
      history.push(`import ${rows}`);
      await importRecord(connection, rows);
    },
    () => {
      const { resource, id, values } = anyValues((field) =>
        choices.chance(0.3) ? defaultOf(field) : anySample(field),
      );
      history.push(`edit ${resource} ${id} ${JSON.stringify(values)}`);
      writeTransaction(connection, () => updateRecord(connection, resource, id, values));
      for (const [field, value] of Object.entries(values)) model.edit(model.of(resource, id, field), value);
    },
    async () => {
      const { resource, id, values } = anyValues(anySample);
      const source = choices.pick(sources);
      const refresh = choices.chance(0.5);
      history.push(`${source}${refresh ? ' --refresh' : ''} ${resource} ${id} ${JSON.stringify(values)}`);
      const filmindexId = `${resource === 'movies' ? 'tt' : 'nm'}${id}`;
      const candidate = { resource, id, filmindexId, sourceId: 'x', retrievedAt: '', values };
      await new Filling(connection, source, { refresh }).fill([candidate]);
      for (const [field, value] of Object.entries(values))
        model.enrich(model.of(resource, id, field), source, value, refresh);
    },
  ];
  for (let step = 0; step < 25; step += 1) {
    await choices.pick(steps)();
    for (const [key, { value }] of model.all()) {
      const [resource, id, field] = key.split(' ') as [EnrichedResource, string, string];
      const record = readRecord(connection, resource, Number(id)) as unknown as Record<string, JsonValue>;
      expect(record[field], `${key} after\n${history.join('\n')}`).toEqual(value);
    }
  }
  const owned = [...model.all()].flatMap(([key, { value, given }]) =>
    sources.flatMap((source) => (isSame(given[source], value) ? [`${key}: ${source} x`] : [])),
  );
  const own = provenanceOf(connection).filter((line) => !line.endsWith('(edited)'));
  expect(own.sort(), history.join('\n')).toEqual(owned.sort());
  connection.close();
}

it('each field holds what the model says, and has the provenance of its owner', async () => {
  const choices = seeded('imports, enrichment and edits');
  for (let run = 0; run < runs(24); run += 1) await playOnce(choices);
}, 3_600_000);
