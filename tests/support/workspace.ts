/**
 * A database and its snapshot before any write, copied for each test case; the client of its service; and the checks of what a
 * case leaves.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import type { LayerName } from '../../api/contract/layers.ts';
import { layersOf } from '../../build/derived/layers.ts';
import { layersLockName, OutputFolder } from '../../build/snapshot/output-folder.ts';
import { verify } from '../../build/verify.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { writeDatabase } from '../records/databases.ts';
import { faultsOf } from '../records/named-files.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { readTree, type Tree, writeTree } from '../records/tree.ts';
import { build } from '../records/build.ts';
import { HistoryReplay } from './history-replay.ts';

/** A database and its snapshot in one folder. */
export interface Workspace {
  /** Holds the database and the snapshot, and nothing else. */
  folder: string;
  db: string;
  out: string;
}

export const workspaceIn = (folder: string): Workspace => ({
  folder,
  db: join(folder, 'awards.db'),
  out: join(folder, 'dist'),
});

/** Works on the database with a connection of its own. */
export async function withDatabase<T>(
  { db }: Pick<Workspace, 'db'>,
  work: (connection: Connection) => T,
): Promise<Awaited<T>> {
  const connection = openDatabase(db, { mustExist: true });
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}

/** The layers that `serve --no-downloads` keeps up to date. */
export const servedLayers = ['site', 'pages', 'lists', 'by-imdb'] as const;

export class Fixture {
  readonly #original: Workspace;
  readonly #tree: Tree;

  private constructor(original: Workspace, tree: Tree) {
    this.#original = original;
    this.#tree = tree;
  }

  /** @param layers the layers that are made with the snapshot */
  static async prepare(folder: string, layers: readonly LayerName[] = ['pages']): Promise<Fixture> {
    const original = workspaceIn(folder);
    mkdirSync(folder, { recursive: true });
    writeDatabase(original.db, (connection) => {
      fillWithTinyRecord(connection);
      addKey(connection);
    });
    await withDatabase(original, (connection) => build(connection, original.out, { layers }));
    return new Fixture(original, readTree(original.out));
  }

  /** Replaces a folder by a copy. @param out of the snapshot, default in the folder */
  copyTo(folder: string, out = workspaceIn(folder).out): Workspace {
    const workspace = { ...workspaceIn(folder), out };
    mkdirSync(folder, { recursive: true });
    for (const suffix of ['-wal', '-shm']) rmSync(`${workspace.db}${suffix}`, { force: true });
    copyFileSync(this.#original.db, workspace.db);
    // The database knows its snapshots by their folders.
    const connection = new Database(workspace.db);
    connection.prepare('UPDATE builds SET out = ?').run(out);
    connection.close();
    writeTree(out, this.#tree);
    return workspace;
  }

  /** A replay that starts from the record of the fixture. */
  replay(): Promise<HistoryReplay> {
    return withDatabase(this.#original, (connection) => new HistoryReplay(connection));
  }
}

/** The key of the client. */
export function addKey(connection: Connection): void {
  const digest = createHash('sha256').update(apiKey).digest('hex');
  connection
    .prepare('INSERT INTO api_keys (name, digest, created_at) VALUES (?, ?, ?)')
    .run('editor', digest, '2025-01-02T03:04:05.678Z');
}

/** Differences between a folder at rest and a clean build of the database, and receipts without a build; a line each. */
export async function faultsAtRest(
  connection: Connection,
  out: string,
  layers: readonly LayerName[] = ['pages'],
): Promise<string[]> {
  // Derived files follow the snapshot later.
  const { differences } = await verify(connection, out, layersOf(layers), { optional: layers });
  const waiting = connection.prepare('SELECT count(*) FROM receipts WHERE rebuild_id IS NULL').pluck().get();
  return [
    ...differences.map(({ path, problem }) => `${problem} ${path}`),
    ...faultsOf(readTree(out)),
    ...(waiting === 0 ? [] : [`${waiting} receipts know of no build`]),
  ];
}

/** Waits until the folder is that of a clean build, without another write. */
export const expectAtRestSoon = (
  workspace: Workspace,
  layers: readonly LayerName[] = servedLayers,
): Promise<void> =>
  expect
    .poll(() => withDatabase(workspace, (connection) => faultsAtRest(connection, workspace.out, layers)), {
      timeout: 120_000,
      interval: 100,
    })
    .toEqual([]);

/** Faults a reader can meet after a kill: a manifest that is cut short, or names a file that is missing; a line each. */
export function faultsBetween(out: string): string[] {
  // The process that updates layers may outlive a killed service for a moment.
  const unlock = new OutputFolder(out).lock(layersLockName, 30_000);
  const tree = readTree(out);
  unlock();
  if (!tree.has('manifest.json')) return [];
  // Layers may be ahead of the manifest, and unnamed files do no harm.
  const snapshot = new Map([...tree].filter(([path]) => !path.startsWith('layers/')));
  return faultsOf(snapshot).filter((fault) => !fault.endsWith('by nothing'));
}

/** An answer. */
export interface Reply {
  status: number;
  headers: Partial<Record<string, string>>;
  body: Buffer;
}

/** The x-api-key of these tests. */
export const apiKey = 'the key of the durability tests';

const maxAnswerMs = 30_000;

/** An HTTP client whose requests always end: with an answer, or with an error. */
export class Client {
  readonly #address: string;

  /** @param address such as http://127.0.0.1:3000 */
  constructor(address: string) {
    this.#address = address;
  }

  get = (path: string): Promise<Reply> => this.send('GET', path);

  /** @returns the parsed body of an answer to GET */
  async read(path: string): Promise<Record<string, unknown>> {
    return JSON.parse((await this.get(path)).body.toString()) as Record<string, unknown>;
  }

  /** Whether the service works and its snapshot holds everything committed. */
  async isCurrent(): Promise<boolean> {
    const { status, writes_pending } = await this.read('/readyz');
    return status === 'ready' && writes_pending === 0;
  }

  receipts = (): Promise<Reply> => this.send('GET', '/receipts');

  /** POST to a collection, PATCH to a record. */
  write = (path: string, body: object): Promise<Reply> =>
    this.send(/\/[0-9]+$/.test(path) ? 'PATCH' : 'POST', path, body);

  /** @param body sent as JSON */
  async send(method: string, path: string, body?: object): Promise<Reply> {
    const response = await fetch(`${this.#address}${path}`, {
      method,
      headers: {
        'accept-encoding': 'identity',
        'x-api-key': apiKey,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(maxAnswerMs),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes };
  }
}

/** Whether a request failed because the service is gone: no connection, or one that broke. */
export const isGone = (error: unknown): boolean =>
  error instanceof TypeError && /fetch failed|terminated/.test(error.message);
