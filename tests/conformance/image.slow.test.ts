/** The promise: the image holds what deploy/install.sh installs, and that runs as another user, with the settings of the Dockerfile. */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fastGlob from 'fast-glob';
import { beforeAll, expect, it } from 'vitest';
import { commandVariables } from '../../build/cli/environment.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { project } from '../support/project.ts';
import { freePort } from '../support/loopback.ts';
import { addressOf, outcomeOf } from '../support/processes.ts';

const run = promisify(execFile);
const textOf = (path: string) => readFileSync(join(project, path), 'utf8');
const [, finalStage = ''] = /^FROM [^\n]*\n(?![\s\S]*^FROM )([\s\S]*)/m.exec(textOf('Dockerfile'))!;
/** The words after an instruction of the final stage, continued lines joined. */
const instruction = (name: string): string =>
  new RegExp(`^${name} (.*)$`, 'm').exec(finalStage.replaceAll('\\\n', ''))![1]!;
/** An unprivileged user, where the test may change to one. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let app: string;
beforeAll(async () => {
  app = join(temporaryFolder(), 'app');
  await run(join(project, 'deploy/install.sh'), [app], { maxBuffer: 2 ** 24 });
}, 300_000);

it('the folder has the program and its packages, in less than 60 MB', () => {
  const files = fastGlob.sync('**/*', { cwd: app, dot: true, stats: true });
  const bytes = files.reduce((sum, { stats }) => sum + stats!.size, 0);
  expect(bytes).toBeGreaterThan(10_000_000);
  expect(bytes).toBeLessThan(60_000_000);
  const packages = readdirSync(join(app, 'node_modules'));
  for (const name of ['esbuild', 'tsx', 'typescript', 'vitest', 'workerd'])
    expect(packages).not.toContain(name);
});

it('an existing folder with files is left alone', async () => {
  const failure = await run(join(project, 'deploy/install.sh'), [app]).catch((error: object) => error);
  expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
});

it('the entry of the image starts as a user without rights, is healthy, and writes below /data only', async () => {
  expect(instruction('USER')).toBe('node');
  const data = temporaryFolder();
  for (const folder of [app, dirname(app)]) chmodSync(folder, 0o755);
  chmodSync(data, 0o777);
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  const port = await freePort();
  const settings = Object.fromEntries(
    instruction('ENV')
      .split(' ')
      .map((pair) => pair.replace('/data', data).split('=') as [string, string]),
  );
  expect(settings).toMatchObject({ HOST: '0.0.0.0', PORT: '3000' });
  const environment = { PATH: process.env.PATH, ...settings, HOST: '127.0.0.1', PORT: String(port) };
  const words = [
    ...(JSON.parse(instruction('ENTRYPOINT')) as string[]),
    ...(JSON.parse(instruction('CMD')) as string[]),
  ];
  const before = statSync(join(app, 'node_modules')).mtimeMs;
  const child = spawn(
    process.execPath,
    words.slice(1).map((word) => word.replace('/app', app)),
    {
      cwd: data,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    },
  );
  const outcome = outcomeOf(child);
  const address = await addressOf(child);
  expect((await fetch(`${address}/api/movies/1`)).status).toBe(200);
  const [, check = ''] = /CMD (.*)$/.exec(instruction('HEALTHCHECK'))!;
  const isHealthy = () =>
    run('sh', ['-c', check], { env: environment }).then(
      () => true,
      () => false,
    );
  expect(await isHealthy()).toBe(true);
  child.kill('SIGTERM');
  expect(await outcome).toMatchObject({ code: 0, stderr: '' });
  expect(await isHealthy()).toBe(false);
  expect(
    readdirSync(data)
      .filter((name) => !name.startsWith('.'))
      .sort(),
  ).toEqual(['awards.db', 'dist']);
  expect(statSync(join(app, 'node_modules')).mtimeMs).toBe(before);
});

it('compose.yaml has the port and the volume of the image', () => {
  const compose = textOf('compose.yaml');
  expect(instruction('VOLUME')).toBe('/data');
  expect(compose).toContain(`- awards:${instruction('VOLUME')}`);
  expect(compose).toContain(`:${instruction('EXPOSE')}"`);
});

it('compose.yaml has only what Compose 1.29 takes, and passes the variables on without a file .env', () => {
  const lines = textOf('compose.yaml')
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line));
  const service = lines.slice(lines.indexOf('  awards:') + 1, lines.indexOf('volumes:'));
  const values = new Map<string, string | string[]>();
  for (const line of service) {
    const [, key, value, item] = /^ {4}(\w+):(?: (\S.*))?$|^ {6}- ("?[\w./:-]+"?|\S+)$/.exec(line) ?? [];
    const last = [...values.values()].at(-1);
    if (key !== undefined) values.set(key, value ?? []);
    else if (item !== undefined && Array.isArray(last)) last.push(item);
    else throw new Error(`neither a key with a value nor an item of a list of texts: ${line}`);
  }
  expect(lines.filter((line) => /^\S/.test(line))).toEqual(['services:', 'volumes:']);
  // Of compose_spec.json in docker-compose 1.29: keys with a text or a flag, and keys with a list of texts.
  const [single, lists] = [
    ['build', 'init', 'restart', 'read_only', 'stop_grace_period'],
    ['ports', 'volumes', 'environment', 'tmpfs', 'security_opt', 'cap_drop'],
  ];
  for (const [key, value] of values) expect(Array.isArray(value) ? lists : single).toContain(key);
  const image = instruction('ENV')
    .split(' ')
    .map((pair) => pair.split('=')[0]!);
  const passed = Object.keys(commandVariables).filter(
    (name) => !image.includes(name) && name !== 'NO_COLOR' && !name.endsWith('_API_URL'),
  );
  expect(values.get('environment')).toEqual(passed);
});
