/** Child processes of the bench. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { project } from '../support/project.ts';
import type { Tasks } from './child-tasks.ts';

/** Path of a module of the bench. */
export const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The flags of package.json; every server gets them, ours or not. */
export const nodeFlags = ['--single-threaded-gc', '--max-semi-space-size=4', '--import', 'tsx'];

export interface Finished {
  stdout: string;
  stderr: string;
  /** Milliseconds from start to exit. */
  elapsed: number;
}

/** Runs Node to its end. @param exitCodes those that are no failure @throws Error with its messages if it fails */
export function runNode(args: readonly string[], cwd = project, exitCodes = [0]): Promise<Finished> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const elapsed = performance.now() - start;
      if (error === null || exitCodes.includes(Number(error.code))) resolve({ stdout, stderr, elapsed });
      else reject(new Error(`node ${args.join(' ')}: ${stderr || error.message}`, { cause: error }));
    });
  });
}

/** Runs a module of the bench. @returns the JSON of the last line it prints */
export async function runScript<T>(name: string, input: unknown): Promise<T> {
  const { stdout } = await runNode(['--import', 'tsx', script(name), JSON.stringify(input)]);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as T;
}

/** Runs a task of child-tasks.ts in a new process. @returns what it measured */
export const runTask = <Name extends keyof Tasks>(
  task: Name,
  input: Parameters<Tasks[Name]>[0],
): Promise<number> => runScript<number>('child-tasks.ts', { task, input });

interface StartOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Ends the process; without one its standard input is closed. */
  signal?: NodeJS.Signals;
  /** The process enters the control group with this file before it starts Node, which reads the memory limit. */
  memoryGroup?: string | undefined;
}

/** Starts Node and waits for its first line. */
export async function startNode(
  args: readonly string[],
  { signal, memoryGroup, ...options }: StartOptions = {},
): Promise<{ line: string; stop: () => Promise<void>; pid: number }> {
  const command = [process.execPath, ...nodeFlags, ...args];
  const [file = '', ...rest] = memoryGroup
    ? ['sh', '-c', 'echo $$ > "$0" && exec "$@"', memoryGroup, ...command]
    : command;
  const child = spawn(file, rest, {
    cwd: project,
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const kill = () => void child.kill();
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    if (child.exitCode !== null) return;
    if (signal === undefined) child.stdin.end();
    else child.kill(signal);
    await once(child, 'exit');
  };
  for await (const line of createInterface({ input: child.stdout })) return { line, stop, pid: child.pid! };
  throw new Error(`node ${args.join(' ')} ended before it printed a line`);
}

/** Starts a module of the bench that prints one line of JSON and ends with its standard input. */
export async function startChild<T>(
  name: string,
  input: unknown,
): Promise<{ said: T; stop: () => Promise<void> }> {
  const { line, stop } = await startNode([script(name), JSON.stringify(input)]);
  return { said: JSON.parse(line) as T, stop };
}

/** A server in a process of its own. */
export interface ServerChild {
  origin: string;
  stop(): Promise<void>;
}

/** Starts a module of the bench that listens on the loopback address and prints its port. */
export async function startServer(name: string, input: unknown): Promise<ServerChild> {
  const { said: port, stop } = await startChild<number>(name, input);
  return { origin: `http://127.0.0.1:${port}`, stop };
}
