/** The promise: what deploy/, the Dockerfile and compose.yaml install runs, and web servers in front lose no request and no secret. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import fastGlob from 'fast-glob';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, type TestContext } from 'vitest';
import { commandVariables } from '../../build/cli/environment.ts';
import { program } from '../../build/package/sources.ts';
import { startService } from '../support/running-service.ts';
import { startWritingService, type WritingService } from '../support/writing-service.ts';
import { send } from '../support/http.ts';
import { freePort, listen } from '../support/loopback.ts';
import { addressOf, outcomeOf } from '../support/processes.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { needProgram, startWebServer, type WebServer, webServers } from './web-server.ts';

const run = promisify(execFile);
const textOf = (path: string) => readFileSync(join(project, path), 'utf8');

// 30 s of the web server and 72 s of the service, shortened by the same factor. Node adds a second to its own.
const [pool, keepAlive] = [200, 480];
let writing: WritingService;
beforeAll(async () => {
  writing = await startWritingService([], { timeouts: { keepAlive }, proxies: ['127.0.0.1'] });
});
// Not as the result of beforeAll(): the folder of the database is removed before that.
afterAll(() => writing.stop());

describe.for(webServers)('%s in front of the service', (server) => {
  /** Starts the server in front of a port. */
  async function inFrontOf(context: TestContext, port: number, pool?: string) {
    const places = { service: `127.0.0.1:${port}`, ...(pool && { pool }) };
    const front = await startWebServer(context, server as WebServer, 'service', places);
    onTestFinished(front.stop);
    const ask = (method: string, path: string, more: Parameters<typeof send>[0] = {}, body?: string) =>
      send({ host: '127.0.0.1', port: front.port, agent: false, method, path, ...more }, body);
    return { front, ask };
  }

  it('passes compressed answers on with their ETags, and the client to the limits', async (context) => {
    const service = await startService(inject('sample').out, { proxies: ['127.0.0.1'], readLimit: 3 });
    onTestFinished(service.stop);
    const { ask } = await inFrontOf(context, service.port);
    const compressed = await ask('GET', '/api/nominations?limit=100', {
      headers: { 'accept-encoding': 'br' },
    });
    expect(compressed.headers.etag).toMatch(/^"[0-9a-f]{20}-br"$/);
    expect(JSON.parse(brotliDecompressSync(compressed.body).toString())).toHaveProperty('pagination');
    const statuses: number[] = [];
    for (const localAddress of ['127.0.0.2', '127.0.0.3'])
      for (let times = 0; times < 4; times += 1)
        statuses.push((await ask('GET', '/api/movies/27', { localAddress })).status);
    expect(statuses).toEqual([200, 200, 200, 429, 200, 200, 200, 429]);
  });

  it('leaves what is too large to the words of the service', async (context) => {
    const { ask } = await inFrontOf(context, writing.port);
    const headers = { 'x-api-key': writing.key, 'content-type': 'application/json' };
    const batch = (bytes: number) => ask('POST', '/api/batch', { headers }, ' '.repeat(bytes));
    const words = await batch(600 * 1024);
    expect([words.status, JSON.parse(words.body.toString())]).toEqual([
      ...[413, expect.objectContaining({ type: '/docs#problem-body-too-large' })],
    ]);
    const search = (bytes: number) => ask('GET', `/api/search?q=${'a'.repeat(bytes)}`);
    expect((await search(20 * 1024)).status).toBe(431);
    // nginx refuses more by itself; Caddy would answer 502.
    const { status, body } = await batch(1536 * 1024);
    expect([status, body.includes('problem-body-too-large')]).toEqual([413, server === 'caddy']);
    expect([414, 431]).toContain((await search(60 * 1024)).status);
  });

  it('answers every request after a pause, reads and writes', async (context) => {
    const { ask } = await inFrontOf(context, writing.port, `${pool}ms`);
    const headers = { 'x-api-key': writing.key, 'content-type': 'application/json' };
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const requests = Array.from({ length: 12 }, (_, at) => {
        const path = `/api/movies/${1 + (at % 2)}`;
        const body = JSON.stringify({ tagline: `round ${round}, ${at}` });
        return at % 3 > 0 ? ask('GET', path) : ask('PATCH', path, { headers }, body);
      });
      for (const { status } of await Promise.all(requests)) statuses.push(status);
      // Around the instant at which one side closes.
      await pause([pool, keepAlive, keepAlive + 1000][round]! - 12 + 8 * round);
    }
    expect(statuses).toEqual(Array(3 * 12).fill(200));
  });

  it('keeps the key out of its log when the service is down', async (context) => {
    const { front, ask } = await inFrontOf(context, await freePort());
    const key = 'a-key-that-nobody-may-read';
    for (const method of ['GET', 'PATCH'])
      expect((await ask(method, '/api/movies/1', { headers: { 'x-api-key': key } })).status).toBe(502);
    // The failure itself is logged.
    await expect.poll(front.output).toMatch(/connection refused/i);
    expect(front.output()).not.toContain(key);
  });

  it('repeats a GET whose connection the service closed, and never a write', async (context) => {
    const methods: string[] = [];
    // Answers the first request of each connection, and closes with the second.
    const service = await listen(
      createServer((socket) => {
        let count = 0;
        socket
          .on('error', () => {})
          .on('data', (bytes) => {
            methods.push(bytes.toString().split(' ')[0]!);
            count += 1;
            if (count > 1) socket.destroy();
            else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
          });
      }),
    );
    const { ask } = await inFrontOf(context, service.port);
    const statuses: number[] = [];
    for (const method of ['GET', 'GET', 'PATCH']) {
      statuses.push((await ask(method, '/api/movies/1', {}, method === 'PATCH' ? '{}' : undefined)).status);
      await pause(50);
    }
    expect(statuses).toEqual([200, 200, 502]);
    expect(methods).toEqual(['GET', 'GET', 'GET', 'PATCH']);
  });
});

