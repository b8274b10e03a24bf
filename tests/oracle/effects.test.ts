/** The promise: each parameter of the tables changes an answer, and each field of the schemas has a value in an answer. */
import { beforeAll, describe, expect, it } from 'vitest';
import { resourceNames } from '../../api/contract/names.ts';
import { type ParameterName, parameters } from '../../api/contract/parameters.ts';
import { resourceSchemas } from '../../api/contract/resources.ts';
import { pagingParameters } from '../../api/contract/accepted.ts';
import { listPath, type Route, recordPath, routes } from '../../api/contract/routes.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { fillWithNastyRecord } from './nasty-record.ts';
import type { PlainRecord } from './record.ts';
import { answerAt, compiledRecord } from '../support/build.ts';

interface Answers {
  record: PlainRecord;
  /** The text of the answer to a valid GET. */
  answer(target: string): Promise<string>;
}

async function answersOver(...fill: Parameters<typeof compiledRecord>): Promise<Answers> {
  const { record, files } = await compiledRecord(...fill);
  const resolver = new Resolver(files);
  return {
    record,
    async answer(target) {
      const { status, body } = await answerAt(resolver, target);
      const text = new TextDecoder().decode(body!);
      expect([target, status, status === 200 ? '' : text]).toEqual([target, 200, '']);
      return text;
    },
  };
}

/** The records of a document, without members that repeat what was asked; an export as a whole. */
const recordsIn = (text: string): string => {
  if (!/^\{.*\}\n$/.test(text)) return text;
  const document = JSON.parse(text) as { data?: unknown };
  return JSON.stringify(document.data ?? document);
};

/** No record has it. */
const noText = 'zqzqzq';
const noId = Number.MAX_SAFE_INTEGER - 1;

type QueryRoute = Extract<Route, { includes: unknown }>;
const takesQuery = (route: Route): route is QueryRoute => 'includes' in route;

/** Values of a parameter. At least one selects other records, another part of them, or another order. */
function valuesOf(name: ParameterName, route: QueryRoute): string[] {
  const parameter = parameters[name];
  switch (parameter.kind) {
    case 'integer':
      return [parameter.minimum, 2, parameter.maximum].filter(Number.isFinite).map(String);
    case 'ids':
    case 'id':
      return [String(noId)];
    case 'time':
      return ['1970-01-01'];
    case 'texts':
      return ['tt0'];
    case 'name':
      return [...parameter.values];
    case 'sort':
      return [...(route.sorts ?? [])];
    case 'fields':
      return (route.fields ?? []).slice(0, 1);
    case 'boolean':
      return ['true', 'false'];
    case 'text':
    case 'search':
      return [noText];
    case 'choice':
      return [...parameter.values];
    case 'keys':
      return [...route.includes];
  }
}

describe('over the nasty record', () => {
  let nasty: Answers;
  beforeAll(async () => {
    nasty = await answersOver(fillWithNastyRecord);
  });

  /** Address, parameter, value: each key of `include` is checked on its own. */
  const cases = [...routes].flatMap(([address, route]) => {
    if (!takesQuery(route)) return [];
    const isWhole = route.kind === 'list' && !route.paginated;
    return (
      route.parameters
        // Lists without pages take the parameters of pages, and ignore them.
        .filter((name) => !(isWhole && pagingParameters.has(name)))
        .flatMap((name): [string, ParameterName, string[]][] => {
          const values = valuesOf(name, route);
          return name === 'include' ? values.map((key) => [address, name, [key]]) : [[address, name, values]];
        })
    );
  });

  it.each(cases)('%s: %s=%j changes an answer', async (address, name, values) => {
    const route = routes.get(address)!;
    const paths =
      route.kind === 'record'
        ? nasty.record[route.resource].map(({ id }) => recordPath(route.resource, id))
        : [address];
    const names: readonly string[] = takesQuery(route) ? route.parameters : [];
    // A search that finds nothing shows what `fuzzy` does.
    const q = name === 'fuzzy' ? 'wonnderful' : 'ann';
    const needed = Object.entries({ q, by: 'category' }).filter(([own]) => names.includes(own));
    const changes = async (path: string, value: string): Promise<boolean> => {
      const asked = new URLSearchParams(needed);
      // In a list of other records, details are those of the embedded nominations.
      const isEmbedded = takesQuery(route) && value === 'details' && route.includes.includes('nominations');
      if (isEmbedded) asked.set('include', 'nominations');
      const plain = recordsIn(await nasty.answer(`${path}?${asked}`));
      asked.set(name, isEmbedded ? 'nominations,details' : value);
      return recordsIn(await nasty.answer(`${path}?${asked}`)) !== plain;
    };
    const changed: boolean[] = [];
    for (const path of paths) for (const value of values) changed.push(await changes(path, value));
    expect(changed).toContain(true);
  });
});

describe('over a generated record', () => {
  let generated: Answers;
  beforeAll(async () => {
    generated = await answersOver((connection) => generateRecord(connection, { scale: 0.6, seed: 16 }));
  });

  it.each(resourceNames)('each field of %s has a value in the list and on a page', async (resource) => {
    const fields = Object.keys(resourceSchemas[resource].properties).sort();
    const shown = (records: readonly object[]) =>
      [
        ...new Set(
          records.flatMap((record) =>
            Object.entries(record)
              .filter(([, value]) => value !== null && (value as { length?: number }).length !== 0)
              .map(([field]) => field),
          ),
        ),
      ].sort();
    const list: object[] = [];
    const pages: object[] = [];
    // Early and late years, in a second.
    for (const { id } of generated.record[resource].filter((_each, at) => at % 11 === 0)) {
      const { data } = JSON.parse(await generated.answer(`${listPath(resource)}?ids=${id}`)) as {
        data: object[];
      };
      list.push(...data);
      pages.push(JSON.parse(await generated.answer(recordPath(resource, id))) as object);
    }
    expect(shown(list)).toEqual(fields);
    expect(shown(pages)).toEqual(expect.arrayContaining(fields));
  });
});
