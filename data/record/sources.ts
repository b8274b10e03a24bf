/** Where the record comes from: what fills of the database note, and the sources that follow from it. */
import type { Source } from '../../api/contract/resources.ts';
import { knownSources } from '../../api/contract/sources.ts';
import { revision } from '../database/changes.ts';
import { type Connection, prepared } from '../database/open.ts';

/** The name of the public file. A copy keeps it. */
const publicFile = 'oscars.csv';
const publicAddress = /^https?:\/\/[^/]+\/(?:gh\/)?DLu\/oscar_data[@/]/i;

/** Notes what was imported last, with a digest of its bytes. In the caller's transaction. */
export function noteImport(connection: Connection, source: string, digest: string): void {
  connection.exec('DELETE FROM imported');
  connection
    .prepare('INSERT INTO imported (source, digest, revision) VALUES (?, ?, ?)')
    .run(source, digest, revision(connection));
}

/**
 * The name of the source that was imported last, if these were its bytes, and nothing has changed since;
 * else undefined.
 */
export const unchangedImport = (connection: Connection, digest: string): string | undefined =>
  connection
    .prepare<[string, number], string>('SELECT source FROM imported WHERE digest = ? AND revision = ?')
    .pluck()
    .get(digest, revision(connection));

/** Notes that the record has invented records. In the caller's transaction. */
export function noteGenerated(connection: Connection): void {
  connection.prepare('INSERT INTO generated (revision) VALUES (?)').run(revision(connection));
}

/**
 * The sources of the record: what gave its records, the texts of the project, and what filled unset fields.
 * Everything that names a source asks this, by way of the manifest. What editors add has no source.
 */
export function sourcesOf(connection: Connection): Source[] {
  const has = (sql: string) => prepared<[], number>(connection, sql).get() !== undefined;
  const gave = (source: string) =>
    has(`SELECT 1 FROM given WHERE source = '${source}' AND fields <> '{}' LIMIT 1`);
  const imported = prepared<[], string>(connection, 'SELECT source FROM imported').pluck().get();
  const isSampled = has('SELECT 1 FROM sample');
  return [
    ...(imported === undefined ? [] : [importSource(imported)]),
    ...(isSampled ? [knownSources.sample] : []),
    ...(has('SELECT 1 FROM generated') ? [knownSources.generated] : []),
    ...(imported === undefined ? [] : [knownSources['film-awards']]),
    ...(gave('wikidata') ? [knownSources.wikidata] : []),
    ...(gave('tmdb') ? [knownSources.tmdb] : []),
  ];
}

/**
 * The source of an import. One that the program does not know is named by its file, without the folder of
 * the operator, or by its address without a password or key.
 */
function importSource(source: string): Source {
  const file = source.split(/[?#]/, 1)[0]!.split(/[/\\]/).at(-1)!;
  if (publicAddress.test(source) || file.toLowerCase() === publicFile) return knownSources.oscar_data;
  const url = /^https?:/i.test(source) && URL.canParse(source) ? new URL(source) : null;
  const address = url && `${url.origin}${url.pathname}`;
  return {
    name: 'import',
    title: address ?? (file || 'an import'),
    gives: 'nominations, winners and honors, with the names of films and people',
    licence: null,
    holder: null,
    address,
  };
}
