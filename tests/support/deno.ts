/** Runs modules in Deno. It starts the binary of the npm package itself, so there is one process to end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { project } from './project.ts';
import { requireTool } from './tools.ts';

/** The package with the binary for this platform, such as @deno/linux-x64-glibc. */
const binaryPackage = `@deno/${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`;

function findDeno(): string | undefined {
  try {
    const folder = dirname(requireTool.resolve(`${binaryPackage}/package.json`));
    const binary = join(folder, process.platform === 'win32' ? 'deno.exe' : 'deno');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/** Path of the binary; undefined where the tools are not installed, or have none for this platform. */
export const deno = findDeno();
export const noDeno = `there is no Deno for ${process.platform} ${process.arch} in tools/node_modules; "npm run tools" installs it`;

const flags = ['run', '--no-prompt', '--no-remote', '--no-lock'];
const minimalPermissions = ['--allow-net=127.0.0.1', '--allow-read', '--allow-env', '--allow-sys'];

/** A module in Deno that ends when its standard input ends. */
export interface DenoProcess {
  /** The first line of its output. */
  line: string;
  stop(): Promise<void>;
}

/**
 * Starts a module and waits for its first line of output.
 * @param permissions by default loopback and reading files
 * @throws Error with its stderr if it ends before
 */
export async function startDeno(
  module: string,
  args: readonly string[],
  permissions: readonly string[] = minimalPermissions,
): Promise<DenoProcess> {
  const child = spawn(deno!, [...flags, ...permissions, module, ...args], {
    cwd: project,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' },
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const line = await firstLine(child);
  if (line === undefined) throw new Error(`${module} in Deno: ${stderr}`);
  return {
    line,
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string | undefined> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  return undefined;
}
