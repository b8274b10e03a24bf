/** The promise: the commands of docs/systemd.md run as written, and the restore drill finds a backup that is of no use. */
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, inject, it } from 'vitest';
import { awards } from '../support/processes.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const textOf = (path: string) => readFileSync(join(project, path), 'utf8');

let root: string;
const at = (...path: string[]) => join(root, ...path);
beforeEach(() => {
  root = temporaryFolder();
  for (const folder of ['var/lib/film-awards', 'etc/systemd/system', 'usr/local/bin', 'tmp'])
    mkdirSync(at(folder), { recursive: true });
});
const variables = () => ({
  ...{ PATH: process.env.PATH, HOME: root, TMPDIR: at('tmp') },
  AWARDS: `${process.execPath} ${inject('cli')}`,
});

/** Places of the system, in the folder of the test. */
const inRoot = (text: string) =>
  text.replaceAll(/(?<![\w.])\/(opt|var\/lib|etc|usr\/local)\//g, (path) => at(path));

/** What stands for programs that need a system or a registry: "systemctl start" runs the command of the backup unit. */
function standIns(): string {
  const [, command = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(
    textOf('deploy/film-awards-backup.service'),
  )!;
  const backup = inRoot(command)
    .replace(/exec \S+ \S+main\.js/, '$AWARDS')
    .replaceAll('%%', '%');
  return `
sudo() { if [ "$1" = -E ]; then shift; fi; "$@"; }
npm() { [ "$1" = install ]; }
npx() { [ "$1" = film-awards ]; shift; $AWARDS "$@"; }
systemctl() { if [ "$*" = 'start film-awards-backup' ]; then AWARDS_DB=${at('var/lib/film-awards/awards.db')}; export AWARDS_DB; ${backup}; fi; }
`;
}

it('the page for systemd can be followed from the installation to the way back', async () => {
  const page = textOf('docs/systemd.md');
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
  expect(blocks.length).toBeGreaterThanOrEqual(7);
  copyFileSync(join(project, 'deploy/restore-drill.sh'), at('usr/local/bin/restore-drill.sh'));
  const outputs: string[] = [];
  for (const block of blocks) {
    const record = join(project, 'data/sample/record.tsv');
    const script = inRoot(block).replace(/https:\S+oscars\.csv/, record);
    if (block.includes('before-')) {
      const [copy] = /\/var\/lib\/\S+before-\d+/.exec(block)!;
      await awards(['backup', inRoot(copy), '--db', at('var/lib/film-awards/awards.db')]);
    }
    const { stdout } = await run('sh', ['-e', '-u', '-c', standIns() + script], {
      cwd: project,
      env: variables(),
    });
    outputs.push(stdout);
  }
  const output = outputs.join('');
  expect(output).toMatch(/fa_\w+/);
  expect(output).toContain('restore drill passed');
  expect(output).toMatch(/restored from .*before-/);
  expect(textOf('deploy/film-awards-backup.service')).toContain('-mtime +30 -delete');
  expect(readFileSync(at('etc/film-awards.env'), 'utf8')).toBe('AWARDS_ORIGIN=https://awards.example\n');
  expect(readdirSync(at('etc/systemd/system')).sort()).toEqual([
    ...['film-awards-backup.service', 'film-awards-backup.timer', 'film-awards.service'],
  ]);
});

it('the restore drill passes for a good backup alone, and leaves nothing behind', async () => {
  const backup = at('awards-2026-11-27.db');
  const made = await awards(['backup', backup, '--db', inject('sample').db]);
  expect(made.code).toBe(0);
  const drill = (...words: string[]) =>
    run(join(project, 'deploy/restore-drill.sh'), words, { env: variables() }).then(
      ({ stdout }) => stdout,
      ({ code, stderr }: { code: number; stderr: string }) => `${code}: ${stderr}`,
    );
  expect(await drill(root)).toMatch(
    /equal to a clean build[^\n]*\nthe service answers: 1352 nominations\nrestore drill passed: .*27\.db\n$/,
  );
  expect(await drill(at('none.db'))).toMatch(/^1: restore drill failed: there is no file/);
  expect(await drill(at('tmp'))).toMatch(/^1: restore drill failed: .* has no awards-\*\.db/);
  const old = new Date(Date.now() - 5 * 24 * 60 * 60 * 1000);
  utimesSync(backup, old, old);
  expect(await drill(root)).toMatch(/^1: restore drill failed: .* is older than 2 days/);
  truncateSync(backup, 100_000);
  expect(await drill(root, '9')).toMatch(/^1: [\s\S]*restore drill failed: .* was not restored/);
  expect(readdirSync(at('tmp'))).toEqual([]);
  expect(existsSync(backup)).toBe(true);
});
