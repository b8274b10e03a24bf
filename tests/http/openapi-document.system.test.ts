/** The OpenAPI document is valid and complete. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { documentSchemas } from '../../api/contract/answers.ts';
import { fieldSchemas, type JsonValue } from '../../api/contract/bodies.ts';
import { enrichmentSources } from '../../api/contract/enrichment.ts';
import { resourceNames, type WritableResource, writableResources } from '../../api/contract/names.ts';
import { openapiDocument, openapiText } from '../../api/contract/openapi/document.ts';
import { type JsonObject, schemaNames } from '../../api/contract/openapi/schemas.ts';
import { detailNames, fieldNames } from '../../api/contract/fields.ts';
import { DetailsSchema, resourceSchemas } from '../../api/contract/resources.ts';
import { parameters } from '../../api/contract/parameters.ts';
import { problemsIn } from '../../api/contract/openapi/responses.ts';
import { problems } from '../../api/contract/problems.ts';
import { methodsOf, openapiPath, routes } from '../../api/contract/routes.ts';
import { makeSite } from '../../build/site/bundle.ts';
import { environmentKeyName, importKeyName } from '../../data/record/keys.ts';
import { checkBody } from '../../data/record/validation.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runs } from '../support/settings.ts';
import { needTools, toolPath } from '../support/tools.ts';
import { anyBadField, anyBody } from './random-bodies.ts';
import { faultsBySchema } from './openapi-described.ts';

const text = openapiText();
const { paths, components } = openapiDocument() as unknown as {
  paths: Record<string, Record<string, JsonObject>>;
  components: Record<string, JsonObject>;
};

it('passes the recommended rules of the linter without a warning', async (context) => {
  needTools(context);
  const folder = temporaryFolder();
  const file = join(folder, 'openapi.json');
  writeFileSync(file, text);
  // Makes the linter send no requests.
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: '1' };
  const lint = [toolPath('.bin/redocly'), 'lint', file, '--extends=recommended', '--format=json'];
  const { stdout } = await promisify(execFile)(process.execPath, lint, {
    cwd: folder,
    env: { ...process.env, ...quiet },
  });
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
});

it('has an operation for each address, receipts, downloads and lists by GET, POST, PATCH and DELETE, and no other', () => {
  const described = Object.entries(paths).map(([address, item]) => [
    address,
    Object.keys(item)
      .filter((name) => name !== 'parameters')
      .map((name) => name.toUpperCase())
      .sort(),
  ]);
  // Generators make a function of each operation: of HEAD and OPTIONS they would be noise.
  const expected = [...routes].map(([address, route]) => [
    address,
    methodsOf(route)
      .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
      .sort(),
  ]);
  const receipts = ['/receipts', '/receipts/{id}'].map((address) => [address, ['GET']]);
  const files = [
    ...['/downloads/index.json', '/downloads/{name}'],
    ...['/lists/index.json', '/lists/{name}/{file}'],
  ].map((address) => [address, ['GET']]);
  expect(described).toEqual([...expected, ...receipts, ...files]);
});

it('lists the parameters of each address in the order of the route table', () => {
  for (const [address, route] of routes) {
    if (route.kind === 'batch') continue;
    const own = (paths[address]!.get!.parameters ?? []) as { $ref: string }[];
    // A suffix after a dot tells the parameters of one name apart.
    const names = own.map(({ $ref }) => $ref.split('/').at(-1)!.split('.', 1)[0]);
    expect(names, address).toEqual([...('parameters' in route ? route.parameters : []), 'If-None-Match']);
  }
  const described = new Set(Object.keys(components.parameters!).map((name) => name.split('.', 1)[0]));
  for (const name of Object.keys(parameters)) expect(described).toContain(name);
  for (const reference of JSON.stringify(paths).matchAll(/#\/components\/parameters\/([^"]+)/g))
    expect(components.parameters).toHaveProperty([reference[1]!]);
});

it('names the fields of the schemas', () => {
  for (const resource of resourceNames)
    expect(fieldNames[resource], resource).toEqual(Object.keys(resourceSchemas[resource].properties));
  expect(detailNames).toEqual(Object.keys(DetailsSchema.properties));
});

it('names every problem of the table in a response', () => {
  const responses = Object.values(components.responses!) as unknown as { description: string }[];
  const named = new Set(responses.flatMap(({ description }) => problemsIn(description)));
  expect([...named].sort()).toEqual(Object.keys(problems).sort());
});

it('refers to whole components only, and gives none the name of a keyword: generators make a type of each', () => {
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target!);
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((target) => !/^#\/components\/\w+\/[^/]+$/.test(target))).toEqual([]);
  const keywords = /^(class|default|delete|enum|export|function|import|in|interface|new|package|type|with)$/i;
  const names = Object.values(components).flatMap((kind) => Object.keys(kind));
  expect(names.filter((name) => keywords.test(name))).toEqual([]);
});

it('the answer of a list is its record list and nothing else, and every error is one Problem', () => {
  for (const [address, route] of routes) {
    if (route.kind === 'batch' || route.kind === 'document') continue;
    const { responses } = paths[address]!.get as unknown as { responses: Record<string, JsonObject> };
    const schema = { $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) };
    const content = responses['200']!.content as JsonObject;
    expect(content, address).toEqual({ 'application/json': expect.objectContaining({ schema }) });
  }
  for (const { content } of Object.values(components.responses!) as JsonObject[])
    expect(content).toMatchObject({
      'application/json': { schema: { $ref: '#/components/schemas/Problem' } },
    });
});

it('a search for IMDb or TMDB finds the fields and parameters with their ids', () => {
  const { Movie, Nominee, ListedFilm } = components.schemas as unknown as Record<
    string,
    { properties: Record<string, { description: string }> }
  >;
  for (const field of [
    Movie!.properties.filmindex_id,
    Nominee!.properties.filmindex_id,
    ListedFilm!.properties.imdb_id,
    components.parameters!.filmindex_id,
    components.parameters!.filmindex_ids,
  ])
    expect(field).toHaveProperty('description', expect.stringContaining('IMDb id'));
  for (const field of [Movie!.properties.moviedb_id, components.parameters!.moviedb_person_id])
    expect(field).toHaveProperty('description', expect.stringContaining('TMDB id'));
});

it('has unique and stable operation ids', () => {
  const ids = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) =>
      operationId === undefined ? [] : [String(operationId)],
    ),
  );
  expect(new Set(ids).size).toBe(ids.length);
  const stable = `getRoot getNominations createNomination getNomination updateNomination deleteNomination getCeremonies createCeremony getCeremony
    updateCeremony deleteCeremony getCategories getCategory getMovies createMovie getMovie updateMovie deleteMovie getNominees createNominee getNominee
    updateNominee deleteNominee getSongs createSong getSong updateSong deleteSong getHonors getHonor getSearch getTopMovies getTopNominees getCounts createBatch getDescription getReceipts
    getReceipt getDownloads getDownload getFilmLists getFilmList`;
  expect(ids).toEqual(stable.split(/\s+/));
});

/** A valid body, or one with a bad or unknown field, nulls or missing fields. */
function bodyToCheck(resource: WritableResource): fc.Arbitrary<[WritableResource, JsonValue]> {
  const fields = [...Object.keys(fieldSchemas(resource)), 'titel'];
  const some = fc.subarray(fields, { maxLength: 2 });
  return fc
    .tuple(anyBody(resource), fc.option(anyBadField(resource)), some, some)
    .map(([body, bad, emptied, missing]) => {
      const all: Record<string, JsonValue> = { ...body, ...(bad && { [bad[0]]: bad[1] }) };
      for (const field of emptied) all[field] = null;
      for (const field of missing) delete all[field];
      return [resource, all];
    });
}

