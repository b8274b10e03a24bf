/** A small record, the folder of its snapshot, and a fake Netlify, new for every test of a file. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { layerIndexFiles } from '../../api/contract/layer-index.ts';
import { isLayerPart, type LayerName, layerIndexPath, layerNames } from '../../api/contract/layers.ts';
import { manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { shardsOf } from '../../api/read/walk.ts';
import { type ContinuedOptions, folderTarget } from '../../build/publish/continued-target.ts';
import {
  type NetlifyOptions,
  NetlifyTarget,
  type PublishReport,
} from '../../build/publish/netlify-target.ts';
import { type Plan, type PublishOptions, publish } from '../../build/publish/publish.ts';
import { readLayerIndex } from '../../build/snapshot/named-files.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { build as buildLayers } from '../records/build.ts';
import { differencesOf, readTree, type Tree } from '../records/tree.ts';
import { temporaryFolder, useWorkspace } from '../support/temporary-folder.ts';
import { Fixture } from '../support/workspace.ts';
import { DeployApi } from '../support/deploy-api.ts';
import { historyFaults, isOfHistory } from './history.ts';

/** Builds the snapshot, the pages, the site and the lists, and the downloads if there are any, or they are wanted. */
export async function build(connection: Connection, out: string, withDownloads = false): Promise<void> {
  const hasDownloads = withDownloads || existsSync(join(out, layerIndexPath('downloads')));
  const layers: LayerName[] = ['site', 'pages', 'lists', ...(hasDownloads ? (['downloads'] as const) : [])];
  await buildLayers(connection, out, { layers });
}

/** Short pauses. */
const quick = {
  retry: { attempts: 6, minPauseMs: 2, maxPauseMs: 10, requestTimeoutMs: 2000, timeLimitMs: 30_000 },
  interval: 0,
} satisfies Partial<StageOptions>;

export type StageOptions = PublishOptions & NetlifyOptions;

/** Publishes to Netlify. */
export const publishToNetlify = async (options: StageOptions): Promise<PublishReport> =>
  (await publish(options, new NetlifyTarget(options))).outcome!;

export class Stage {
  readonly at: (name: string) => string;
  readonly database: string;
  readonly out: string;
  /** Another folder to publish to. */
  readonly to: string;
  api!: DeployApi;
  connection!: Connection;
  #edits = 0;

  constructor(at: (name: string) => string) {
    this.at = at;
    [this.database, this.out, this.to] = [at('awards.db'), at('dist'), at('elsewhere')];
  }

  async open(fixture: Fixture): Promise<void> {
    this.api = await DeployApi.start();
    fixture.copyTo(this.at('.'));
    this.connection = openDatabase(this.database);
  }

  async close(): Promise<void> {
    this.connection.close();
    await this.api.stop();
    rmSync(this.at('.'), { recursive: true, force: true });
  }

  /** What publish() needs besides `connection`. */
  get options() {
    return { account: this.api.account, ...quick, out: this.out, project: this.at('project') };
  }

  /** Changes the title of a film, which changes a handful of files, and builds. */
  async edit(title = `Title ${++this.#edits}`, withDownloads = false): Promise<void> {
    this.connection.prepare('UPDATE movies SET title = ? WHERE id = 1').run(title);
    await build(this.connection, this.out, withDownloads);
  }

  removeDownloads(): void {
    for (const path of ['downloads', 'layers/downloads', 'layers/downloads.json'])
      rmSync(join(this.out, path), { recursive: true, force: true });
  }

  publish(options: Partial<StageOptions> = {}): Promise<PublishReport> {
    return publishToNetlify({ ...this.options, connection: this.connection, ...options });
  }

  /** What publish() would do at Netlify. */
  async plan(options: Partial<StageOptions> = {}): Promise<Plan> {
    const own = { ...this.options, connection: this.connection, dryRun: true, ...options };
    return (await publish(own, new NetlifyTarget(own))).plan;
  }

  /** Publishes to the other folder. @returns the numbers of files that it writes and removes, and their bytes */
  async copy(options: Partial<PublishOptions & ContinuedOptions> = {}) {
    const own = { out: this.out, to: this.to, connection: this.connection, ...options };
    const { snapshot, total, files, removed, behind } = (await publish(own, folderTarget(own))).plan;
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return { snapshot, total, written: files.length, removed: removed.length, bytes, behind };
  }

  /** What is published of a folder: no shard of an earlier snapshot, which may stay for a while. */
  tree(out = this.out): Tree {
    const tree = publicFiles(out);
    const manifest = parseManifest(tree.get(manifestPath)!, nodeDigest)!;
    const named = new Set([...shardsOf(manifest)].map(({ path }) => path));
    return new Map([...tree].filter(([path]) => !path.startsWith('shards/') || named.has(path)));
  }

  /** The files of the site without the host's configuration and the history. */
  liveTree(): Tree {
    const live = this.api.live() ?? new Map<string, Buffer>();
    return new Map(
      [...live].filter(([path]) => !/^netlify\.toml$|^\.netlify\//.test(path) && !isOfHistory(path)),
    );
  }

  /** Fails unless the site shows exactly one of these trees. */
  expectLive(...trees: readonly Tree[]): void {
    const faults = trees.map((tree) => differencesOf(this.liveTree(), tree));
    expect(faults.find((lines) => lines.length === 0) ?? faults).toEqual([]);
    expect(historyFaults(this.api.live() ?? new Map())).toEqual([]);
    expect(this.api.offences).toEqual([]);
  }
}

/** What is published of a build: not the history and not the editor, which the index of the site does not name then, nor the files of IMDb ids. */
export function publicFiles(root: string): Tree {
  const isPublished = (path: string) =>
    !/^(\.awards\.|edit\/|(layers\/)?by-imdb\b)/.test(path) && !isOfHistory(path);
  const tree = new Map([...readTree(root)].filter(([path]) => isPublished(path)));
  for (const path of [...tree.keys()].filter(isLayerPart)) tree.delete(path);
  for (const layer of layerNames.filter((name) => tree.has(layerIndexPath(name)))) {
    const index = readLayerIndex(root, layer);
    const files = new Map([...(index?.files ?? [])].filter(([own]) => isPublished(own)));
    for (const [path, text] of index ? layerIndexFiles({ ...index, files }, nodeDigest) : [])
      tree.set(path, Buffer.from(text));
  }
  return tree;
}

/** Call it once, at the top of a test file. */
export function useStage(): Stage {
  const stage = new Stage(useWorkspace());
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await Fixture.prepare(temporaryFolder(), ['site', 'pages', 'lists']);
  });
  beforeEach(() => stage.open(fixture));
  afterEach(() => stage.close());
  return stage;
}
