/**
 * The OpenAPI document is complete, can be read by generators, and describes the status, all headers and the body of every answer.
 * Its examples are answers over the sample; to write them again: `AWARDS_WRITE_EXAMPLES=1 npx vitest run tests/http/openapi.system.test.ts`.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { documentSchemas } from '../../api/contract/answers.ts';
import { fieldSchemas, type JsonValue } from '../../api/contract/bodies.ts';
import { maxBodyBytes } from '../../api/contract/limits.ts';
import { type WritableResource, writableResources } from '../../api/contract/names.ts';
import { problems } from '../../api/contract/problems.ts';
import { methodsOf, openapiPath, routes } from '../../api/contract/routes.ts';
import type { JsonObject } from '../../api/contract/value-schemas.ts';
import { openapiDocument, openapiText } from '../../build/openapi/document.ts';
import { type Example, examples } from '../../build/openapi/examples.ts';
import { problemsOfResponse } from '../../build/openapi/responses.ts';
import { schemaNames } from '../../build/openapi/schemas.ts';
import { environmentKeyName, importKeyName } from '../../data/record/keys.ts';
import { checkBody } from '../../data/record/validation.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { indexFiles } from '../records/index-files.ts';
import type { Reply } from '../support/http.ts';
import { faultsBySchema, undescribed } from '../support/openapi-described.ts';
import { conformanceRequests } from '../support/requests.ts';
import { type Asking, inProcess, type Service, useInProcess } from '../support/running-service.ts';
import { runs } from '../support/settings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWritingService, useWritingService } from '../support/writing-service.ts';
import { anyBadField, anyBody } from './random-bodies.ts';

const text = openapiText();
const { paths, components } = openapiDocument() as unknown as {
  paths: Record<string, Record<string, JsonObject>>;
  components: Record<string, JsonObject>;
};

it('has an operation for each method of each address, and of receipts and plain files, and no other', () => {
  const described = Object.entries(paths).map(([address, item]) => [
    address,
    Object.keys(item)
      .filter((name) => name !== 'parameters')
      .sort(),
  ]);
  // Generators make a function of each operation: of HEAD and OPTIONS they would be noise.
  const expected = [...routes].map(([address, route]) => [
    address,
    methodsOf(route)
      .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
      .map((method) => method.toLowerCase())
      .sort(),
  ]);
  const others = ['/receipts', '/receipts/{id}', '/downloads/index.json', '/downloads/{name}'];
  others.push('/downloads/releases.json', '/downloads/{date}/{name}', '/changes/index.json');
  others.push(
    '/changes/{file}',
    '/lists/index.json',
    '/lists/{name}/{file}',
    '/by-imdb/index.json',
    '/by-imdb/{imdb_id}.json',
  );
  expect(described).toEqual([...expected, ...others.map((address) => [address, ['get']])]);
});

it('describes the answer of every address of the API, but that of the document, by a named schema', () => {
  const isNamed = ({ responses }: JsonObject) =>
    Object.entries(responses as JsonObject)
      .filter(([status]) => status.startsWith('2'))
      .every(([, answer]) => JSON.stringify(answer).includes('#/components/schemas/'));
  const unnamed = [...routes.keys()].filter(
    (address) => !Object.values(paths[address]!).every((own) => !('responses' in own) || isNamed(own)),
  );
  expect(unnamed).toEqual([openapiPath]);
});

it('asks for the key for writes and receipts, and for nothing else', () => {
  const secured = Object.entries(paths).flatMap(([address, item]) =>
    Object.entries(item).flatMap(([method, { security }]) =>
      security === undefined ? [] : [[address, method, security]],
    ),
  );
  const needed = Object.entries(paths).flatMap(([address, item]) =>
    Object.keys(item)
      .filter((name) => name !== 'parameters' && (name !== 'get' || address.startsWith('/receipts')))
      .map((method) => [address, method, [{ apiKey: [] }]]),
  );
  expect(secured).toEqual(needed);
  const apiKey = { type: 'apiKey', in: 'header', name: 'x-api-key' };
  expect(components.securitySchemes).toEqual({ apiKey: expect.objectContaining(apiKey) });
});

it('names every problem in a response, and every error is one Problem', () => {
  const all = components.responses as Record<string, { description: string; content: JsonObject }>;
  const responses = Object.values(all);
  const named = new Set(Object.keys(all).flatMap(problemsOfResponse));
  for (const [name, { description }] of Object.entries(all))
    for (const code of problemsOfResponse(name)) expect(description).toContain(`(\`${code}\`)`);
  expect([...named].sort()).toEqual(Object.keys(problems).sort());
  const problem = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } };
  for (const { content } of responses) expect(content).toMatchObject(problem);
});

it('sends a list of values as one parameter with commas', () => {
  const named = Object.values(components.parameters!) as {
    name: string;
    style?: string;
    explode?: boolean;
  }[];
  const lists = new Map(
    named.filter(({ style }) => style).map(({ name, style, explode }) => [name, { style, explode }]),
  );
  for (const name of ['ids', 'include', 'fields', 'category_ids'])
    expect([name, lists.get(name)]).toEqual([name, { style: 'form', explode: false }]);
});

it('has examples only where there are some', () => expect(text).not.toMatch(/"examples":\s*\{\}/));

it('has unique and stable operation ids', () => {
  const ids = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  );
  const stable = `getRoot getNominations createNomination getNomination updateNomination deleteNomination getCeremonies createCeremony getCeremony
    updateCeremony deleteCeremony getCategories getCategory getMovies createMovie getMovie updateMovie deleteMovie getNominees createNominee getNominee
    updateNominee deleteNominee getSongs createSong getSong updateSong deleteSong getHonors createHonor getHonor updateHonor deleteHonor getSearch getTopMovies getTopNominees getCounts getChanges createBatch getDescription getReceipts
    getReceipt getDownloads getDownload getReleases getReleasedFile getChangeIndex getChangeFile getFilmLists getFilmList getByImdbIndex getRecordByImdb`;
  expect(ids).toEqual(stable.split(/\s+/));
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
  visit({ ...components.schemas, ...components.parameters }, '');
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter(([, format]) => format !== 'int64')).toEqual([]);
});

/** A valid body, or one with a bad or unknown field, nulls or missing fields. */
function bodyToCheck(resource: WritableResource): fc.Arbitrary<[WritableResource, JsonValue]> {
  const some = fc
    .subarray([...Object.keys(fieldSchemas(resource)), 'titel'])
    .map((chosen) => chosen.slice(0, 2));
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
  const anyResource = fc.constantFrom(...writableResources).chain((resource) => bodyToCheck(resource));
  fc.assert(
    fc.property(
      anyResource,
      fc.constantFrom('create' as const, 'update' as const),
      ([resource, body], action) => {
        const { faults } = checkBody(resource, action, body);
        const name = action === 'create' ? schemaNames.creation(resource) : schemaNames.change(resource);
        const found = faultsBySchema(`/components/schemas/${name}`, body);
        expect(found.length > 0, JSON.stringify({ resource, action, body, faults, found })).toBe(
          faults.length > 0,
        );
      },
    ),
    { numRuns: runs(200) },
  );
});

