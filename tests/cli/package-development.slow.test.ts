/** The promise: `npm run dev` shows a changed source file of the site and of the service without another command. */
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { project } from '../support/project.ts';
import { freePort } from '../support/loopback.ts';

/** A copy of the sources, so that other tests see no change. */
function copiedProject(): string {
  const folder = temporaryFolder();
  for (const name of ['api', 'build', 'data', 'docs', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(project, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/\.db(-\w+)?$/.test(path),
    });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function replaceIn(file: string, before: string, after: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(before);
  writeFileSync(file, text.replace(before, after));
}

it('npm run dev restarts with each change of a source', { timeout: 240_000 }, async () => {
  const folder = copiedProject();
  const port = await freePort();
  const child = spawn('npm', ['run', 'dev'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdout.resume();
  let errors = '';
  child.stderr.on('data', (text: Buffer) => {
    errors += text;
  });
  const shown = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      (answer) => answer.text(),
      () => '',
    );
  const shows = (path: string, text: string) =>
    expect.poll(() => shown(path), { timeout: 100_000, interval: 200, message: errors }).toContain(text);
  try {
    await shows('/', 'A century of film awards:');
    replaceIn(
      join(folder, 'build/site/explorer/views/home.tsx'),
      'A century of film awards:',
      'Changed by hand:',
    );
    await shows('/', 'Changed by hand:');
    replaceIn(join(folder, 'api/read/answer.ts'), 'there is nothing at', 'changed: there is nothing at');
    await shows('/api/films', 'changed: there is nothing at');
  } finally {
    const ended = new Promise((resolve) => child.once('close', resolve));
    process.kill(-child.pid!, 'SIGTERM');
    await ended;
  }
});
