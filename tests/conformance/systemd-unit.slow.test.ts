/** The systemd unit is valid, and starts what the project has. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { program } from '../../build/package/sources.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { project } from '../support/project.ts';
import { isInstalled } from './web-server.ts';

const unit = readFileSync(join(project, 'deploy/film-awards.service'), 'utf8');

it('systemd finds no fault in the unit', (context) => {
  if (!isInstalled('systemd-analyze', '--version')) return context.skip('there is no systemd-analyze here');
  const file = join(temporaryFolder(), 'film-awards.service');
  // systemd looks whether the program is there.
  expect(unit).toContain('ExecStart=/usr/bin/node ');
  writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((line) => line.includes('film-awards.service'))).toEqual([]);
  expect(status).toBe(0);
});

it('the unit starts the installed package, with the options of "npm start"', () => {
  const [, command = ''] = /^ExecStart=\/usr\/bin\/(.*)$/m.exec(unit)!;
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const entry = `node_modules/film-awards/${program}`;
  expect(`exec ${command}`).toBe(scripts.start!.replace('--import tsx build/cli/main.ts', entry));
});
