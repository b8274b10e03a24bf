/**
 * The promise: everything that is published says where the record comes from and under which licence, and each place says the
 * same. The sources are those of the database: a sample, invented records, an import, and what filled unset fields.
 */
import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { parquetMetadata } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import type { ApiRoot, DownloadIndex, Release, ReleaseIndex } from '../../api/contract/answers.ts';
import type { Source } from '../../api/contract/resources.ts';
import { creditOf, knownSources, licenceOf } from '../../api/contract/sources.ts';
import { publish } from '../../build/publish/publish.ts';
import { folderTarget } from '../../build/publish/continued-target.ts';
import { openDatabase, type Connection } from '../../data/database/open.ts';
import { importBytes } from '../../data/import/import.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { sourcesOf, type StatedSource } from '../../data/record/sources.ts';
import { generateRecord } from '../../tools/generate/generate.ts';
import { build, verify } from '../records/build.ts';
import { markGiven } from '../records/given.ts';
import { recordOf } from '../records/record-text.ts';
import { readTree, type Tree } from '../records/tree.ts';
import { inProcess } from '../support/running-service.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
const layers = ['site', 'pages', 'lists', 'downloads'] as const;
const text = Buffer.from(recordOf({}));
const importAs =
  (name: string, stated: StatedSource = {}) =>
  (connection: Connection) =>
    importBytes(connection, text, stated, name);
const { oscar_data, sample, generated, wikidata, tmdb } = knownSources;
const texts = knownSources['film-awards'];

const own = (title: string, address: string | null): Source => ({
  ...{ name: 'import', title, gives: oscar_data.gives, licence: null, holder: null, address },
});

const databases: readonly (readonly [
  what: string,
  sources: readonly Source[],
  fill: (connection: Connection) => unknown,
])[] = [
  [
    'the public record at its address',
    [oscar_data, texts],
    importAs('https://raw.githubusercontent.com/DLu/oscar_data/main/oscars.csv'),
  ],
  ['a copy of the public record', [oscar_data, texts], importAs('/home/ann/oscars.csv')],
  [
    'another file, without its folder',
    [own('my awards.tsv', null), texts],
    importAs('/home/ann/my awards.tsv'),
  ],
  [
    'another address, without a password or a key',
    [own('https://awards.example/all.csv', 'https://awards.example/all.csv'), texts],
    importAs('https://ann:secret@awards.example/all.csv?token=secret'),
  ],
  [
    'a file of any name, with the title, licence and holder that the operator states',
    [{ ...own('Our awards', null), licence: 'CC-BY-4.0', holder: '© 2026 Ann' }, texts],
    importAs('/home/ann/oscars.csv', { title: 'Our awards', licence: 'CC-BY-4.0', holder: '© 2026 Ann' }),
  ],
  ['the sample', [sample], fillWithSample],
  ['invented records', [generated], (connection) => generateRecord(connection, { scale: 0.001, seed: 1 })],
  [
    'an import over invented records, and values of Wikidata',
    [oscar_data, generated, texts, wikidata],
    async (connection) => {
      generateRecord(connection, { scale: 0.001, seed: 1 });
      await importAs('oscars.csv')(connection);
      connection.exec('UPDATE movies SET runtime = 99 WHERE id = 1');
      markGiven(connection, 'movies', 1, ['runtime'], 'wikidata');
    },
  ],
  ['what editors alone wrote', [], () => {}],
];

const json = <T>(tree: Tree, path: string): T => JSON.parse(tree.get(path)!.toString()) as T;

