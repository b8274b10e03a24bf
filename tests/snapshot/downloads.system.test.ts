/**
 * The downloads are the whole record, as the service shows it, in every format, and nothing else; values that may not be passed
 * on stay out. They follow the snapshot, and the service serves them under both names.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { Value } from 'typebox/value';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { type DownloadIndex, documentSchemas } from '../../api/contract/answers.ts';
import { type EnrichedResource, enrichmentSources } from '../../api/contract/enrichment.ts';
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import { openapiDocument } from '../../build/openapi/document.ts';
import { fileSource } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { layersOf } from '../../build/derived/layers.ts';
import { updateLayers } from '../../build/derived/update.ts';
import { parquetFile } from '../../build/derived/parquet.ts';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import { verify } from '../../build/verify.ts';
import { enrichedFields } from '../../data/enrich/wanted.ts';
import { updateRecord } from '../../data/record/edits.ts';
import { createKey } from '../../data/record/keys.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { useService } from '../support/running-service.ts';
import { csvOf, ndjsonOf } from '../records/oracle/files.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { countsOf } from '../records/oracle/oracle.ts';
import { loadPlainRecord, type PlainRecord } from '../records/record.ts';
import { viewOf } from '../records/oracle/view.ts';
import { answerAt, build } from '../records/build.ts';
import { markGiven } from '../records/given.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { needTools, requireTool } from '../support/tools.ts';
import { type Fill, memoryDatabase } from '../records/databases.ts';
import { fillWithGenerated } from '../records/generated-record.ts';
import { hashOf } from '../records/named-files.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { expectSameTree, readTree, type Tree } from '../records/tree.ts';

const at = useWorkspace();
const layers = ['downloads'] as const;

const downloadsIn = (out: string) => {
  const pathOf = (name: string) => join(out, 'downloads', name);
  const read = (name: string) => readFileSync(pathOf(name));
  return { pathOf, read, index: () => JSON.parse(read('index.json').toString()) as DownloadIndex };
};

/** The rows of a Parquet file, as the reader of its package gives them. */
const parquetRows = (bytes: Buffer) => parquetReadObjects({ file: new Uint8Array(bytes).buffer });

/** The type of a column of a Parquet file in DuckDB, by its name. */
function columnType(name: string): string {
  if (/^(genres|origin_country)$/.test(name)) return 'VARCHAR[]';
  if (name === 'nominee_ids') return 'BIGINT[]';
  if (/^(is_song|winner|official)$/.test(name)) return 'BOOLEAN';
  if (/^(date|release_date|birthday|deathday)$/.test(name)) return 'DATE';
  const isWhole =
    /^(runtime|entry|entries|wins)$|id$|_year$/.test(name) && !/^(filmindex|streaming)_id$/.test(name);
  return isWhole ? 'BIGINT' : 'VARCHAR';
}

/** A value as readers of its type give it to JavaScript. */
function typedValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => typedValue('', item));
  if (typeof value === 'number') return BigInt(value);
  return columnType(name) === 'DATE' && value !== null ? new Date(value as string) : value;
}

/** The part of DuckDB that is used here. */
interface DuckDb {
  DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }> };
}
interface DuckDbConnection {
  runAndReadAll(sql: string): Promise<{ getRowObjectsJS(): Record<string, unknown>[] }>;
  closeSync(): void;
}

/** Runs a function with DuckDB. Skips the test where the tools are missing. */
async function withDuckDb(
  context: TestContext,
  use: (ask: (sql: string) => Promise<Record<string, unknown>[]>) => Promise<void>,
): Promise<void> {
  needTools(context);
  const { DuckDBInstance } = requireTool('@duckdb/node-api') as DuckDb;
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await use(async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJS());
  connection.closeSync();
}

