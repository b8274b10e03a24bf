/** The service in a process of its own that can be killed. */
import type { ChildProcess } from 'node:child_process';
import { addressOf, startAwards } from '../support/processes.ts';
import type { Workspace } from './workspace.ts';

const environment = { AWARDS_RATE_LIMIT: '0', AWARDS_WRITE_RATE_LIMIT: '0' };

export class ServiceProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  /** Where it listens, as soon as it does. Rejects if it ends before. */
  readonly address: Promise<string>;
  /** What it wrote to stderr. */
  stderr = '';

  /** @param options of the command */
  constructor({ db, out }: Pick<Workspace, 'db' | 'out'>, options: readonly string[] = ['--no-downloads']) {
    const words = ['serve', ...options, '--db', db, '--out', out, '--port', '0'];
    this.#child = startAwards(words, environment);
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.#ended = new Promise((resolve) => this.#child.on('close', (code) => resolve(code)));
    this.address = addressOf(this.#child);
    // A test that kills it early does not await the address.
    this.address.catch(() => {});
  }

  /** Kills it at once. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Suspends it; it keeps its locks until `resume`. */
  suspend(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** Asks it to end. @returns its exit code */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.#ended;
  }
}
