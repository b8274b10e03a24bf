/** nginx and Caddy on loopback, with the configurations of deploy/ and a port and a folder of the test. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { freePort } from '../support/loopback.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Web server → its words to say its version, the address in its configurations, and their files. */
const servers = {
  nginx: { question: '-v', address: 'listen 8080;', files: (kind: string) => `nginx-${kind}.conf` },
  caddy: { question: 'version', address: ':8080 {', files: (kind: string) => `Caddyfile.${kind}` },
} as const;
export type WebServer = keyof typeof servers;
export const webServers = Object.keys(servers) as readonly WebServer[];

/** Skips a test where a program is not installed. */
export function needProgram(context: TestContext, program: string, question: string): void {
  if (spawnSync(program, [question]).error) context.skip(`there is no ${program} here`);
}

/** What stands in the configurations for the service, the folder, and the life of idle connections to the service. */
const samples = { service: '127.0.0.1:3000', folder: '/var/www/awards', pool: '30s' };

/** Writes the configuration of nginx. @returns the words of the command */
function configureNginx(work: string, site: string): string[] {
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
  return ['-c', join(work, 'nginx.conf'), '-e', join(work, 'error.log')];
}

function configureCaddy(work: string, site: string): string[] {
  // A file has one block of global options at most.
  const [, comments = '', globals = '', sites = ''] = /^((?:#.*\n)*)(?:\{\n([\s\S]*?)^\}\n)?([\s\S]*)$/m.exec(
    site,
  )!;
  writeFileSync(
    join(work, 'Caddyfile'),
    `${comments}{\n\tadmin off\n\tauto_https off\n${globals}}\n${sites}`,
  );
  return ['run', '--adapter', 'caddyfile', '--config', join(work, 'Caddyfile')];
}

/**
 * Starts a web server, or skips the test where it is not installed.
 * @param kind what the server stands in front of
 * @param places of the test, for those in the configuration
 * @returns its address, what it has written to stderr and its log, and what ends it
 */
export async function startWebServer(
  context: TestContext,
  server: WebServer,
  kind: 'service' | 'files',
  places: Partial<typeof samples>,
): Promise<{ origin: string; port: number; output(): string; stop(): Promise<void> }> {
  const { question, address, files } = servers[server];
  const file = files(kind);
  needProgram(context, server, question);
  const [work, port] = [temporaryFolder(), await freePort()];
  const own = server === 'nginx' ? `listen 127.0.0.1:${port};` : `http://127.0.0.1:${port} {`;
  let site = readFileSync(join(project, 'deploy', file), 'utf8');
  const replaced = Object.entries(places).map(([name, to]) => [samples[name as keyof typeof samples], to]);
  for (const [sample = '', to = ''] of [[address, own], ...replaced]) {
    if (!site.includes(sample)) throw new Error(`deploy/${file} does not contain ${sample}`);
    site = site.replaceAll(sample, to);
  }
  const words = server === 'nginx' ? configureNginx(work, site) : configureCaddy(work, site);
  const env = { PATH: process.env.PATH, HOME: work };
  const child = spawn(server, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
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
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