/** The column and JSON type of each value in a record, with those within objects and lists. */
function jsonTypes(value: unknown, column = ''): [column: string, type: string][] {
  if (Array.isArray(value))
    return [[column, 'list'], ...value.flatMap((item) => jsonTypes(item, `${column}[]`))];
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([name, own]) => jsonTypes(own, `${column}.${name}`));
  if (typeof value === 'number') return [[column, Number.isSafeInteger(value) ? 'integer' : 'number']];
  return [[column, value === null ? 'null' : typeof value]];
}

/** Words and signs of the schema of the database that SQLite 3.37 knows. */
const words337 =
  'AND AS CHECK CREATE FROM IN INDEX INTEGER IS JOIN KEY LEFT NOT NULL ON PRIMARY REFERENCES SELECT STRICT TABLE TEXT VIEW WHERE';

describe('the files', () => {
  const { pathOf, read, index } = downloadsIn(at('nasty'));
  let record: PlainRecord;
  /** The totals of a film, person or ceremony, which the downloads have besides its fields. */
  const addedOf = (resource: ResourceName, id: number): Record<string, unknown> => {
    const reference = { movies: 'movie_id', nominees: 'nominee_id', ceremonies: 'ceremony_id' } as const;
    const own = reference[resource as keyof typeof reference];
    if (own === undefined) return {};
    const view = viewOf(record);
    const { entries, wins } = countsOf(view, view.nominationsOf(own, id));
    const years = {
      ...{ ceremonies: { film_years: record.filmYears.get(id) }, nominees: {} },
      movies: { film_year: view.filmYear(id), film_years: view.filmYears(id) },
    };
    return { ...years[resource as keyof typeof reference], entries, wins };
  };
  beforeAll(async () => {
    const connection = memoryDatabase(fillWithNastyRecord);
    // Values that are difficult for programs that read CSV.
    const taglines = ['=1+1', '-30-', ' spaces ', 'a,b', 'line\r\nbreak', '"', '\ttab', '+@', 'NULL'];
    const ids = connection.prepare<[], number>('SELECT id FROM movies LIMIT 9').pluck().all();
    const spell = connection.prepare('UPDATE movies SET tagline = ? WHERE id = ?');
    for (const [i, id] of ids.entries()) spell.run(taglines[i], id);
    createKey(connection, 'editor', new Date(0));
    await build(connection, at('nasty'), { layers });
    record = loadPlainRecord(connection);
  });

  it.each(resourceNames)(
    '%s as NDJSON and CSV are every record as the service shows it, nominations with details',
    (resource) => {
      const rows = record[resource].map((row) =>
        resource === 'nominations'
          ? { ...row, details: record.details.get(row.id)! }
          : { ...row, ...addedOf(resource, row.id) },
      );
      expect(read(`${resource}.ndjson`).toString()).toBe(ndjsonOf(rows));
      expect(read(`${resource}.csv`).toString()).toBe(
        csvOf(resource, rows, new Map(), Object.keys(addedOf(resource, 0))),
      );
    },
  );

  /** The rows of a resource in its Parquet file. */
  const typedRows = (resource: ResourceName) =>
    record[resource].map((row) => {
      const details = resource === 'nominations' && record.details.get(row.id)!;
      const whole = { ...row, ...details, ...addedOf(resource, row.id) };
      return Object.fromEntries(
        Object.entries(whole).map(([name, value]) => [name, typedValue(name, value)]),
      );
    });
  const headingOf = (resource: string) => read(`${resource}.csv`).toString().split('\r\n')[0]!.split(',');

  it.each(resourceNames)(
    '%s as Parquet are the same records with the columns of the CSV, typed whether or not they have values',
    async (resource) => {
      const bytes = read(`${resource}.parquet`);
      const rows = await parquetRows(bytes);
      expect(rows).toEqual(typedRows(resource));
      expect(Object.keys(rows[0]!)).toEqual(headingOf(resource));
      const schemaOf = (file: Buffer) => parquetMetadata(new Uint8Array(file).buffer).schema;
      expect(schemaOf(parquetFile(resource, [], []))).toEqual(schemaOf(bytes));
      const copy = new Database(read('awards.sqlite'));
      const stored = copy.prepare('SELECT name FROM pragma_table_info(?) WHERE "notnull" OR pk').pluck();
      const optional = schemaOf(bytes).filter(({ repetition_type: it }) => it === 'OPTIONAL');
      expect(stored.all(resource).filter((name) => optional.some((it) => it.name === name))).toEqual([]);
      copy.close();
    },
  );

  it('DuckDB reads the Parquet files with these types, and the CSV files', async (context) => {
    await withDuckDb(context, async (ask) => {
      for (const resource of resourceNames) {
        const file = `'${pathOf(`${resource}.parquet`)}'`;
        expect(await ask(`SELECT * FROM ${file}`), resource).toEqual(typedRows(resource));
        const types = (await ask(`DESCRIBE SELECT * FROM ${file}`)).map((it) => [
          it.column_name,
          it.column_type,
        ]);
        expect(types).toEqual(headingOf(resource).map((name) => [name, columnType(name)]));
        const csv = await ask(`SELECT * FROM read_csv('${pathOf(`${resource}.csv`)}', all_varchar = true)`);
        expect(csv.map(({ id }) => id)).toEqual(record[resource].map(({ id }) => `${id}`));
      }
    });
  });

  it('the SQLite database holds the same records in strict tables, and no keys, receipts or changes', () => {
    const copy = new Database(read('awards.sqlite'));
    // Other names are only searched.
    const { otherNames: none, ...copied } = loadPlainRecord(copy);
    expect({ ...copied, otherNames: record.otherNames }).toEqual(record);
    expect(new Set([...none.movies.values(), ...none.nominees.values()].flat())).toEqual(new Set());
    const listed = record.nominations.map((row) => ({
      ...row,
      is_song: Number(row.is_song),
      winner: Number(row.winner),
    }));
    expect(copy.prepare('SELECT * FROM nominations_listed ORDER BY id').all()).toEqual(listed);
    const tables = copy
      .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict")
      .pluck();
    expect(tables.all().sort()).toEqual([...resourceNames, 'details', 'about'].sort());
    expect(read('awards.sqlite').toString('latin1')).not.toMatch(/api_keys|receipts|\bchanges [(]|editor/);
    const plan = copy.prepare('EXPLAIN QUERY PLAN SELECT * FROM nominations WHERE movie_id = 1');
    expect(plan.get()).toMatchObject({ detail: expect.stringMatching(/USING INDEX/) });
    copy.close();
  });

  it('the SQLite database needs no newer version than its description says', () => {
    expect(index().files.at(-1)!.description).toContain('SQLite 3.37 or newer');
    const file = read('awards.sqlite');
    // Version 1 to write and to read, schema format 4, UTF-8: https://www.sqlite.org/fileformat.html
    expect([file[18], file[19], file.readUInt32BE(44), file.readUInt32BE(56)]).toEqual([1, 1, 4, 1]);
    const copy = new Database(file);
    const objects = copy.prepare<[], { name: string; sql: string }>('SELECT * FROM sqlite_schema').all();
    const columns = copy.prepare('SELECT c.name FROM sqlite_schema s, pragma_table_info(s.name) c').pluck();
    const names = new Set([...objects.map(({ name }) => name), ...(columns.all() as string[])]);
    // Without comments and texts.
    const sql = objects.map((it) => it.sql.replace(/--.*|'[^']*'/g, '')).join(' ');
    const parts = new Set(sql.match(/[(),]|\w+|[^\w\s(),]+/g));
    const known = [...words337.split(' '), '(', ')', ',', '.', '=', '0', '1'];
    expect([...parts].flatMap((part) => (names.has(part) || known.includes(part) ? [] : part))).toEqual([]);
    copy.close();
  });

  it('the index names the snapshot, and each file with its size, rows and hash under both names', () => {
    expect([...Value.Errors(documentSchemas.DownloadIndex, index())]).toEqual([]);
    const manifest = JSON.parse(readFileSync(at('nasty/manifest.json'), 'utf8')) as { snapshot: string };
    expect(index().snapshot).toBe(manifest.snapshot);
    const names = ['ndjson', 'csv', 'parquet'].flatMap((format) =>
      resourceNames.map((resource) => `${resource}.${format}`),
    );
    expect(index().files.map(({ name }) => name)).toEqual([...names, 'awards.sqlite']);
    const all = resourceNames.reduce((sum, resource) => sum + record[resource].length, 0);
    for (const { name, immutable_name, bytes, rows, sha256 } of index().files) {
      expect(rows, name).toBe(record[name.split('.')[0] as 'songs']?.length ?? all);
      expect(immutable_name).toContain(sha256.slice(0, 20));
      for (const content of [read(name), read(immutable_name)]) {
        expect(content.length, name).toBe(bytes);
        expect(createHash('sha256').update(content).digest('hex'), name).toBe(sha256);
      }
    }
  });
});

describe.each<[what: string, fill: Fill]>([
  ['the sample', fillWithSample],
  ['a generated record', fillWithGenerated(0.05)],
  ['the nasty record', fillWithNastyRecord],
])('a program that infers the types of NDJSON: %s', (what, fill) => {
  const { pathOf, read } = downloadsIn(at(what));
  const recordsOf = (resource: ResourceName) =>
    read(`${resource}.ndjson`)
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  beforeAll(async () => {
    const connection = memoryDatabase(fill);
    await build(connection, at(what), { layers });
    connection.close();
  });

  it.each(resourceNames)('%s have the same columns in all lines, each with one type or null', (resource) => {
    const records = recordsOf(resource);
    const types = new Map<string, Set<string>>();
    for (const [column, type] of records.flatMap((record) => jsonTypes(record)))
      if (!types.has(column)) types.set(column, new Set([type]));
      else types.get(column)!.add(type);
    const mixed = [...types].filter(([column, own]) => {
      const isItem = column.endsWith('[]');
      const isList = own.has('list');
      return own.size > (own.has('null') && !isItem && !isList ? 2 : 1) || (isItem && own.has('null'));
    });
    expect(mixed).toEqual([]);
    expect(types.size > 0 || records.length === 0).toBe(true);
    const columns = records.map((record) =>
      JSON.stringify([Object.keys(record), Object.keys(record.details ?? {})]),
    );
    expect(new Set(columns).size).toBeLessThanOrEqual(1);
  });

  it('DuckDB finds the types of the Parquet files in all of them', async (context) => {
    await withDuckDb(context, async (ask) => {
      for (const resource of resourceNames) {
        const records = recordsOf(resource);
        if (records.length === 0) continue;
        const file = `read_ndjson('${pathOf(`${resource}.ndjson`)}', sample_size = -1)`;
        expect(await ask(`SELECT id FROM ${file}`)).toEqual(
          records.map(({ id }) => ({ id: BigInt(id as number) })),
        );
        const found = (await ask(`DESCRIBE SELECT * FROM ${file}`)).map((it) => [
          it.column_name,
          it.column_type,
        ]);
        const expected = Object.keys(records[0]!).map((name) => {
          const values = records.map((record) => record[name]);
          if (name === 'details') return [name, expect.stringMatching(/^STRUCT\(entry BIGINT, /)];
          // DuckDB's type of a column without values.
          if (values.every((value) => value === null)) return [name, 'JSON'];
          return [name, values.flat().length === 0 ? 'JSON[]' : columnType(name)];
        });
        expect(found, resource).toEqual(expected);
      }
    });
  });
});

describe('values that may not be passed on', () => {
  const out = at('restricted');
  const { read, index } = downloadsIn(out);
  const secret = 'https://secret.example/value';
  /** A value of a field that no other record has. */
  const sampleOf = (field: string): string | number | string[] => {
    if (field === 'genres' || field === 'origin_country') return [secret];
    if (/(date|day)$/.test(field)) return '1987-06-05';
    return /(runtime|_id)$/.test(field) ? 987_654 : secret;
  };
  const secrets = /secret\.example|1987-06-05|987654/g;
  /** The secrets in each file, in any format. */
  const leaks = async () => {
    const texts = index().files.map(async ({ name }) =>
      name.endsWith('.parquet')
        ? JSON.stringify(await parquetRows(read(name)), (_, it) => (typeof it === 'bigint' ? Number(it) : it))
        : read(name).toString('latin1'),
    );
    return (await Promise.all(texts)).flatMap((text) => text.match(secrets) ?? []);
  };
  const verified = (connection: ReturnType<typeof memoryDatabase>, includeRestricted: boolean) =>
    verify(connection, out, layersOf(layers, { includeRestricted }));

  it('are unknown in every format, for every field, and the rest of the record is there', async () => {
    const connection = memoryDatabase(fillWithTinyRecord);
    const fields = (Object.entries(enrichedFields) as [EnrichedResource, readonly string[]][]).map(
      // Downloads have no other names.
      ([resource, names]) => [resource, names.filter((name) => name !== 'other_names')] as const,
    );
    for (const [resource, names] of fields) {
      updateRecord(
        connection,
        resource,
        2,
        Object.fromEntries(names.map((field) => [field, sampleOf(field)])),
      );
      markGiven(connection, resource, 2, names as never, 'tmdb');
    }
    await build(connection, out, { layers });
    expect(await leaks()).toEqual([]);
    expect(index().notices).toEqual([]);
    const copy = new Database(read('awards.sqlite'));
    for (const [resource, names] of fields) {
      const [line] = read(`${resource}.ndjson`).toString().split('\n').slice(1);
      const shown = JSON.parse(line!) as Record<string, unknown>;
      const stored = copy.prepare(`SELECT * FROM ${resource} WHERE id = 2`).get() as Record<string, unknown>;
      expect([shown.title ?? shown.name]).not.toEqual([null]);
      for (const field of names) {
        const isList = field === 'genres' || field === 'origin_country';
        expect([shown[field], stored[field]], field).toEqual(isList ? [[], '[]'] : [null, null]);
      }
    }
    copy.close();
    const answer = await answerAt(new Resolver(fileSource(out)), '/api/movies?format=csv');
    expect(Buffer.from(answer.body!).toString()).toContain(secret);
  });

  it('are there from a free source, after an editor changed them, when the operator includes them, and when they are free', async () => {
    const connection = memoryDatabase(fillWithTinyRecord);
    updateRecord(connection, 'movies', 1, { overview: secret });
    markGiven(connection, 'movies', 1, ['overview'], 'wikidata');
    updateRecord(connection, 'movies', 3, { tagline: secret });
    markGiven(connection, 'movies', 3, ['tagline'], 'tmdb');
    updateRecord(connection, 'movies', 3, { tagline: `${secret} by hand` });
    updateRecord(connection, 'movies', 2, { overview: secret });
    markGiven(connection, 'movies', 2, ['overview'], 'tmdb');
    await build(connection, out, { layers });
    // Two records in NDJSON, CSV, Parquet and SQLite.
    expect(await leaks()).toHaveLength(8);
    await build(connection, out, { layers, includeRestricted: true });
    expect(await leaks()).toHaveLength(12);
    expect(index().notices).toEqual([enrichmentSources.tmdb.notice]);
    expect(await verified(connection, true)).toMatchObject({
      layers: { downloads: 'current' },
      differences: [],
    });
    expect((await verified(connection, false)).layers).toEqual({ downloads: 'behind' });
    await build(connection, out, { layers });
    expect(await leaks()).toHaveLength(8);
    connection.exec('DELETE FROM given');
    await build(connection, out, { layers });
    expect(await leaks()).toHaveLength(12);
    expect((await verified(connection, false)).differences).toEqual([]);
  });
});

it('a build of the snapshot leaves them behind; an update makes those of a clean build, and keeps the earlier ones for the retention time', async () => {
  const out = at('updated');
  const connection = memoryDatabase(fillWithTinyRecord);
  await build(connection, out, { layers });
  const downloads = (): Tree => readTree(join(out, 'downloads'));
  const first = downloads();
  let now = Date.now();
  const update = async () =>
    (await updateLayers(out, layersOf(layers), { retentionMs: 60_000, now: () => new Date(now) }))[0];
  expect(await update()).toMatchObject({ scope: 'nothing', files: [] });
  connection.exec("UPDATE movies SET title = 'Life' WHERE id = 1; DELETE FROM nominations WHERE id = 6");
  await new SnapshotBuilder(connection, out).build({ full: true });
  expectSameTree(downloads(), first);
  const state = () => verify(connection, out, layersOf(layers));
  expect(await state()).toMatchObject({ layers: { downloads: 'behind' }, differences: [] });
  expect(await update()).toMatchObject({ scope: 'everything', rendered: 45 });
  expect(await state()).toMatchObject({ layers: { downloads: 'current' }, differences: [] });
  const immutable = [...first].filter(([name]) => /-[0-9a-f]{20}\./.test(name));
  expect([...downloads()]).toEqual(expect.arrayContaining(immutable));
  connection.exec("UPDATE movies SET tagline = 'x'");
  await new SnapshotBuilder(connection, out).build();
  now += 61_000;
  await update();
  await build(connection, at('clean'), { layers });
  const named = readTree(at('clean/downloads'));
  const left = [...downloads().keys()].filter((name) => !named.has(name));
  expect(left.length).toBeGreaterThan(0);
  expect(left.filter((name) => first.has(name))).toEqual([]);
});

describe('the service', () => {
  const running = useService({ readLimit: 0 }, fillWithNastyRecord, ['lists', 'by-imdb', 'downloads']);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    running.service.ask(`/${path}`, { headers });

  it('serves every download with its type and bytes under both names, and every list and record by IMDb id for any origin', async () => {
    const index = JSON.parse((await ask('downloads/index.json')).body.toString()) as DownloadIndex;
    const { files, snapshot } = index;
    expect(files).toHaveLength(22);
    for (const { name, immutable_name, sha256, media_type } of files)
      for (const own of [name, immutable_name]) {
        const { status, headers, body } = await ask(`downloads/${own}`);
        expect([status, headers['content-type'], hashOf(body)]).toEqual([
          200,
          media_type,
          sha256.slice(0, 20),
        ]);
      }
    const { data } = JSON.parse((await ask('lists/index.json')).body.toString()) as {
      data: { json: string; rss: string }[];
    };
    expect(data.length).toBeGreaterThan(20);
    const byImdb = ['/by-imdb/tt0211915.json', '/by-imdb/nm0000001.json'];
    for (const path of [...data.flatMap(({ json, rss }) => [json, rss]), ...byImdb]) {
      const type = path.endsWith('.rss') ? 'rss+xml' : 'json';
      const { status, headers } = await ask(path.slice(1));
      const shown = [status, headers['content-type'], headers['access-control-allow-origin']];
      expect(shown, path).toEqual([200, `application/${type}; charset=utf-8`, '*']);
      expect(headers.snapshot, path).toBe(snapshot);
    }
  });

  it('and describes the statuses of whole, partial, known and missing files', async () => {
    const { paths } = openapiDocument() as { paths: Record<string, { get: { responses: object } }> };
    for (const [address, path] of [
      ['/downloads/index.json', 'downloads/index.json'],
      ['/downloads/{name}', 'downloads/songs.csv'],
      ['/lists/index.json', 'lists/index.json'],
      ['/lists/{name}/{file}', 'lists/best-picture/winners.json'],
      ['/by-imdb/{imdb_id}.json', 'by-imdb/tt0211915.json'],
    ] as const) {
      const asked = [{}, { range: 'bytes=0-1' }, { 'if-none-match': '*' }, { range: 'bytes=100000000-' }];
      const answers = await Promise.all(asked.map((headers) => ask(path, headers)));
      answers.push(await ask(`${path}.none`));
      expect(answers.map(({ status }) => status)).toEqual([200, 206, 304, 416, 404]);
      for (const { status } of answers) expect(paths[address]!.get.responses).toHaveProperty([`${status}`]);
    }
  });
});