describe.each(databases)('%s', (_, sources, fill) => {
  test('is what the API, pages, downloads, releases and llms.txt name as their source', async () => {
    const connection = openDatabase(':memory:');
    await fill(connection);
    expect(sourcesOf(connection)).toEqual(sources);
    await build(connection, at('dist'), { layers });
    const [out, to] = [at('dist'), at('published')];
    rmSync(to, { recursive: true, force: true });
    await publish({ out, connection, now: new Date(0) }, folderTarget({ out, to }));
    const tree = readTree(to);

    expect(json<{ sources: Source[] }>(tree, 'manifest.json').sources).toEqual(sources);
    expect(json<DownloadIndex>(tree, 'downloads/index.json').sources).toEqual(sources);
    const copy = new Database(tree.get('downloads/awards.sqlite')!);
    expect(copy.prepare('SELECT * FROM about ORDER BY rowid').all()).toEqual(sources);
    copy.close();
    for (const resource of ['nominations', 'movies', 'honors']) {
      const bytes = new Uint8Array(tree.get(`downloads/${resource}.parquet`)!).buffer;
      const metadata = new Map(
        parquetMetadata(bytes).key_value_metadata?.map(({ key, value }) => [key, value]),
      );
      expect(JSON.parse(metadata.get('sources')!)).toEqual(sources);
      expect(metadata.get('licence')).toBe(licenceOf(sources));
    }
    const day = 'downloads/1970-01-01/index.json';
    expect(json<Release>(tree, day)).toMatchObject({ sources, licence: licenceOf(sources) });
    const [release] = json<ReleaseIndex>(tree, 'downloads/releases.json').data;
    expect(release!.licence).toBe(licenceOf(sources));
    const summary = tree.get('llms.txt')!.toString();
    expect(summary).not.toContain('{{');
    for (const source of sources) {
      expect(summary).toContain(`- ${creditOf(source)}: ${source.gives}\n`);
      expect(release!.licence).toContain(creditOf(source));
    }

    const service = inProcess(at('dist'));
    try {
      const root = JSON.parse((await service.ask('/api')).body.toString()) as ApiRoot;
      expect(root.sources).toEqual(sources);
      for (const path of ['/', '/movies', '/downloads']) {
        const page = (await service.ask(path, { headers: { accept: 'text/html' } })).body.toString();
        const footer = page.slice(page.indexOf('<footer'));
        for (const { title, licence, holder, address } of sources)
          for (const part of [title, licence ?? 'licence not stated', holder, address && `href="${address}"`])
            if (part !== null) expect(footer, path).toContain(part);
        expect(/Sources:/.test(footer)).toBe(sources.length > 0);
        expect(page).not.toMatch(/secret|\/home\/ann/);
      }
      const reference = (await service.ask('/docs')).body.toString();
      expect(reference).toContain(licenceOf(sources));
    } finally {
      await service.stop();
    }
    connection.close();
  });
});

test('values of TMDB are named where they are, and not in downloads without them', async () => {
  const connection = openDatabase(':memory:');
  await importAs('oscars.csv')(connection);
  connection.exec("UPDATE movies SET tagline = 'A line.' WHERE id = 1");
  markGiven(connection, 'movies', 1, ['tagline'], 'tmdb');
  expect(sourcesOf(connection)).toEqual([oscar_data, texts, tmdb]);
  const indexOf = async (includeRestricted: boolean) => {
    await build(connection, at('tmdb'), { layers: ['downloads'], includeRestricted });
    return json<DownloadIndex>(readTree(at('tmdb')), 'downloads/index.json').sources;
  };
  expect(await indexOf(false)).toEqual([oscar_data, texts]);
  expect(await indexOf(true)).toEqual([oscar_data, texts, tmdb]);
  connection.close();
});

test('a build follows another source of the same records, and counts no changed record', async () => {
  const connection = openDatabase(':memory:');
  const options = { program: 'p' };
  await importBytes(connection, text, options, 'copy.csv');
  await build(connection, at('renamed'), { layers });
  expect(await build(connection, at('renamed'), { layers })).toMatchObject({ scope: 'nothing' });
  const report = await importBytes(connection, text, options, 'oscars.csv');
  expect(report).toMatchObject({ isUnread: true });
  expect(await build(connection, at('renamed'), { layers })).toMatchObject({
    scope: 'changes',
    reason: 'no record changed, but the sources of the record did',
  });
  expect(json<DownloadIndex>(readTree(at('renamed')), 'downloads/index.json').sources).toEqual([
    oscar_data,
    texts,
  ]);
  expect((await verify(connection, at('renamed'), layers)).differences).toEqual([]);
  expect(await build(connection, at('renamed'), { layers })).toMatchObject({ scope: 'nothing' });
  connection.close();
});

test('what is stated about a source stays for its next imports, is replaced by another statement, and not for another source', async () => {
  const connection = openDatabase(':memory:');
  const named = async (name: string, stated: StatedSource, program?: string) => {
    await importBytes(connection, text, { ...stated, program }, name);
    const [source] = sourcesOf(connection);
    return [source!.title, source!.licence, source!.holder];
  };
  // With a program, the same bytes are not read again.
  for (const program of [undefined, 'p']) {
    expect(await named('a.tsv', {}, program)).toEqual(['a.tsv', null, null]);
    expect(await named('a.tsv', { licence: 'CC0-1.0' }, program)).toEqual(['a.tsv', 'CC0-1.0', null]);
    expect(await named('a.tsv', {}, program)).toEqual(['a.tsv', 'CC0-1.0', null]);
    expect(await named('a.tsv', { title: 'A', holder: 'Ann' }, program)).toEqual(['A', null, 'Ann']);
    expect(await named('b.tsv', {}, program)).toEqual(['b.tsv', null, null]);
    expect(await named('oscars.csv', {}, program)).toEqual([
      oscar_data.title,
      oscar_data.licence,
      oscar_data.holder,
    ]);
  }
  connection.close();
});
