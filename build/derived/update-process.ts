/**
 * Runs updates of layers in a process with the lowest priority, so that reads and writes never wait for them. The process ends
 * after some seconds without an update: compiled code takes half the time for the next one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { LayerName } from '../../api/contract/layers.ts';
import type { LayerOptions } from './all.ts';

interface Running {
  child: ChildProcess;
  /** What it wrote to stderr. */
  messages: string[];
  /** Resolves when the process has ended, with its code or signal. */
  ended: Promise<string>;
}

export class UpdateProcess {
  readonly #arguments: readonly string[];
  #running: Running | undefined;
  #isStopped = false;

  constructor(out: string, options: LayerOptions) {
    this.#arguments = [out, JSON.stringify(options)];
  }

  /** Of the process; undefined if there is none. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  /**
   * Runs one update. The caller waits for the one before.
   * @param check whether every file is compared with the index
   * @throws the error of the update; none if it is stopped
   */
  async run(layers: readonly LayerName[], check: boolean): Promise<void> {
    for (const isLast of [false, true]) {
      if (this.#isStopped) return;
      this.#running ??= this.#start();
      const { child, ended, messages } = this.#running;
      const answered = once(child, 'message').then(([error]) => ({ error: error as string | null }));
      // Where nothing can be sent, the process has ended.
      if (child.connected) child.send({ layers, check }, () => {});
      const outcome = await Promise.race([answered, ended]);
      if (typeof outcome === 'object' && outcome.error === null) return;
      // It was idle, or Ctrl-C ended all processes of the service, which still updates layers when it stops.
      if (!isLast && typeof outcome === 'string' && /^(code 0|SIGINT|SIGTERM)$/.test(outcome)) continue;
      if (this.#isStopped) return;
      const reason =
        typeof outcome === 'object'
          ? outcome.error
          : messages.join('') || `the process ended with ${outcome}`;
      throw new Error(`the derived files could not be updated: ${reason}`);
    }
  }

  /** Ends the process for good, also during an update. The next service finishes a layer that was interrupted. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#running?.child.kill();
    await this.#running?.ended;
  }

  #start(): Running {
    const script = fileURLToPath(new URL('./update-process.mjs', import.meta.url));
    const child = spawn(process.execPath, [script, ...this.#arguments], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    lowerPriority(child.pid);
    const ended = new Promise<string>((settle) => {
      const end = (reason: string) => {
        if (this.#running?.child === child) this.#running = undefined;
        settle(reason);
      };
      child.once('close', (code, signal) => end(signal ?? `code ${code}`));
      child.once('error', ({ message }) => end(message));
    });
    const messages: string[] = [];
    child.stderr?.setEncoding('utf8').on('data', (text: string) => messages.push(text));
    return { child, messages, ended };
  }
}

/** To be called right after the start: new threads inherit the priority. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Not every system allows it.
  }
}
