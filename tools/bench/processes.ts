/** What the bench works with: processes of this and other checkouts, an HTTP client, the records in a temporary folder. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openDatabase } from '../../data/database/open.ts';
import { loadPlainRecord, type PlainRecord } from '../../tests/records/record.ts';
import { project as projectFolder } from '../../tests/support/project.ts';
import { hasRealRecord, realRecordPath } from '../../tests/records/real-record.ts';
import type { Tasks } from './child.ts';

/** The flags of package.json; every server gets them, ours or not. */
const nodeFlags = ['--single-threaded-gc', '--max-semi-space-size=4'];
const throughTsx = ['--import', 'tsx'];
const childScript = fileURLToPath(new URL('child.ts', import.meta.url));

// No limits: the bench has one address and one key.
Object.assign(process.env, { AWARDS_RATE_LIMIT: '0', AWARDS_WRITE_RATE_LIMIT: '0' });

/** Runs Node to its end. @param input of its standard input @returns its output and milliseconds. @throws Error if it fails */
async function runNode(args: readonly string[], cwd: string, input = '') {
  const start = performance.now();
  const running = promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 2 ** 26 });
  running.child.stdin!.end(input);
  const { stdout } = await running;
  return { stdout, elapsed: performance.now() - start };
}

export interface Server {
  origin: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts a server in a process of its own, which prints its port or its address. @param input of its standard input */
async function startServer(args: readonly string[], cwd: string, input = ''): Promise<Server> {
  const command = [...nodeFlags, ...args];
  const child = spawn(process.execPath, command, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  const kill = () => void child.kill();
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as number | { address: string };
    const origin = typeof said === 'number' ? `http://127.0.0.1:${said}` : said.address;
    return { origin, pid: child.pid!, stop };
  }
  throw new Error(`node ${args.join(' ')} ended before it printed a line`);
}

/** Runs a task of child.ts in a new process. @returns its result */
export async function runTask<Name extends keyof Tasks>(
  task: Name,
  input: Parameters<Tasks[Name]>[0],
): Promise<Awaited<ReturnType<Tasks[Name]>>> {
  const text = JSON.stringify({ task, input });
  const { stdout } = await runNode([...throughTsx, childScript], projectFolder, text);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
}

/** Starts a task of child.ts that serves on the loopback address. */
export const startTask = <Name extends 'serve' | 'serveBare' | 'serveSql'>(
  task: Name,
  input: Parameters<Tasks[Name]>[0],
): Promise<Server> =>
  startServer([...throughTsx, childScript], projectFolder, JSON.stringify({ task, input }));

/** How "npm run awards" of a checkout starts: compiled, or, before that was possible, through tsx. */
const commandLines = [['build/program/run.mjs'], [...throughTsx, 'build/cli/main.ts']];

/** A checkout of the project, used only through its command line and over HTTP: any commit will do. */
export class Checkout {
  readonly root: string;
  readonly #commandLine: readonly string[];

  /** @throws Error if the folder has no command line of the project */
  constructor(root: string) {
    this.root = root;
    const found = commandLines.find((words) => existsSync(join(root, words.at(-1)!)));
    if (!found) throw new Error(`${root} has no command line of the project`);
    this.#commandLine = found;
  }

  /** Runs a command. */
  run(...args: string[]) {
    return runNode([...nodeFlags, ...this.#commandLine, ...args], this.root);
  }

  /** @returns milliseconds */
  async build(database: string, out: string, ...options: string[]): Promise<number> {
    return (await this.run('build', '--json', '--db', database, '--out', out, ...options)).elapsed;
  }

  /** Makes a key for writing. */
  async createKey(database: string): Promise<string> {
    const { stdout } = await this.run('keys', 'create', 'bench', '--json', '--db', database);
    return (JSON.parse(stdout) as { key: string }).key;
  }

  /** Starts "serve" without downloads. @param database a missing file: only reading */
  serve(database: string, out: string): Promise<Server> {
    const options = ['--port', '0', '--json', '--no-downloads', '--db', database, '--out', out];
    return startServer([...this.#commandLine, 'serve', ...options], this.root);
  }
}

/** This checkout. */
export const project = new Checkout(projectFolder);

/** The text at an address, read to the last byte. @throws Error unless the status is 200 */
export async function read(address: string, init?: RequestInit): Promise<string> {
  const response = await fetch(address, init);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${address}: ${response.status} ${text}`);
  return text;
}

/** The temporary folder of the bench, with the public record, or a generated one of its size; each thing is made at its first use. */
export class Workplace {
  readonly #root = mkdtempSync(join(tmpdir(), 'awards-bench-'));
  readonly #made = new Map<string, unknown>();
  #paths = 0;

  readonly name = hasRealRecord ? 'the public record' : 'a generated record';
  /** The command that fills a database. */
  readonly filling = hasRealRecord ? ['import', realRecordPath] : ['generate', '--scale', '1', '--seed', '1'];

  /** A path that does not exist yet. Nothing is deleted before the end: deleting slows the next writes down. */
  newPath(name: string): string {
    this.#paths += 1;
    return join(this.#root, `${this.#paths}-${name}`);
  }

  database(): Promise<string> {
    return this.#once('database', async () => {
      const database = this.newPath('awards.db');
      await project.run(...this.filling, '--db', database);
      return database;
    });
  }

  record(): Promise<PlainRecord> {
    return this.#once('record', async () => {
      const connection = openDatabase(await this.database());
      const record = loadPlainRecord(connection);
      connection.close();
      return record;
    });
  }

  /** The folder that "build" made. */
  tree(): Promise<string> {
    return this.#once('tree', async () => {
      const out = this.newPath('snapshot');
      await project.build(await this.database(), out);
      return out;
    });
  }

  /** The database of the SQL alternative. */
  sqlDatabase(): Promise<string> {
    return this.#once('sql', async () => {
      const file = this.newPath('alternative.db');
      await runTask('makeSql', { from: await this.database(), to: file });
      return file;
    });
  }

  /** Removes everything. */
  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  #once<T>(name: string, make: () => Promise<T>): Promise<T> {
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name) as Promise<T>;
  }
}
