/** Netlify's own tools outside the project's dependencies, and the environment they run in without a net or an account. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Tried together; a later Deno may refuse a flag of this command line. */
const packages = ['netlify-cli@26.2.0', 'deno@2.8.3', '@netlify/edge-functions-dev@1'];

const run = promisify(execFile);

/** Folder of the tools, kept from run to run: half a gigabyte, a minute to install. AWARDS_NETLIFY_TOOLS names another. */
const folder =
  process.env.AWARDS_NETLIFY_TOOLS ??
  join(tmpdir(), `awards-netlify-${createHash('sha256').update(packages.join()).digest('hex').slice(0, 8)}`);

/** Installs what is not there yet. @returns the reason if that is not possible */
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

/** What the tools need to be told, so that they fetch nothing and ask nobody. */
export function toolsEnvironment(): NodeJS.ProcessEnv {
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

/** The reading of `config` imports one module of types from the net; Deno takes it from its cache, where this puts it. */
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
