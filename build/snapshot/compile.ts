/**
 * Turns a database into a snapshot. Full and incremental builds are this one path: shards first, of all records or of the
 * changed ones; then pages, all or the touched ones, each the resolver's own answer at its address from the new shards; then
 * the manifest. The result depends on the database alone.
 */
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import { documentGroup } from '../../api/contract/pages.ts';
import {
  contentHash,
  type Directory,
  type FamilyName,
  type ManifestFamily,
  manifestFamilies,
  manifestPath,
  manifestText,
  searchGroup,
  shardPath,
} from '../../api/contract/snapshot.ts';
import { tokens } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { answerQuestion } from '../../api/read/question.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { Change } from '../../data/changes.ts';
import { recordExists } from '../../data/edits.ts';
import type { Connection } from '../../data/open.ts';
import { countRecords, searchedResources, searchedText, searchedTexts } from '../../data/records.ts';
import type { Backlog } from './backlog.ts';
import { Directories } from './directories.ts';
import type { Documents } from './documents.ts';
import type { Output } from './output.ts';
import { PageHashes } from './page-hashes.ts';
import { allPages, touchedPages } from '../layers/pages/index.ts';
import { type Page, wholeBuild } from '../layers/pages/page.ts';
import { allBlocks, touchedBlocks } from './blocks.ts';
import { type IndexedField, SearchIndex } from './search-index.ts';
import type { Staging } from './staging.ts';
import { findTouched, idTable } from '../layers/pages/affected.ts';

/** What an incremental build starts from. */
export interface Incremental {
  changes: readonly Change[];
  /** The snapshot in the folder, from the staging of this build. */
  before: Snapshot;
}

export interface FileChange {
  path: string;
  action: 'written' | 'removed';
  cause: string;
}

export interface Compiled {
  snapshot: string;
  files: FileChange[];
  /** Pages rendered, whether or not their bytes were new. */
  rendered: number;
  /** Files of the snapshot; undefined for an incremental build, which does not look at the others. */
  total: number | undefined;
}

export interface CompileOptions {
  connection: Connection;
  output: Output;
  /** What comes with the records; a full build alone writes it, as other documents are other code. */
  documents: Documents;
  /** Where the snapshot is put together: over the folder for an incremental build, over nothing else. */
  staging: Staging;
  /** undefined: build everything. */
  incremental: Incremental | undefined;
  /**
   * Takes what an incremental build does not have to do before every answer comes from the new snapshot: its pages, and the
   * removal of files. Without it the pages are written before the manifest.
   */
  backlog?: Backlog | undefined;
  /** Told how many of about how many pages are done. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Builds a snapshot into an output. The connection should be inside a read transaction. */
export async function compile(options: CompileOptions): Promise<Compiled> {
  const compilation = new Compilation(options);
  return compilation.run();
}

const encoder = new TextEncoder();
const unnamed = 'nothing names it any more';
class Compilation {
  readonly #options: CompileOptions;
  readonly #directories = new Directories();
  readonly #search = new SearchIndex();
  /** Groups of terms that an incremental build has taken over so far. */
  readonly #loadedGroups = new Set<string>();
  readonly #files: FileChange[] = [];
  /** Every path this build put, for a full build to remove the rest. */
  readonly #put = new Set<string>();
  /** Shards and heads of the snapshot before that this build does not name, or has not named yet. */
  readonly #replaced = new Set<string>();
  #rendered = 0;

  constructor(options: CompileOptions) {
    this.#options = options;
  }

