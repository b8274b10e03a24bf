/** Scripts and the command line in processes of their own, their output piped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { expect, inject } from 'vitest';
import { project } from './project.ts';

export interface Outcome {
  code: number | null;
  /** null unless a signal ended the process. */
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** The settings of this shell must not reach the process. */
const environment = (extra: Record<string, string>): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  ...extra,
});

/** Starts a JavaScript file with Node and leaves it running. */
export const startScript = (
  script: string,
  words: readonly string[],
  extra?: Record<string, string>,
): ChildProcess => startNode([script, ...words], extra);

/** Starts Node and leaves it running. @param words options of Node, the script, and its arguments */
export function startNode(words: readonly string[], extra: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, words, {
    cwd: project,
    env: environment(extra),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Output and end of a started process. */
export function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let [stdout, stderr] = ['', ''];
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Starts a command and leaves it running. */
export const startAwards = (words: readonly string[], extra?: Record<string, string>): ChildProcess =>
  startScript(inject('cli'), words, extra);

/** Runs a command to its end. */
export const awards = (words: readonly string[], extra?: Record<string, string>): Promise<Outcome> =>
  outcomeOf(startAwards(words, extra));

/** Runs a command that must succeed without a message. @returns its stdout */
export async function stdoutOf(words: readonly string[], extra?: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await awards(words, extra);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The address that a service prints, as soon as it does. @throws Error with its output if it ends before */
export function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer | string) => {
      output += chunk;
      const [address] = /http:\/\/[0-9a-z.:[\]]+:[0-9]+/.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.on('close', () => reject(new Error(`ended without an address: ${output}`)));
  });
}
