/** A small record, the folder of its snapshot, and a fake Netlify, new for every test of a file. */
import { rmSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import {
  type LayerName,
  layerIndexPath,
  layerIndexText,
  parseLayerIndex,
} from '../../api/contract/layers.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { type PublishOptions, type PublishReport, publish } from '../../build/publish/publish.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { Fixture } from '../durability/fixture.ts';
import { differencesOf, readTree, type Tree } from '../snapshot/tree.ts';
import { temporaryFolder, useWorkspace } from '../support/temporary-folder.ts';
import { build as buildLayers } from '../support/build.ts';
import { DeployApi } from './deploy-api.ts';

/** Builds the snapshot, the pages, the site and the lists, and the downloads if they are wanted. */
export async function build(connection: Connection, out: string, more: LayerName[] = []) {
  const layers = ['site', 'pages', 'lists', ...more] as const;
  await buildLayers(connection, out, { layers });
  // The second build removes the shards that the layers needed until they caught up.
  return buildLayers(connection, out, { layers });
}

/** Short pauses. */
export const quick = {
  retry: { attempts: 6, minPauseMs: 2, maxPauseMs: 10, requestTimeoutMs: 2000, timeLimitMs: 30_000 },
  interval: 0,
} satisfies Partial<PublishOptions>;

export class Stage {
  readonly at: (name: string) => string;
  api!: DeployApi;
  connection!: Connection;
  #edits = 0;

  constructor(at: (name: string) => string) {
    this.at = at;
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

  get database(): string {
    return this.at('awards.db');
  }
  get out(): string {
    return this.at('dist');
  }
  /** What publish() needs besides `connection`. */
  get options() {
    return { ...this.api.account, ...quick, out: this.out, project: this.at('project') };
  }

  build(more: LayerName[] = []): Promise<{ snapshot: string }> {
    return build(this.connection, this.out, more);
  }

  /** Changes the title of a film, which changes a handful of files, and builds. */
  async edit(title = `Title ${++this.#edits}`, more: LayerName[] = []): Promise<{ snapshot: string }> {
    this.connection.prepare('UPDATE movies SET title = ? WHERE id = 1').run(title);
    return this.build(more);
  }

  publish(options: Partial<PublishOptions> = {}): Promise<PublishReport> {
    return publish({ ...this.options, connection: this.connection, ...options });
  }

  /** The files of the folder without those of publishes to it. */
  tree(): Tree {
    return publicFiles(this.out);
  }

  /** The files of the site without the host's configuration. */
  liveTree(): Tree {
    const live = this.api.live() ?? new Map<string, Buffer>();
    return new Map([...live].filter(([path]) => !/^netlify\.toml$|^\.netlify\//.test(path)));
  }

  /** Fails unless the site shows exactly one of these trees. */
  expectLive(...trees: readonly Tree[]): void {
    const faults = trees.map((tree) => differencesOf(this.liveTree(), tree));
    expect(faults.find((lines) => lines.length === 0) ?? faults).toEqual([]);
    expect(this.api.offences).toEqual([]);
  }

  deployStates(): string[] {
    return [...this.api.deploys.values()].map(({ state }) => state);
  }
}

/** What is published of a folder: not the editor, which the index of the site does not name then. */
export function publicFiles(root: string): Tree {
  const isPublished = (path: string) => !/^(\.awards\.|edit\/)/.test(path);
  const tree = new Map([...readTree(root)].filter(([path]) => isPublished(path)));
  const path = layerIndexPath('site');
  const index = parseLayerIndex('site', tree.get(path) ?? Buffer.from(''), nodeDigest);
  const files = new Map([...(index?.files ?? [])].filter(([own]) => isPublished(own)));
  return index ? tree.set(path, Buffer.from(layerIndexText({ ...index, files }, nodeDigest))) : tree;
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