const [, finalStage = ''] = /^FROM [^\n]*\n(?![\s\S]*^FROM )([\s\S]*)/m.exec(textOf('Dockerfile'))!;
/** The words after an instruction of the final stage, continued lines joined. */
const instruction = (name: string): string =>
  new RegExp(`^${name} (.*)$`, 'm').exec(finalStage.replaceAll('\\\n', ''))![1]!;
const imageVariables = instruction('ENV')
  .split(' ')
  .map((pair) => pair.split('=') as [string, string]);

describe('the image', () => {
  let app: string;
  beforeAll(async () => {
    app = join(temporaryFolder(), 'app');
    await run(join(project, 'deploy/install.sh'), [app], { maxBuffer: 2 ** 24 });
  });

  it('has the program and its packages, in less than 20 MB, and is not installed over another folder', async () => {
    const files = fastGlob.sync('**/*', { cwd: app, dot: true, stats: true });
    const bytes = files.reduce((sum, { stats }) => sum + stats!.size, 0);
    expect(bytes).toBeGreaterThan(5_000_000);
    expect(bytes).toBeLessThan(20_000_000);
    const packages = readdirSync(join(app, 'node_modules'));
    expect(packages.filter((name) => /^(esbuild|tsx|typescript|vitest|workerd)$/.test(name))).toEqual([]);
    const failure = await run(join(project, 'deploy/install.sh'), [app]).catch((error: object) => error);
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
  });

  it('starts as a user without rights, is healthy, and writes below /data only', async () => {
    expect(instruction('USER')).toBe('node');
    const data = temporaryFolder();
    for (const folder of [app, dirname(app)]) chmodSync(folder, 0o755);
    chmodSync(data, 0o777);
    // An unprivileged user, where the test may change to one.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
    const settings = Object.fromEntries(imageVariables);
    expect(settings).toMatchObject({ HOST: '0.0.0.0', PORT: '3000' });
    const own = Object.entries(settings).map(([name, value]) => [name, value.replace('/data', data)]);
    const [HOST, PORT] = ['127.0.0.1', String(await freePort())];
    const env = { PATH: process.env.PATH, ...Object.fromEntries(own), HOST, PORT };
    const words = [instruction('ENTRYPOINT'), instruction('CMD')].flatMap(
      (text) => JSON.parse(text) as string[],
    );
    const before = statSync(join(app, 'node_modules')).mtimeMs;
    const child = spawn(
      process.execPath,
      words.slice(1).map((word) => word.replace('/app', app)),
      { cwd: data, env, stdio: ['ignore', 'pipe', 'pipe'], ...user },
    );
    const outcome = outcomeOf(child);
    const address = await addressOf(child);
    expect((await fetch(`${address}/api/movies/1`)).status).toBe(200);
    const [, check = ''] = /CMD (.*)$/.exec(instruction('HEALTHCHECK'))!;
    const isHealthy = () => spawnSync('sh', ['-c', check], { env }).status === 0;
    expect(isHealthy()).toBe(true);
    child.kill('SIGTERM');
    expect(await outcome).toMatchObject({ code: 0, stderr: '' });
    expect(isHealthy()).toBe(false);
    expect(readdirSync(data).filter((name) => !name.startsWith('.'))).toEqual(['awards.db', 'dist']);
    expect(statSync(join(app, 'node_modules')).mtimeMs).toBe(before);
  });

  it('has the port, the volume and the variables of compose.yaml, which Compose 1.29 reads', () => {
    const text = textOf('compose.yaml');
    const service = text.slice(
      text.indexOf('  awards:\n') + 10,
      text.indexOf('volumes:\n', text.indexOf('\nvolumes:')),
    );
    // Keys of compose_spec.json in docker-compose 1.29, with a value or with a list of texts.
    const single = /^ {4}(build|init|restart|read_only|stop_grace_period): \S|^\s*(#|$)/;
    const list = /^ {4}(ports|volumes|environment|tmpfs|security_opt|cap_drop):$|^ {6}- ("?[\w./:-]+"?|\S+)$/;
    expect(service.split('\n').filter((line) => !single.test(line) && !list.test(line))).toEqual([]);
    const itemsOf = (key: string): string[] => {
      const [, items] = new RegExp(`^    ${key}:\n((?:      - .*\n)+)`, 'm').exec(service)!;
      return items!
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(8));
    };
    expect(itemsOf('volumes')).toContain(`awards:${instruction('VOLUME')}`);
    expect(itemsOf('ports')[0]).toContain(`:${instruction('EXPOSE')}"`);
    const ofImage = imageVariables.map(([name]) => name);
    const passed = Object.keys(commandVariables).filter(
      (name) => !ofImage.includes(name) && name !== 'NO_COLOR' && !name.endsWith('_API_URL'),
    );
    expect(itemsOf('environment')).toEqual(passed);
  });
});

