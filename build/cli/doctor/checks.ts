/** The checks of the doctor: each makes one finding, and loads what may be broken only when it runs. */
import { accessSync, constants, existsSync, readFileSync, realpathSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve, sep } from 'node:path';
import { type LayerName, layerIndexPath, layerNames, parseLayerIndex } from '../../../api/contract/layers.ts';
import { problemTypePrefix } from '../../../api/contract/problems.ts';
import { manifestPath, parseManifest } from '../../../api/contract/snapshot.ts';
import { nodeDigest, readIfPresent } from '../../../api/read/node-source.ts';
import { SnapshotUnavailable } from '../../../api/read/source.ts';
import { isFullDisk, isThere } from '../../system/files.ts';
import { DatabaseReplaced } from '../../../data/file-identity.ts';
import type { Content, Inspection } from '../../../data/inspect.ts';
import { damagedLayerFiles, snapshotDamage } from '../../snapshot/damage.ts';
import { counted, number } from '../../system/numbers.ts';
import { environmentKeyFault } from '../environment.ts';
import { ownPackage } from '../command.ts';
import { type Finding, findingsAbout, reasonOf } from './finding.ts';

/** @param version such as 20.19.0 */
export function checkNode(version = process.versions.node): Finding {
  const { fine, wrong } = findingsAbout('Node');
  const required = ownPackage().engines.node.replace(/[^0-9.]/g, '');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = required.split('.').map(Number);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return fine(version);
  return wrong(`${version} is too old`, `install Node ${required} or newer, then run "npm ci"`);
}

/** Whether the native module loads: it is built for one version of Node and one platform. */
export async function checkNativeModule(): Promise<Finding> {
  const { fine, wrong } = findingsAbout('native module');
  try {
    const { sqliteVersion } = await import('../../../data/inspect.ts');
    return fine(`better-sqlite3 loads, SQLite ${sqliteVersion()}`);
  } catch (error) {
    return wrong(
      `better-sqlite3 cannot be loaded: ${reasonOf(error)}`,
      'run "npm rebuild better-sqlite3", or "npm ci" to install everything again',
    );
  }
}

/** With less free space a build of the real record may fail; with less than the minimum it does. */
const comfortableBytes = 512 * 1024 * 1024;
const minBytes = 64 * 1024 * 1024;

/** @param bytes free for this user on the disk of the snapshot */
export function judgeSpace(bytes: number, out: string): Finding {
  const { fine, note, wrong } = findingsAbout('disk');
  const found = `${number(Math.floor(bytes / 1024 / 1024))} MB free for ${out}`;
  if (bytes >= comfortableBytes) return fine(found);
  const advice = 'make room, or choose a folder on another disk with --out';
  return bytes >= minBytes ? note(found, advice) : wrong(`only ${found}`, advice);
}

/** Whether the folder can be created, if it is not there, and the space for it. Creates nothing. */
export function checkSpace(out: string): Finding {
  const { skipped, wrong } = findingsAbout('disk');
  let folder = resolve(out);
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  const refused = (reason: string) =>
    wrong(`the folder ${out} cannot be created: ${reason}`, 'choose another folder with --out');
  try {
    // With the separator it must be a folder.
    if (folder !== resolve(out)) accessSync(join(folder, sep), constants.W_OK);
  } catch (error) {
    return refused(reasonOf(error));
  }
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    if (blocks > 0) return judgeSpace(bavail * bsize, out);
    // Such as /proc. Some file systems of memory say the same, and take files.
    return folder === resolve(out)
      ? skipped('the free space is unknown: the file system does not tell its size')
      : refused(`the file system of ${folder} takes no files`);
  } catch (error) {
    return skipped(`the free space is unknown: ${reasonOf(error)}`);
  }
}

/** Whether "serve" can listen on the port, or a service already does. */
export async function checkPort(port: number, host: string): Promise<Finding> {
  const { fine, wrong } = findingsAbout('port');
  const error = await listenError(port, host);
  const address = `port ${port} on ${host}`;
  if (error === undefined) return fine(`${address} is free`);
  if (error.code !== 'EADDRINUSE')
    return wrong(`cannot listen on ${address}: ${error.message}`, 'choose others with --port and --host');
  if (await isOurService(port, host)) return fine(`a service of this kind answers on ${address}`);
  return wrong(
    `${address} is in use by another program`,
    'end that program, or choose another port with --port',
  );
}

