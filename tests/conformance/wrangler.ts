/** The Worker of api/edge/cloudflare under `wrangler dev`: Cloudflare's own tool, bundler, asset server and runtime. No request leaves this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { project } from '../support/project.ts';
import { addressOf } from '../support/processes.ts';
import { toolPath } from '../support/tools.ts';

/**
 * Starts the Worker for one test: also a failed one leaves no program behind.
 * @param assets folder of the files
 * @param variables of its deployment
 * @returns its address, such as http://127.0.0.1:3000, without a slash
 * @throws Error with the output of wrangler if it ends before it listens
 */
export async function startWrangler(
  assets: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const home = temporaryFolder();
  const words = [
    ...[toolPath('wrangler/bin/wrangler.js'), 'dev', '--config', 'api/edge/cloudflare/wrangler.json'],
    ...['--assets', assets, '--ip', '127.0.0.1', '--port', '0', '--inspector-port', '0'],
    ...['--persist-to', home, '--show-interactive-dev-session=false'],
    ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ];
  const child = spawn(process.execPath, words, {
    cwd: project,
    env: {
      ...{ PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, CI: '1' },
      WRANGLER_SEND_METRICS: 'false',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return addressOf(child);
}
