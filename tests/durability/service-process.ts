/** The service as a user starts it, in a process of its own that can be killed. */
import type { ChildProcess } from 'node:child_process';
import { addressOf, startAwards } from '../command-line/awards.ts';
import type { Place } from './place.ts';

const environment = { AWARDS_RATE_LIMIT: '0', AWARDS_WRITE_RATE_LIMIT: '0' };

export class ServiceProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  /** Where it listens, as soon as it does. Rejects if it ends before. */
  readonly address: Promise<string>;
  /** What it complained of. */
  complaints = '';

  constructor({ db, out }: Pick<Place, 'db' | 'out'>, further: Record<string, string> = {}) {
    const words = ['serve', '--no-downloads', '--db', db, '--out', out, '--port', '0'];
    this.#child = startAwards(words, { ...environment, ...further });
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.complaints += text;
    });
    this.#ended = new Promise((resolve) => this.#child.on('close', (code) => resolve(code)));
    this.address = addressOf(this.#child);
    // Whoever kills it early does not wait for an address.
    this.address.catch(() => {});
  }

  /** Ends it at once, whatever it is doing. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Stops its clock, so to speak: it does nothing more, and lets go of nothing, until it may go on. */
  halt(): void {
    this.#child.kill('SIGSTOP');
  }

  goOn(): void {
    this.#child.kill('SIGCONT');
  }

  /** Asks it to end. @returns its exit code */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.#ended;
  }
}
