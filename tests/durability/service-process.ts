/** The service in a process of its own that can be killed. */
import type { ChildProcess } from 'node:child_process';
import { afterAll } from 'vitest';
import { addressOf, startAwards } from '../support/processes.ts';
import { Client, type Workspace } from '../support/workspace.ts';

const environment = { AWARDS_RATE_LIMIT: '0', AWARDS_WRITE_RATE_LIMIT: '0' };

/** A failed test leaves some running. */
const started: ServiceProcess[] = [];
afterAll(() => Promise.all(started.map((service) => service.kill())));

export class ServiceProcess {
  readonly #child: ChildProcess;
  /** Its exit code, when it ends. */
  readonly ended: Promise<number | null>;
  /** Its client, as soon as it listens. Rejects if it ends before. */
  readonly client: Promise<Client>;
  /** What it wrote to stderr. */
  stderr = '';

  /** @param options of the command @param extra environment variables */
  constructor(
    { db, out }: Pick<Workspace, 'db' | 'out'>,
    options: readonly string[] = ['--no-downloads'],
    extra: Record<string, string> = {},
  ) {
    const words = ['serve', ...options, '--db', db, '--out', out, '--port', '0'];
    this.#child = startAwards(words, { ...environment, ...extra });
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve) => this.#child.on('close', (code) => resolve(code)));
    this.client = addressOf(this.#child).then((address) => new Client(address));
    // A test that kills it early does not await the client.
    this.client.catch(() => {});
    started.push(this);
  }

  /** Sends a signal. After SIGSTOP it keeps its locks until SIGCONT. */
  signal = (signal: NodeJS.Signals): boolean => this.#child.kill(signal);

  /** Kills it at once. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  /** Asks it to end. @returns its exit code */
  stop(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.ended;
  }
}
