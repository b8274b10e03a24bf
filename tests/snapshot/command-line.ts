/** Runs the command line in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const commandLine = fileURLToPath(new URL('../../build/cli/main.ts', import.meta.url));

export interface Outcome {
  /** null if a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Starts a TypeScript module in a process of its own. */
export function startScript(
  script: string,
  parameters: readonly string[],
  environment: Record<string, string> = {},
): { child: ChildProcess; outcome: Promise<Outcome> } {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...parameters], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const outcome = new Promise<Outcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, outcome };
}

/** Starts the command line. */
export const startAwards = (parameters: readonly string[], environment: Record<string, string> = {}) =>
  startScript(commandLine, parameters, environment);

/** Runs the command line to its end. */
export const awards = (parameters: readonly string[], environment: Record<string, string> = {}) =>
  startAwards(parameters, environment).outcome;
