/** A site for Netlify's tools in a folder of its own: the project's rules and edge functions over the nasty record. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from '../support/build.ts';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { openDatabase } from '../../data/open.ts';
import { project } from '../layers/source-files.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { toolsEnvironment } from './netlify-tools.ts';

const run = promisify(execFile);

export class NetlifySite {
  readonly folder = mkdtempSync(join(tmpdir(), 'awards-netlify-site-'));
  readonly out = join(this.folder, 'dist');
  #dev: ChildProcess | undefined;

  /** Copies the project as far as Netlify sees it, and builds the snapshot. @param variables of the site */
  async prepare(variables: Record<string, string>): Promise<void> {
    for (const name of ['netlify.toml', 'package.json', 'api'])
      cpSync(join(project, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(project, 'node_modules'), join(this.folder, 'node_modules'));
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(this.folder, '.env'), lines.join(''));
    const connection = openDatabase(join(this.folder, 'awards.db'));
    fillWithNastyRecord(connection);
    await build(connection, this.out, { documents: siteDocuments });
    connection.close();
  }

  /** Bundles the edge functions for real. @returns the size of the bundle, and what Netlify is told of the functions */
  async bundle(): Promise<{ bytes: Uint8Array; manifest: string }> {
    await run('netlify', ['build', '--offline'], { cwd: this.folder, env: toolsEnvironment() });
    const bundles = join(this.folder, '.netlify/edge-functions-dist');
    const name = readdirSync(bundles).find((file) => file.endsWith('.eszip'))!;
    return {
      bytes: readFileSync(join(bundles, name)),
      manifest: readFileSync(join(bundles, 'manifest.json'), 'utf8'),
    };
  }

  /** Runs `netlify dev`. @returns its address */
  async dev(): Promise<string> {
    const port = await freePort();
    // A group of its own, so that all it starts can be ended.
    const child = spawn('netlify', ['dev', '--offline', '--no-open', '--port', String(port)], {
      cwd: this.folder,
      env: toolsEnvironment(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#dev = child;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`netlify dev does not get ready: ${said}`)), 120_000);
      const hear = (chunk: Buffer) => {
        said += chunk;
        if (!said.includes('Local dev server ready')) return;
        clearTimeout(timer);
        resolve();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('exit', () => reject(new Error(`netlify dev ended: ${said}`)));
    });
    return `http://127.0.0.1:${port}`;
  }

  /** Ends what runs, and removes the folder. */
  remove(): void {
    if (this.#dev?.pid !== undefined && this.#dev.exitCode === null) process.kill(-this.#dev.pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