function listenError(port: number, host: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((fulfil) => {
    const server = createServer();
    server.once('error', fulfil);
    server.listen(port, host, () => server.close(() => fulfil(undefined)));
  });
}

async function isOurService(port: number, host: string): Promise<boolean> {
  const authority = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  try {
    const answer = await fetch(`http://${authority}/api/categories`, { signal: AbortSignal.timeout(2000) });
    const body = await answer.text();
    // A list, or a problem document of a busy service.
    return answer.ok
      ? body.includes('"count":') && answer.headers.get('etag') !== null
      : body.includes(problemTypePrefix);
  } catch {
    return false;
  }
}

const database = findingsAbout('database');
const filling = '"awards sample" or "awards import" fills one';
const checkPermissions = 'check the permissions of the folder';

/** Any command that opens such a database would start a new log, and lose the writes of the old one. */
export const logIsGone =
  'stop the programs that use it, put the file back beside the database, and start them again; no other command before that: it would discard acknowledged writes';

/** @param canLoad whether the native module loads */
export async function checkDatabase(
  db: string,
  out: string,
  canLoad: boolean,
): Promise<{ finding: Finding; content: Content | undefined }> {
  const without = (finding: Finding) => ({ finding, content: undefined });
  try {
    if (!isThere(db)) return without(database.wrong(`there is none at ${db}`, filling));
  } catch (error) {
    return without(database.wrong(`${db} cannot be read: ${reasonOf(error)}`, checkPermissions));
  }
  if (!canLoad) return without(database.skipped('it cannot be checked without the native module'));
  const { inspectDatabase } = await import('../../../data/inspect.ts');
  try {
    const inspection = inspectDatabase(db, resolve(out));
    return { finding: judgeDatabase(db, inspection), content: inspection.content };
  } catch (error) {
    if (error instanceof DatabaseReplaced)
      return without(database.wrong(`${error.path} is gone, and with it the latest writes`, logIsGone));
    if (isFullDisk(error))
      return without(database.wrong(`${db} cannot be read: its disk is full`, 'make room'));
    const advice = 'choose another file with --db, or put a backup in its place with "awards restore"';
    return without(database.wrong(`${db} cannot be read: ${reasonOf(error)}`, advice));
  }
}