it('accepts exactly the bodies that the service accepts', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...writableResources).chain((resource) => bodyToCheck(resource)),
      fc.constantFrom('create' as const, 'update' as const),
      ([resource, body], action) => {
        const { faults } = checkBody(resource, action, body);
        const name = action === 'create' ? schemaNames.creation(resource) : schemaNames.change(resource);
        const found = faultsBySchema(`/components/schemas/${name}`, body);
        expect([found.length > 0, { resource, action, body, faults, found }]).toEqual([
          faults.length > 0,
          expect.anything(),
        ]);
      },
    ),
    { numRuns: runs(400) },
  );
});

it('gives every id 64 bits, also those of rankings and receipts', () => {
  const found: [string, unknown][] = [];
  const visit = (part: unknown, path: string) => {
    for (const [name, own] of Object.entries((part ?? {}) as JsonObject)) {
      const { type, format } = (own ?? {}) as JsonObject;
      if (/(^|_)id$|^(group|receipt)$/.test(name) && [type].flat().includes('integer'))
        found.push([`${path}/${name}`, format]);
      if (typeof own === 'object') visit(own, `${path}/${name}`);
    }
  };
  visit(components.schemas, '');
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter(([, format]) => format !== 'int64')).toEqual([]);
});

it('is a file of the site layer', async () => {
  const files = await makeSite();
  expect(new TextDecoder().decode(files.get(openapiPath.slice(1)))).toBe(text);
});

it('names what stands for a key in receipts', () => {
  const enrichments = Object.keys(enrichmentSources).map((source) => `enrich:${source}`);
  for (const name of [environmentKeyName, importKeyName, ...enrichments])
    expect(documentSchemas.Receipt.properties.key).toHaveProperty(
      'description',
      expect.stringContaining(`"${name}"`),
    );
});
