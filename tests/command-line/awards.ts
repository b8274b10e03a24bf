/** Runs the command line as a user does: a process of its own, its output piped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../', import.meta.url));

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Settings of this shell must not reach the command. */
const environment = (extra: Record<string, string>): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...extra,
});

/** Starts a command and leaves it running. */
export function startAwards(words: readonly string[], extra: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', 'build/cli/main.ts', ...words], {
    cwd: project,
    env: environment(extra),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** What a started command says and how it ends. */
export function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs a command to its end. */
export function awards(words: readonly string[], extra: Record<string, string> = {}): Promise<Outcome> {
  return outcomeOf(startAwards(words, extra));
}

/** The address a service says it listens on, as soon as it does. @throws Error with its complaint if it ends before */
export function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (text: string) => {
      said += text;
      const [address] = /http:\/\/[0-9a-z.:[\]]+:[0-9]+/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    };
    child.stdout!.on('data', (chunk: Buffer) => listen(chunk.toString()));
    child.stderr!.on('data', (chunk: Buffer) => listen(chunk.toString()));
    child.on('close', () => reject(new Error(`it ended without an address: ${said}`)));
  });
}
