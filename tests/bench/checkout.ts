/** A checkout of the project, used only through its command line and over HTTP: any commit will do. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { project as projectFolder } from '../support/project.ts';
import { type Finished, nodeFlags, runNode, type ServerChild, startNode } from './children.ts';

/** The command line, and where it was in older commits. */
const commandLines = ['build/cli/main.ts', 'build/cli.ts'];

/** A module that makes Node report its peak of resident memory at exit. */
const reportPeak = `data:text/javascript,${encodeURIComponent(
  "import {writeSync} from 'node:fs';process.on('exit',()=>writeSync(2,'peak '+process.resourceUsage().maxRSS+' kB'))",
)}`;

const withoutLimits = { AWARDS_RATE_LIMIT: '0', AWARDS_WRITE_RATE_LIMIT: '0' };

interface ServiceOptions {
  environment?: Readonly<Record<string, string>>;
  /** The file that takes the ids of processes of a control group. */
  memoryGroup?: string | undefined;
  signal?: 'SIGTERM' | 'SIGKILL';
}

export class Checkout {
  readonly root: string;
  readonly #commandLine: string;

  /** @throws Error if the folder has no command line of the project */
  constructor(root: string) {
    this.root = root;
    const found = commandLines.find((path) => existsSync(join(root, path)));
    if (found === undefined) throw new Error(`${root} has neither ${commandLines.join(' nor ')}`);
    this.#commandLine = found;
  }

  /** Runs a command. @param exitCodes those that are no failure */
  async run(args: readonly string[], exitCodes = [0]): Promise<Finished & { peakBytes: number }> {
    const command = [...nodeFlags, '--import', reportPeak, this.#commandLine, ...args];
    const finished = await runNode(command, this.root, exitCodes);
    return { ...finished, peakBytes: Number(/peak (\d+) kB/.exec(finished.stderr)![1]) * 1024 };
  }

  /** Runs "build". @returns what it printed with --json, besides time and memory */
  async build(database: string, out: string, ...options: string[]) {
    const finished = await this.run(['build', '--json', '--db', database, '--out', out, ...options]);
    return { ...finished, report: JSON.parse(finished.stdout) as { scope: string } };
  }

  /** Makes a key for writing. */
  async createKey(database: string, name: string): Promise<string> {
    const { stdout } = await this.run(['keys', 'create', name, '--json', '--db', database]);
    return (JSON.parse(stdout) as { key: string }).key;
  }

  /**
   * Starts "serve" without downloads. @param database a missing file: only reading
   * @param environment replaces the variables that turn off the rate limits
   * @param signal ends the process
   */
  async serve(
    database: string,
    out: string,
    { environment = withoutLimits, memoryGroup, signal = 'SIGTERM' }: ServiceOptions = {},
  ): Promise<ServerChild & { pid: number }> {
    const options = ['--port', '0', '--json', '--no-downloads', '--db', database, '--out', out];
    const { line, stop, pid } = await startNode([this.#commandLine, 'serve', ...options], {
      cwd: this.root,
      env: { ...process.env, ...environment },
      signal,
      memoryGroup,
    });
    return { origin: (JSON.parse(line) as { address: string }).address, stop, pid };
  }
}

/** This checkout. */
export const project = new Checkout(projectFolder);