  async run(): Promise<Compiled> {
    const { incremental, connection } = this.#options;
    const counts = incremental ? await countsAfter(connection, incremental) : countRecords(connection);
    if (incremental) await this.#loadBefore(incremental);
    if (incremental) await this.#changedShards(incremental);
    else this.#allShards();
    this.#searchShards();
    await this.#pages(counts, incremental);
    const { families, heads } = this.#directories.seal();
    for (const { path, bytes } of heads) this.#stage(path, bytes, 'a shard of its family changed');
    await this.#options.output.flush();
    const { text, snapshot } = manifestText(counts, families, nodeDigest);
    this.#write(manifestPath, encoder.encode(text), 'it names every file of the snapshot');
    await this.#options.output.flush();
    await this.#removeUnnamed();
    return {
      snapshot,
      files: this.#files,
      rendered: this.#rendered,
      total: incremental ? undefined : this.#put.size,
    };
  }

  async #loadBefore({ before }: Incremental): Promise<void> {
    for (const family of manifestFamilies) {
      this.#directories.load(family, await before.directory(family));
      const entry = before.manifest.families[family];
      if ('head' in entry) this.#replaced.add(shardPath(family, entry.head));
    }
  }

  #allShards(): void {
    const { connection } = this.#options;
    for (const { family, key, text } of allBlocks(connection)) this.#setShard(family, key, text, wholeBuild);
    for (const field of searchedResources)
      for (const { id, text } of searchedTexts(connection, field)) this.#search.add(field, id, text);
  }

  async #changedShards({ changes, before }: Incremental): Promise<void> {
    const { connection } = this.#options;
    const changed = new Map<ResourceName, Set<number>>(
      resourceNames.map((resource) => [resource, new Set()]),
    );
    for (const { resource, id } of changes) changed.get(resource)!.add(id);
    for (const { family, key, text } of touchedBlocks(connection, changed))
      this.#setShard(family, key, text, `a record of ${family} changed`);
    for (const field of searchedResources) await this.#changedTerms(field, changed.get(field)!, before);
  }

  /** Loads the groups of terms that the changed texts had or have, and changes them accordingly. */
  async #changedTerms(field: IndexedField, changed: ReadonlySet<number>, before: Snapshot): Promise<void> {
    const table = field === 'movies' ? await before.titles() : await before.names();
    for (const id of changed) {
      const row = table.row(id);
      const old = row < 0 ? '' : (table.text.values[row] ?? '');
      const text = searchedText(this.#options.connection, field, id) ?? '';
      if (old === text) continue;
      for (const term of new Set([...tokens(old), ...tokens(text)]))
        await this.#loadGroup(searchGroup(term), before);
      this.#search.remove(field, id, old);
      this.#search.add(field, id, text);
    }
  }

  async #loadGroup(group: string, before: Snapshot): Promise<void> {
    if (this.#loadedGroups.has(group)) return;
    this.#loadedGroups.add(group);
    for (const hash of (await before.termDirectory(group)).hashes) {
      this.#search.load(await before.termShard(hash));
      this.#replaced.add(shardPath('terms', hash));
    }
  }

  #searchShards(): void {
    for (const { group, shards } of this.#search.shards()) {
      const cause = `words in "${group}" changed`;
      const hashes = shards.map(({ text }) => this.#putShard('terms', text, cause));
      const directory: Directory = { keys: shards.map(({ key }) => key), hashes };
      const text = shards.length === 0 ? undefined : `${JSON.stringify(directory)}\n`;
      this.#setShard('search', group, text, cause);
    }
  }

  #setShard(family: ManifestFamily, key: number | string, text: string | undefined, cause: string): void {
    const old = this.#directories.get(family, key);
    const hash = text === undefined ? undefined : this.#putShard(family, text, cause, old);
    if (hash === old) return;
    if (old !== undefined) this.#replaced.add(shardPath(family, old));
    if (hash === undefined) this.#directories.delete(family, key);
    else this.#directories.set(family, key, hash);
  }

  /**
   * @param old name of the shard in its place until now
   * @returns the name of the shard
   */
  #putShard(family: FamilyName, text: string, cause: string, old?: string): string {
    const bytes = encoder.encode(text);
    const hash = contentHash(bytes, nodeDigest);
    if (hash !== old) this.#stage(shardPath(family, hash), bytes, cause);
    return hash;
  }

  /** Writes a file that is named by its bytes, unless the snapshot before had it. */
  #stage(path: string, bytes: Uint8Array, cause: string): void {
    if (this.#replaced.delete(path)) return;
    this.#options.staging.add(path, bytes);
    this.#write(path, bytes, cause);
  }

  async #pages(counts: Record<ResourceName, number>, incremental: Incremental | undefined): Promise<void> {
    const snapshot = await this.#snapshotOfShards(counts);
    const hashes = new PageHashes(this.#directories, incremental?.before);
    const render = async (page: Page) => {
      const document = await answerQuestion(snapshot, page.question);
      if (document === undefined) throw new Error(`${page.path} has no record`);
      this.#rendered += 1;
      const bytes = this.#options.staging.encode(document.text);
      if (await hashes.set(page.group, page.path, contentHash(bytes, nodeDigest)))
        this.#writePage(page.path, bytes, page.cause);
    };
    if (incremental) {
      const touched = await findTouched(incremental.changes, incremental.before, snapshot);
      for await (const page of touchedPages(touched, incremental.before, snapshot)) {
        if (page.exists) await render(page);
        else if (await hashes.delete(page.group, page.path)) this.#remove(page.path, page.cause);
      }
    } else {
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      for await (const page of allPages(snapshot)) {
        await render(page);
        await this.#options.output.room();
        if (this.#rendered % 512 === 0) this.#options.onProgress?.(Math.min(this.#rendered, total), total);
      }
      for (const [path, bytes] of await this.#options.documents.make()) {
        await hashes.set(documentGroup, path, contentHash(bytes, nodeDigest));
        this.#write(path, bytes, wholeBuild);
      }
    }
    for (const { group, text } of hashes.shards())
      this.#setShard('pages', group, text, 'a page of its group changed');
  }

  /** The new snapshot as far as it is made: its shards, before there are pages and a manifest. */
  #snapshotOfShards(counts: Record<ResourceName, number>): Promise<Snapshot> {
    const { families, heads } = this.#directories.seal();
    for (const head of heads) this.#options.staging.add(head.path, head.bytes);
    const { text } = manifestText(counts, families, nodeDigest);
    return this.#options.staging.assemble(encoder.encode(text));
  }

  #writePage(path: string, bytes: Uint8Array, cause: string): void {
    const { incremental, backlog } = this.#options;
    if (!incremental || !backlog) {
      this.#write(path, bytes, cause);
      return;
    }
    backlog.put(path, bytes);
    this.#files.push({ path, action: 'written', cause });
  }

  #write(path: string, bytes: Uint8Array, cause: string): void {
    this.#put.add(path);
    this.#options.backlog?.forget(path);
    if (this.#options.output.put(path, bytes)) this.#files.push({ path, action: 'written', cause });
  }

  #remove(path: string, cause: string): void {
    const { incremental, backlog, output } = this.#options;
    // What an incremental build removes is there: the snapshot before named it.
    if (incremental && backlog) backlog.remove(path);
    else if (!output.remove(path)) return;
    this.#files.push({ path, action: 'removed', cause });
  }

  /** Removes what the manifest does not name: after a full build whatever else is there, else the shards of before. */
  async #removeUnnamed(): Promise<void> {
    if (this.#options.incremental) {
      for (const path of this.#replaced) this.#remove(path, unnamed);
      return;
    }
    for (const path of await this.#options.output.list())
      if (!this.#put.has(path)) this.#remove(path, 'nothing names it');
  }
}

/** The number of records of each resource, from those before: counting all again takes as long as there are many. */
async function countsAfter(
  connection: Connection,
  { changes, before }: Incremental,
): Promise<Record<ResourceName, number>> {
  const table = await before.nominations();
  const counts = { ...before.manifest.counts };
  for (const { resource, id } of changes) {
    const was = idTable(table, resource).row(id) >= 0;
    counts[resource] += Number(recordExists(connection, resource, id)) - Number(was);
  }
  return counts;
}
