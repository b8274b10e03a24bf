/** Netlify's tools, which are not dependencies of the project, and a site for them: edge functions over the nasty record. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openDatabase } from '../../data/database/open.ts';
import { project } from '../support/project.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { build } from '../support/build.ts';
import { freePort } from '../support/loopback.ts';

/** Tested together: a later Deno may refuse a flag of this CLI. */
const packages = ['netlify-cli@26.2.0', 'deno@2.8.3', '@netlify/edge-functions-dev@1'];

const run = promisify(execFile);

/** Folder of the tools, kept between runs: half a gigabyte, a minute to install. AWARDS_NETLIFY_TOOLS sets another. */
const folder =
  process.env.AWARDS_NETLIFY_TOOLS ??
  join(tmpdir(), `awards-netlify-${createHash('sha256').update(packages.join()).digest('hex').slice(0, 8)}`);

/** Installs the tools unless they are there. @returns why that failed, if it did */
export async function installTools(): Promise<string | undefined> {
  if (existsSync(join(folder, 'installed'))) return undefined;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  process.stdout.write(`installing ${packages.join(', ')} into ${folder} …\n`);
  try {
    await run('npm', ['install', '--no-save', '--no-fund', '--no-audit', ...packages], { cwd: folder });
  } catch (error) {
    return `npm could not install Netlify's tools: ${(error as Error).message.split('\n').slice(0, 3).join(' ')}`;
  }
  seedDenoCache();
  writeFileSync(join(folder, 'installed'), '');
  return undefined;
}

/** The environment in which the tools need no network and no account. */
function toolsEnvironment(): NodeJS.ProcessEnv {
  const bootstrap = join(folder, 'node_modules/@netlify/edge-functions-dev/dist/deno/bootstrap.mjs');
  return {
    ...process.env,
    PATH: `${join(folder, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
    CI: '1',
    NO_COLOR: '1',
    NETLIFY_TELEMETRY_DISABLED: '1',
    DENO_DIR: join(folder, '.deno'),
    NETLIFY_EDGE_BOOTSTRAP: pathToFileURL(bootstrap).href,
  };
}

/** Reading `config` imports one module of types from the network; this puts it into Deno's cache. */
function seedDenoCache(): void {
  const path = '/bootstrap/globals/types.ts';
  const cache = join(folder, '.deno/remote/https/edge.netlify.com');
  const about = {
    headers: { 'content-type': 'application/typescript' },
    url: `https://edge.netlify.com${path}`,
  };
  mkdirSync(cache, { recursive: true });
  writeFileSync(
    join(cache, createHash('sha256').update(path).digest('hex')),
    `export type NetlifyGlobal = any;\n\n// denoCacheMetadata=${JSON.stringify(about)}`,
  );
}

export class NetlifySite {
  readonly folder = mkdtempSync(join(tmpdir(), 'awards-netlify-site-'));
  readonly out = join(this.folder, 'dist');
  #dev: ChildProcess | undefined;

  /** Copies what Netlify needs of the project, and builds the snapshot. @param variables environment variables of the site */
  async prepare(variables: Record<string, string>): Promise<void> {
    for (const name of ['netlify.toml', 'package.json', 'api', 'build/site'])
      cpSync(join(project, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(project, 'node_modules'), join(this.folder, 'node_modules'));
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(this.folder, '.env'), lines.join(''));
    const connection = openDatabase(join(this.folder, 'awards.db'));
    fillWithNastyRecord(connection);
    await build(connection, this.out, { layers: ['site', 'pages', 'lists'] });
    connection.close();
  }

  /** Bundles the edge functions with `netlify build`. @returns the bundle, and its manifest for Netlify */
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
    // A process group, so that its children can be killed too.
    const child = spawn('netlify', ['dev', '--offline', '--no-open', '--port', String(port)], {
      cwd: this.folder,
      env: toolsEnvironment(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#dev = child;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`netlify dev is not ready: ${output}`)), 120_000);
      const read = (chunk: Buffer) => {
        output += chunk;
        if (!output.includes('Local dev server ready')) return;
        clearTimeout(timer);
        resolve();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', () => reject(new Error(`netlify dev ended: ${output}`)));
    });
    return `http://127.0.0.1:${port}`;
  }

  /** Stops `netlify dev`, and removes the folder. */
  remove(): void {
    if (this.#dev?.pid !== undefined && this.#dev.exitCode === null) process.kill(-this.#dev.pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