it('the backup unit and its timer have no fault, and work as the user of the service', (context) => {
  const units = ['film-awards-backup.service', 'film-awards-backup.timer'] as const;
  const [backup] = units.map((name) => textOf(`deploy/${name}`));
  for (const line of ['DynamicUser=yes', 'User=film-awards', 'StateDirectory=film-awards'])
    for (const unit of [backup, textOf('deploy/film-awards.service')]) expect(unit).toContain(`\n${line}\n`);
  needProgram(context, 'systemd-analyze', '--version');
  const folder = temporaryFolder();
  const files = units.map((name) => join(folder, name));
  for (const [i, name] of units.entries())
    writeFileSync(files[i]!, textOf(`deploy/${name}`).replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
    encoding: 'utf8',
  });
  expect(stderr.split('\n').filter((line) => line.includes('film-awards-backup'))).toEqual([]);
  expect(status).toBe(0);
});

it('the systemd unit has no fault, and starts the installed package with the options of "npm start"', (context) => {
  const unit = textOf('deploy/film-awards.service');
  const [, command = ''] = /^ExecStart=\/usr\/bin\/(node .*)$/m.exec(unit)!;
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const entry = `node_modules/film-awards/${program}`;
  expect(`exec ${command}`).toBe(scripts.start!.replace('--enable-source-maps build/program/run.mjs', entry));
  needProgram(context, 'systemd-analyze', '--version');
  const file = join(temporaryFolder(), 'film-awards.service');
  // systemd looks whether the program is there.
  writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((line) => line.includes('film-awards.service'))).toEqual([]);
  expect(status).toBe(0);
});
