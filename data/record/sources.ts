/** Where the record comes from: what fills of the database note, and the sources that follow from it. */
import type { Source } from '../../api/contract/resources.ts';
import { knownSources } from '../../api/contract/sources.ts';
import { revision } from '../database/changes.ts';
import { type Connection, prepared } from '../database/open.ts';

/** The name of the public file: a local file of this name counts as a copy of it. */
const publicFile = 'oscars.csv';
const publicAddress = /^https?:\/\/[^/]+\/(?:gh\/)?DLu\/oscar_data[@/]/i;

/** What an operator states about a source: it is then named in these words. */
export type StatedSource = { readonly [name in 'title' | 'licence' | 'holder']?: string | null | undefined };

/** Whether anything is stated about a source. */
export const isStated = ({ title, licence, holder }: StatedSource): boolean =>
  (title ?? licence ?? holder ?? null) !== null;

type Imported = StatedSource & { readonly source: string };

const lastImport = (connection: Connection): Imported | undefined =>
  prepared<[], Imported>(connection, 'SELECT source, title, licence, holder FROM imported').get();

/**
 * Notes what was imported last, with a digest of its bytes. In the caller's transaction.
 * @param stated replaces what was stated before; where it is empty, the words for the same source stay
 */
export function noteImport(
  connection: Connection,
  source: string,
  digest: string,
  stated: StatedSource = {},
): void {
  const last = lastImport(connection);
  const kept: StatedSource = last?.source === source ? last : {};
  const { title = null, licence = null, holder = null } = isStated(stated) ? stated : kept;
  connection.exec('DELETE FROM imported');
  connection
    .prepare(
      'INSERT INTO imported (source, digest, revision, title, licence, holder) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(source, digest, revision(connection), title, licence, holder);
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
  const imported = lastImport(connection);
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
 * The source of an import. One that the program does not know has the title that was stated, else its file
 * without the folder of the operator, or its address without a password or key.
 */
function importSource({ source, ...stated }: Imported): Source {
  const file = source.split(/[?#]/, 1)[0]!.split(/[/\\]/).at(-1)!;
  const isPublic = publicAddress.test(source) || file.toLowerCase() === publicFile;
  if (isPublic && !isStated(stated)) return knownSources.oscar_data;
  const url = /^https?:/i.test(source) && URL.canParse(source) ? new URL(source) : null;
  const address = url && `${url.origin}${url.pathname}`;
  return {
    name: 'import',
    title: stated.title ?? address ?? (file || 'an import'),
    gives: 'nominations, winners and honors, with the names of films and people',
    licence: stated.licence ?? null,
    holder: stated.holder ?? null,
    address,
  };
}
