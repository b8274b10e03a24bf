/** A small record, its folder, and a host to publish it to, anew for every test of a file. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect } from 'vitest';
import { build } from '../support/build.ts';
import { type PublishOptions, type PublishReport, publish } from '../../build/publish/publish.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { differencesOf, readTree, type Tree } from '../snapshot/tree.ts';
import { useWorkspace } from '../snapshot/workspace.ts';
import { DeployApi } from './deploy-api.ts';

/** Quick enough for a test: real pauses, but short ones. */
export const quick = {
  pace: { attempts: 6, minPauseMs: 2, maxPauseMs: 10, requestLimit: 2000, timeLimit: 30_000 },
  interval: 0,
  liveTimeoutMs: 5000,
} satisfies Partial<PublishOptions>;

export class Stage {
  readonly at: (name: string) => string;
  api!: DeployApi;
  connection!: Connection;
  #edits = 0;

  constructor(at: (name: string) => string) {
    this.at = at;
  }

  async open(): Promise<void> {
    this.api = await DeployApi.start();
    this.connection = openDatabase(this.database);
    fillWithTinyRecord(this.connection);
    await this.build();
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

  build(): Promise<{ snapshot: string }> {
    return build(this.connection, this.out);
  }

  /** Changes a title, which changes a handful of files, and builds. */
  async edit(): Promise<{ snapshot: string }> {
    this.#edits += 1;
    this.connection.prepare('UPDATE movies SET title = ? WHERE id = 1').run(`Title ${this.#edits}`);
    return this.build();
  }

  publish(options: Partial<PublishOptions> = {}): Promise<PublishReport> {
    const { api, out, connection } = this;
    return publish({ ...api.account, ...quick, out, connection, project: this.at('project'), ...options });
  }

  /** The folder as it is to be live. */
  tree(): Tree {
    return readTree(this.out);
  }

  /** What the site shows, besides rules. */
  liveTree(): Tree {
    const live = this.api.live() ?? new Map<string, Buffer>();
    return new Map([...live].filter(([path]) => !/^netlify\.toml$|^\.netlify\//.test(path)));
  }

  /** Fails unless the site shows one of some trees, whole. */
  expectLive(...trees: readonly Tree[]): void {
    const faults = trees.map((tree) => differencesOf(this.liveTree(), tree));
    expect(faults.find((lines) => lines.length === 0) ?? faults).toEqual([]);
    expect(this.api.offences).toEqual([]);
  }
}

/** Call it once, at the top of a test file. */
export function useStage(): Stage {
  const stage = new Stage(useWorkspace());
  beforeEach(() => stage.open());
  afterEach(() => stage.close());
  return stage;
}
