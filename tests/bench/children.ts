/** Child processes of the bench: scripts that print one line of JSON, and servers that print their port. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Path of a module of the bench. */
export const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface Finished {
  stdout: string;
  stderr: string;
  /** From start to exit. */
  elapsed: number;
}

/** Runs Node with these arguments in the project's folder. @throws Error with its messages if it fails */
export function runNode(args: readonly string[]): Promise<Finished> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      { cwd: projectRoot, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`node ${args.join(' ')}: ${stderr || error.message}`, { cause: error }));
        else resolve({ stdout, stderr, elapsed: performance.now() - began });
      },
    );
  });
}

/** Runs a module of the bench with some input, and reads the JSON it prints last. */
export async function runScript<T>(name: string, input: unknown): Promise<T> {
  const { stdout } = await runNode(['--import', 'tsx', script(name), JSON.stringify(input)]);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as T;
}

/** Has a Node process report its peak of resident memory when it exits. */
const reportPeak = `data:text/javascript,${encodeURIComponent(
  "import {writeSync} from 'node:fs';process.on('exit',()=>writeSync(2,'peak '+process.resourceUsage().maxRSS+' kB'))",
)}`;

/** Runs a command of the project. */
export async function runAwards(args: readonly string[]): Promise<Finished & { peakBytes: number }> {
  const finished = await runNode(['--import', 'tsx', '--import', reportPeak, 'build/cli/main.ts', ...args]);
  return { ...finished, peakBytes: Number(/peak (\d+) kB/.exec(finished.stderr)![1]) * 1024 };
}

/** A server in a process of its own. */
export interface ServerChild {
  origin: string;
  stop(): Promise<void>;
}

/** What package.json starts Node with; for every server measured here, ours or not. */
const nodeFlags = ['--single-threaded-gc', '--import', 'tsx'];

/** Starts a module of the bench that listens on 127.0.0.1, prints its port and ends with its standard input. */
export async function startServer(name: string, input: unknown): Promise<ServerChild> {
  const { said: port, stop } = await startChild<number>(name, input);
  return { origin: `http://127.0.0.1:${port}`, stop };
}

/** Starts a module of the bench that prints one line of JSON and ends with its standard input. */
export async function startChild<T>(
  name: string,
  input: unknown,
): Promise<{ said: T; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [...nodeFlags, script(name), JSON.stringify(input)], {
    cwd: projectRoot,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return {
    said: JSON.parse(await firstLine(child, name)) as T,
    async stop() {
      if (child.exitCode !== null) return;
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

async function firstLine(child: ChildProcess, name: string): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  throw new Error(`${name} ended before it listened`);
}
