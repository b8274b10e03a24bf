/**
 * `npm run preview`: shows the folder of the snapshot as a host of plain files does, with the package `serve`. The API computes
 * nothing there; pages, deep links and downloads work. AWARDS_DIST, HOST and PORT set folder and address.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { UserError } from '../../data/user-error.ts';
import { commandVariables, environment } from './environment.ts';
import { previewRules } from './web-servers.ts';

const setting = (name: 'AWARDS_DIST' | 'HOST' | 'PORT'): string =>
  environment[name] ?? String(commandVariables[name].default);

/** Runs until it is stopped. @throws UserError if the package is missing */
function preview(): void {
  const script = packageScript();
  const work = mkdtempSync(join(tmpdir(), 'awards-preview-'));
  const rules = join(work, 'serve.json');
  writeFileSync(rules, JSON.stringify(previewRules()));
  const address = `tcp://${setting('HOST')}:${setting('PORT')}`;
  const words = ['--config', rules, '--listen', address, '--no-clipboard', '--no-port-switching'];
  const child = spawn(process.execPath, [script, resolve(setting('AWARDS_DIST')), ...words], {
    stdio: 'inherit',
    // It would ask the registry for a newer version.
    env: { ...environment, NO_UPDATE_CHECK: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('close', (code) => {
    rmSync(work, { recursive: true, force: true });
    process.exitCode = code ?? 0;
  });
}

function packageScript(): string {
  try {
    return createRequire(import.meta.url).resolve('serve/build/main.js');
  } catch (error) {
    throw new UserError('the package "serve" is not installed; run "npm ci"', { cause: error });
  }
}

preview();
