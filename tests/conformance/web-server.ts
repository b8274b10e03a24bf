/** nginx and Caddy on loopback, with the configurations of deploy/ and a port and a folder of the test. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { freePort } from '../support/loopback.ts';
import { project } from '../support/project.ts';

export type WebServer = 'nginx' | 'caddy';

export const webServers: readonly WebServer[] = ['nginx', 'caddy'];

/** Whether a program is installed. @param question words that make it say its version and end */
export const isInstalled = (program: string, ...question: string[]): boolean =>
  spawnSync(program, question).error === undefined;

/** Why a test cannot run here; undefined if it can. */
export const lacking = (server: WebServer): string | undefined =>
  isInstalled(server, server === 'nginx' ? '-v' : 'version')
    ? undefined
    : `there is no ${server} here; Debian has it as a package`;

/** What stands in the configurations for the port, the service and the folder. */
interface Places {
  port: number;
  service?: string;
  folder?: string;
  /** How long idle connections to the service are kept, as the server writes it. */
  pool?: string;
}

/** A configuration of deploy/ with other places. @throws if it names none of them */
function configured(file: string, replacements: readonly (readonly [sample: string, own: string])[]): string {
  let text = readFileSync(join(project, 'deploy', file), 'utf8');
  for (const [sample, own] of replacements) {
    if (!text.includes(sample)) throw new Error(`deploy/${file} does not contain ${sample}`);
    text = text.replaceAll(sample, own);
  }
  return text;
}

const samples = { service: '127.0.0.1:3000', folder: '/var/www/awards', pool: '30s' };

const starters: Record<WebServer, (file: string, places: Places, work: string) => [string, string[]]> = {
  nginx(file, { port, ...places }, work) {
    const site = configured(file, [['listen 8080;', `listen 127.0.0.1:${port};`], ...replacing(places)]);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${work}/${name};`,
    );
    // Workers of another user could not read the folder of the test.
    const user = process.getuid?.() === 0 ? 'user root;\n' : '';
    writeFileSync(join(work, 'site.conf'), site);
    writeFileSync(
      join(work, 'nginx.conf'),
      `${user}daemon off;\nworker_processes 1;\npid ${work}/pid;\nerror_log ${work}/error.log;\nevents {}\n` +
        `http {\naccess_log off;\n${temporary.join('\n')}\ninclude ${work}/site.conf;\n}\n`,
    );
    return ['nginx', ['-c', join(work, 'nginx.conf'), '-e', join(work, 'error.log')]];
  },
  caddy(file, { port, ...places }, work) {
    const site = configured(file, [[':8080 {', `http://127.0.0.1:${port} {`], ...replacing(places)]);
    // A file has one block of global options at most.
    const [, comments = '', globals = '', sites = ''] =
      /^((?:#.*\n)*)(?:\{\n([\s\S]*?)^\}\n)?([\s\S]*)$/m.exec(site)!;
    const options = `{\n\tadmin off\n\tauto_https off\n${globals}}\n`;
    writeFileSync(join(work, 'Caddyfile'), comments + options + sites);
    return ['caddy', ['run', '--adapter', 'caddyfile', '--config', join(work, 'Caddyfile')]];
  },
};

const replacing = ({ service, folder, pool }: Omit<Places, 'port'>): [string, string][] => [
  ...(service === undefined ? [] : [[samples.service, service] satisfies [string, string]]),
  ...(folder === undefined ? [] : [[samples.folder, folder] satisfies [string, string]]),
  ...(pool === undefined ? [] : [[samples.pool, pool] satisfies [string, string]]),
];

/**
 * Starts a web server.
 * @param file below deploy/
 * @returns its address, what it has written to stderr and its log, and what ends it
 */
export async function startWebServer(
  server: WebServer,
  file: string,
  places: Omit<Places, 'port'>,
): Promise<{ origin: string; port: number; output(): string; stop(): Promise<void> }> {
  const work = temporaryFolder();
  mkdirSync(work, { recursive: true });
  const port = await freePort();
  const [program, words] = starters[server](file, { port, ...places }, work);
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH, HOME: work },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => {
    errors += text;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${server} ended: ${errors}`);
    await delay(20);
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    output: () => errors + (server === 'nginx' ? readFileSync(join(work, 'error.log'), 'utf8') : ''),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
