/** The promise: `npm run preview` shows a built folder as a host of plain files: pages, deep links, downloads, and no locks. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { layersLockName, snapshotLockName } from '../../build/snapshot/output-folder.ts';
import { overHttp } from '../conformance/http-client.ts';
import { pageDifferences } from '../conformance/site-pages.ts';
import { readTree } from '../snapshot/tree.ts';
import { project } from '../support/project.ts';
import { freePort } from '../support/loopback.ts';
import { addressOf, outcomeOf, startNode } from '../support/processes.ts';

/** The words behind `exec node` of the script, and then more. */
function previewWords(...more: string[]): string[] {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return [...scripts.preview!.split(' ').slice(2), ...more];
}

it('explains its options, and refuses wrong ones and what cannot be shown in one line', async () => {
  const { out } = inject('sample');
  const run = (...words: string[]) => outcomeOf(startNode(previewWords(...words)));
  const help = await run('--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const text of ['--out <dir>', '--port <number>', '--host <address>'])
    expect(help.stdout).toContain(text);
  expect(await run('--prot', '1')).toMatchObject({ code: 2, stderr: expect.stringContaining("'--prot'") });
  expect(await run('--port', 'abc')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/whole number/),
  });
  const none = await run('--out', join(out, 'none'));
  expect(none).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^preview: there is no folder .*\n$/),
  });
  const elsewhere = await run('--out', out, '--host', '192.0.2.1');
  expect(elsewhere).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^preview: cannot listen .*\n$/),
  });
});

it('shows pages, deep links and downloads, and hides what a host must not show', async () => {
  const { out } = inject('sample');
  const port = await freePort();
  const child = startNode(previewWords(), { AWARDS_DIST: out, PORT: String(port), HOST: '127.0.0.1' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await addressOf(child);
  const { runtime, close } = overHttp(`http://127.0.0.1:${port}`);
  // All files of the folder, the downloads among them.
  expect(existsSync(join(out, 'downloads/index.json'))).toBe(true);
  expect(await pageDifferences(runtime, out, false)).toEqual([]);
  const paths = [...readTree(out).keys()].filter((path) => path.startsWith('api/'));
  const [deepest = ''] = paths.sort((a, b) => b.split('/').length - a.split('/').length);
  for (const path of ['api/movies/1.json', deepest]) {
    const page = await runtime({ method: 'GET', target: `/pages/${path}` });
    expect(Buffer.from(page.body).equals(readFileSync(join(out, path))), path).toBe(true);
    expect(page.headers.get('access-control-allow-origin')).toBe('*');
  }
  const missing = await runtime({ method: 'GET', target: '/nowhere' });
  const notFound = readFileSync(join(out, '404.html'));
  expect([missing.status, Buffer.from(missing.body).equals(notFound)]).toEqual([404, true]);
  for (const path of [snapshotLockName, layersLockName, '_headers', '.assetsignore', 'api']) {
    const hidden = await fetch(`http://127.0.0.1:${port}/${path}`);
    expect([path, hidden.status, await hidden.text()]).toEqual([path, 404, notFound.toString()]);
  }
  close();
  child.kill('SIGTERM');
  await ended;
});