it('is a file of the site, and names what stands for a key in receipts', () => {
  expect(readFileSync(join(inject('sample').out, openapiPath), 'utf8')).toBe(text);
  const { description } = documentSchemas.Receipt.properties.key as { description?: string };
  for (const name of [environmentKeyName, importKeyName, 'enrich:wikidata', 'enrich:tmdb'])
    expect(description).toContain(`"${name}"`);
});

describe('the document describes', () => {
  const reading = useInProcess({ readLimit: 100_000 }, undefined, []);
  const writing = useWritingService({ writeLimit: 100_000, proxies: ['127.0.0.1'] });

  const faultsOf = (method: string, target: string, { status, headers, body }: Reply): string[] => {
    const values = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
    return undescribed(method, target, { status, headers: values, body });
  };
  /** Asks, and fails unless the document describes the answer. @returns its status */
  async function described(service: Service, target: string, asking: Asking = {}): Promise<number> {
    const reply = await service.ask(target, asking);
    expect(faultsOf(asking.method ?? 'GET', target, reply), JSON.stringify(asking).slice(0, 300)).toEqual([]);
    return reply.status;
  }

  it('the answers to all conformance requests', async () => {
    const statuses = new Set<number>();
    for (const { method, target, ifNoneMatch } of conformanceRequests) {
      const headers =
        ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch, 'X-Request-Id': 'mine' };
      statuses.add(await described(reading.service, target, { method, headers }));
    }
    expect([...statuses].sort()).toEqual([200, 204, 304, 400, 404, 405, 410]);
  });

  it.each<[string, number, () => Service]>([
    ['with an exhausted limit', 429, () => inProcess(reading.built.out, { readLimit: 1 })],
    ['without a snapshot', 503, () => inProcess(join(temporaryFolder(), 'none'))],
  ])('the answers of a service %s: %i', async (_name, status, start) => {
    const service = start();
    await service.ask('/api/movies');
    for (const target of ['/api/movies', '/api/movies/1', '/api/openapi.json', '/api/search?q=ann'])
      expect([target, await described(service, target)]).toEqual([target, status]);
    await service.stop();
  });

  it.each<[string, Asking]>([
    ['have no key', { headers: { 'x-api-key': [] } }],
    ['have a wrong key', { headers: { 'x-api-key': 'fa_wrong', 'X-Forwarded-For': '198.51.100.1' } }],
    ['have a wrong type', { headers: { 'Content-Type': 'text/plain' } }],
    ['are too large', { body: ' '.repeat(maxBodyBytes + 1) }],
    ['are no JSON', { body: '{' }],
    ['are no object', { body: '[]' }],
    ['are empty', { body: '{}', headers: { 'X-Request-Id': 'mine' } }],
    ['have an unknown field', { body: '{"titel":1,"id":0}' }],
    ['expect another state', { body: '{"id":1000}', headers: { 'If-Match': '"x"' } }],
  ])('the answers to writes that %s', async (_name, { headers, body = '{}' }) => {
    const { service } = writing;
    const sent = {
      headers: { 'x-api-key': service.key, 'Content-Type': 'application/json', ...headers },
      body,
    };
    await described(service, '/api/batch', { method: 'POST', ...sent });
    for (const resource of ['nominations', 'movies']) {
      await described(service, `/api/${resource}`, { method: 'POST', ...sent });
      for (const id of ['1', '999999'])
        for (const method of ['PATCH', 'DELETE'])
          await described(service, `/api/${resource}/${id}`, { method, ...sent });
    }
  });

  it('the answers of the receipts, with and without a key', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST'])
      for (const path of ['', '/1', '/99', '?before=x'])
        for (const headers of [{}, { 'x-api-key': writing.service.key }])
          await described(writing.service, `/receipts${path}`, { method, headers });
  });

  const isWriting = process.env.AWARDS_WRITE_EXAMPLES === '1';
  const replies = new Map<string, Reply>();
  beforeAll(async () => {
    const { out } = reading.built;
    mkdirSync(join(out, 'api'));
    writeFileSync(join(out, openapiPath), text);
    indexFiles(out, 'site', [openapiPath.slice(1)]);
    // Without the OpenAPI document, which contains the examples.
    const service = await startWritingService([fillWithSample, []]);
    // In their order: later requests read what earlier ones wrote.
    for (const [name, example] of Object.entries(examples))
      replies.set(name, await service.ask(example.target, askingOf(example, service.key)));
    await service.stop();
    service.connection.close();
    if (!isWriting) return;
    const lines = [...replies].map(
      ([name, reply]) => `  "${name}": ${JSON.stringify({ ...examples[name], ...shownOf(reply) })}`,
    );
    const file = new URL('../../build/openapi/examples.json', import.meta.url);
    writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
  });

  function askingOf({ method, body, headers = {}, withoutKey, target }: Example, key: string): Asking {
    const isSecured = !withoutKey && (method !== 'GET' || target.startsWith('/receipts'));
    const type = body !== undefined && { 'Content-Type': 'application/json' };
    const sent = body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) };
    return { method, headers: { ...(isSecured && { 'x-api-key': key }), ...type, ...headers }, ...sent };
  }

  /** The reply as the document shows it: with a fixed time of receipts. */
  function shownOf({ status, body }: Reply): { status: number; answer: unknown } {
    const text = body.toString().replace(/"at":"[^"]*"/g, '"at":"2026-03-16T09:30:00.000Z"');
    return { status, answer: JSON.parse(text) };
  }

  it.skipIf(isWriting)('each example is the answer of the service, and described', () => {
    for (const [name, { method, target, status, answer }] of Object.entries(examples)) {
      const reply = replies.get(name)!;
      expect(shownOf(reply), name).toEqual({ status, answer });
      expect(faultsOf(method, target, reply), name).toEqual([]);
    }
  });
});
