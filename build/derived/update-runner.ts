/**
 * Runs updates of layers in a process of its own, so that reads and writes never wait for them. The process stays for some
 * seconds: compiled code takes half the time for the next update. Updates and checks have the lowest priority, repairs a normal
 * one: a request was just refused for the damaged file, and may be repeated.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { LayerName } from '../../api/contract/layers.ts';
import type { LayerOptions } from './all.ts';

/** "check" and "repair" also compare every file with the index. */
export type UpdateMode = 'update' | 'check' | 'repair';

/** What the process receives. */
interface UpdateTask {
  mode: UpdateMode;
  layers: readonly LayerName[];
}

interface UpdateProcess {
  child: ChildProcess;
  isUrgent: boolean;
  /** What it wrote to stderr. */
  messages: string[];
  /** Resolves when the process has ended. */
  ended: Promise<void>;
}

/** Milliseconds without a task before the process ends. It holds some 200 MB. */
const defaultIdleMs = 10_000;

export class UpdateRunner {
  readonly #arguments: readonly string[];
  readonly #idleMs: number;
  #process: UpdateProcess | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param idleMs milliseconds without a task before the process ends */
  constructor(out: string, options: LayerOptions, idleMs = defaultIdleMs) {
    this.#arguments = [out, JSON.stringify(options)];
    this.#idleMs = idleMs;
  }

  /** Of the process; undefined if there is none, or if it is about to end. */
  get pid(): number | undefined {
    return this.#process?.child.pid;
  }

  /** Runs one update. The caller waits for the one before. @throws the error of the update; none if it is stopped */
  async run(mode: UpdateMode, layers: readonly LayerName[]): Promise<void> {
    clearTimeout(this.#idleTimer);
    const isUrgent = mode === 'repair';
    // Only root may raise a priority.
    if (this.#process?.isUrgent === !isUrgent) await this.#end();
    if (this.#isStopped) return;
    try {
      const attempt = () => {
        this.#process ??= this.#start(isUrgent);
        return answerOf(this.#process, { mode, layers });
      };
      // Ctrl-C and a service manager end all processes of the service, which still updates layers when it stops.
      const signal = (await attempt()) && !this.#isStopped && (await attempt());
      if (signal && !this.#isStopped) throw failure(`the process ended with ${signal}`);
    } finally {
      this.#idleTimer = setTimeout(() => this.#release(), this.#idleMs);
      this.#idleTimer.unref();
    }
  }

  /** Ends the process for good, also during an update. The next service finishes a layer that was interrupted. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#idleTimer);
    await this.#end();
  }

  async #end(): Promise<void> {
    const { child, ended } = this.#process ?? {};
    child?.kill();
    await ended;
  }

  #start(isUrgent: boolean): UpdateProcess {
    const script = fileURLToPath(new URL('./update-process.mjs', import.meta.url));
    const child = spawn(process.execPath, [script, ...this.#arguments], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (!isUrgent) lowerPriority(child.pid);
    const ended = new Promise<void>((resolve) => {
      const end = () => {
        if (this.#process?.child === child) this.#process = undefined;
        resolve();
      };
      child.on('close', end);
      child.on('error', end);
    });
    const messages: string[] = [];
    child.stderr?.setEncoding('utf8').on('data', (text: string) => messages.push(text));
    return { child, isUrgent, messages, ended };
  }

  /** Lets the process end, and forgets it. */
  #release(): void {
    const { child } = this.#process ?? {};
    this.#process = undefined;
    if (child?.connected) child.disconnect();
  }
}

const failure = (reason: string) => new Error(`the derived files could not be updated: ${reason}`);

/**
 * Resolves at the end of a task, or with the signal that asked the process to end before.
 * @throws the error of the task, or how the process ended without one
 */
function answerOf({ child, messages }: UpdateProcess, task: UpdateTask): Promise<NodeJS.Signals | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error, signal?: NodeJS.Signals) => {
      child.off('message', onAnswer).off('close', onClose).off('error', settle);
      if (error) reject(error);
      else resolve(signal);
    };
    const onAnswer = (own: unknown) => settle(own === null ? undefined : failure(String(own)));
    const onClose = (code: number | null, signal: NodeJS.Signals | null) => {
      if (signal === 'SIGINT' || signal === 'SIGTERM') settle(undefined, signal);
      else settle(failure(messages.join('') || `the process ended with ${signal ?? `code ${code}`}`));
    };
    child.on('message', onAnswer).on('close', onClose).on('error', settle);
    // Where nothing can be sent, "error" or "close" follows.
    if (child.connected) child.send(task, () => {});
  });
}

/** To be called right after the start: new threads inherit the priority. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Not every system allows it.
  }
}