/** Every command and the service open a database for writing, with files of SQLite beside it. */
function obstacleToWriting(db: string): string | undefined {
  try {
    for (const path of [db, dirname(realpathSync(db))]) accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function judgeDatabase(db: string, { ours, schema, faults, content }: Inspection): Finding {
  const { fine, note, wrong } = database;
  if (faults.length > 0)
    return wrong(
      `${db} is damaged: ${faults[0]}`,
      '"awards restore" puts a backup in its place; "awards import" refills an empty one',
    );
  if (!ours)
    return wrong(
      `${db} is the database of another program, or empty`,
      `choose another file with --db; ${filling}`,
    );
  if (schema.file > schema.program)
    return wrong(
      `${db} was written by a newer version of this program (schema ${schema.file}, this one knows ${schema.program})`,
      'update the program',
    );
  if (content === undefined)
    return note(
      `${db} is of an older version (schema ${schema.file} of ${schema.program})`,
      'any command that uses it, such as "awards build", brings it up to date',
    );
  const { counts, broken } = content;
  if (broken)
    return wrong(
      `${db}: ${broken.table} ${broken.rowid} refers to a missing record of ${broken.parent}`,
      'correct it with foreign keys enforced, or put a backup in its place with "awards restore"',
    );
  if (Object.values(counts).every((count) => count === 0))
    return wrong(`${db} has no records`, '"awards sample" or "awards import" fills it');
  const obstacle = obstacleToWriting(db);
  if (obstacle)
    return wrong(`${db} cannot be written: ${obstacle}`, 'check the permissions of the file and its folder');
  const { nominations, movies, nominees } = counts;
  const found = `${counted(nominations, 'nomination')}, ${counted(movies, 'movie')}, ${counted(nominees, 'nominee')}`;
  return fine(`${db} is sound: ${found} (schema ${schema.file})`);
}

export function checkKeys(content: Content | undefined, environmentKey: string | undefined): Finding {
  const { fine, note, skipped, wrong } = findingsAbout('keys');
  const fault = environmentKeyFault(environmentKey);
  if (fault) return wrong(fault, 'set another key, or use "awards keys create NAME" instead');
  if (content === undefined) return skipped('they are in the database, which cannot be used');
  const active = content.keys.filter(({ revokedAt }) => revokedAt === null).length;
  const count = active + (environmentKey ? 1 : 0);
  if (count === 0)
    return note('all writes are refused: there is no key', '"awards keys create NAME" makes one');
  return fine(`${counted(count, 'key')} for writing${environmentKey ? ', one of them AWARDS_API_KEY' : ''}`);
}

/** @returns the finding, and the snapshot's id if there is a snapshot */
export async function checkSnapshot(
  out: string,
  content: Content | undefined,
): Promise<{ finding: Finding; snapshot: string | undefined }> {
  const { wrong } = findingsAbout('snapshot');
  const without = (finding: Finding) => ({ finding, snapshot: undefined });
  const file = join(resolve(out), manifestPath);
  try {
    if (!isThere(file)) return without(wrong(`there is none in ${out}`, '"awards build" makes it'));
    const manifest = parseManifest(readFileSync(file), nodeDigest);
    if (manifest === undefined)
      return without(
        wrong(`${out}/${manifestPath} is damaged or of another version`, '"awards build --full" repairs it'),
      );
    const damage = await snapshotDamage(resolve(out), manifest);
    if (damage !== undefined) return without(wrong(`${out}: ${damage}`, '"awards build" repairs it'));
    return { finding: judgeSnapshot(out, manifest.snapshot, content), snapshot: manifest.snapshot };
  } catch (error) {
    return without(unreadable('snapshot', out, error));
  }
}

/** The finding about files that this user may not read. */
export const unreadable = (subject: string, out: string, error: unknown): Finding =>
  findingsAbout(subject).wrong(`${out} cannot be read: ${reasonOf(error)}`, checkPermissions);

function judgeSnapshot(out: string, snapshot: string, content: Content | undefined): Finding {
  const { fine, note, wrong, skipped } = findingsAbout('snapshot');
  if (content === undefined) return skipped(`${out} holds ${snapshot}; its database is unknown`);
  const { build, pending } = content;
  if (build?.snapshot !== snapshot)
    return wrong(
      `${out} holds ${snapshot}, which was not built from this database`,
      '"awards build" replaces it',
    );
  if (pending > 0)
    return note(
      `${out} is ${counted(pending, 'change')} behind the database`,
      '"awards build" brings it up to date',
    );
  return fine(`${out} holds ${snapshot}, up to date with the database`);
}

/** One finding per layer: whether all its files are there, made from the snapshot. */
export function checkLayers(out: string, snapshot: string | undefined): Promise<Finding[]> {
  return Promise.all(
    layerNames.map((layer) =>
      checkLayer(resolve(out), layer, snapshot).catch((error: unknown) => unreadable(layer, out, error)),
    ),
  );
}

async function checkLayer(root: string, layer: LayerName, snapshot: string | undefined): Promise<Finding> {
  const { fine, note, wrong, skipped } = findingsAbout(layer);
  const making = '"awards build" makes them';
  if (snapshot === undefined) return skipped('they are made from a snapshot');
  const file = join(root, layerIndexPath(layer));
  const bytes = readIfPresent(file);
  if (bytes === undefined) return note('there are none', making);
  const index = parseLayerIndex(layer, bytes, nodeDigest);
  const repairing = '"awards build" repairs it';
  if (index === undefined) return wrong('the index is damaged, or of another version', repairing);
  if (index.pending) return note('an update was interrupted, or is running', making);
  if (index.manifest.snapshot !== snapshot) return note('they are of an earlier snapshot', making);
  const damage = await damagedLayerFiles(root, index).then(
    ([damaged]) => damaged && `${damaged} is missing or damaged`,
    (error: unknown) => {
      if (error instanceof SnapshotUnavailable) return `the index is damaged: ${reasonOf(error)}`;
      throw error;
    },
  );
  if (damage === undefined) return fine('every file is whole, and up to date with the snapshot');
  const isReplaced = readIfPresent(file)?.equals(bytes) === false;
  return isReplaced ? note('an update is running', making) : wrong(damage, repairing);
}
