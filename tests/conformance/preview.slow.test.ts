/** The promise: `npm run preview` shows a built folder as a host of plain files does: pages at their addresses, and files. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { pageAddresses } from '../../build/site/shared/hosting.ts';
import { freePort } from '../support/loopback.ts';
import { addressOf } from '../support/processes.ts';
import { project } from '../support/project.ts';

const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  scripts: { preview: string };
};

it('npm run preview answers pages, deep links, downloads and unknown addresses from the files', async () => {
  const { out } = inject('sample');
  const child = spawn('sh', ['-c', scripts.preview], {
    cwd: project,
    env: {
      PATH: `${join(project, 'node_modules/.bin')}:${process.env.PATH}`,
      AWARDS_DIST: out,
      PORT: String(await freePort()),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const origin = await addressOf(child);
  const shown = [
    ...[...pageAddresses].map(([address, file]) => [address.replaceAll(/\{\w+\}/g, '7'), file, 200]),
    ['/docs/', 'docs/index.html', 200],
    ['/movies?genre=drama&page=2', 'index.html', 200],
    ...['manifest.json', 'api/movies/1.json', 'downloads/index.json'].map((file) => [`/${file}`, file, 200]),
    ...['/nowhere', '/api', '/movies/7/8'].map((address) => [address, '404.html', 404]),
  ] as const;
  for (const [address, file, status] of shown) {
    const answer = await fetch(`${origin}${address}`);
    const isFile = (await answer.text()) === readFileSync(join(out, String(file)), 'utf8');
    expect([address, answer.status, isFile]).toEqual([address, status, true]);
  }
  child.kill('SIGTERM');
  await ended;
});
