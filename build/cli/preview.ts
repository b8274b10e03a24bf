/**
 * `npm run preview`: shows the folder of the snapshot as a host of plain files does, with the package `serve`. The API computes
 * nothing there; pages, deep links and downloads work.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { isFolder } from '../../data/durable-files.ts';
import { UserError } from '../../data/user-error.ts';
import { environment } from './environment.ts';
import { exitCodes, folder, host, port } from './program.ts';
import { type ListenAddress, refuseTakenPort } from './serve-commands.ts';
import { previewRules } from './web-servers.ts';

interface PreviewOptions extends ListenAddress {
  out: string;
}

/** Runs until it is stopped. @throws UserError if there is no folder, the port cannot be opened, or the package is missing */
async function preview(options: PreviewOptions): Promise<void> {
  const { out } = options;
  if (!isFolder(out)) throw new UserError(`there is no folder ${out}; "awards build" makes it`);
  await refuseTakenPort(options);
  const script = packageScript();
  const work = mkdtempSync(join(tmpdir(), 'awards-preview-'));
  const rules = join(work, 'serve.json');
  writeFileSync(rules, JSON.stringify(previewRules()));
  const address = `tcp://${options.host}:${options.port}`;
  const words = ['--config', rules, '--listen', address, '--no-clipboard', '--no-port-switching'];
  const child = spawn(process.execPath, [script, resolve(out), ...words], {
    stdio: 'inherit',
    // It would ask the registry for a newer version.
    env: { ...environment, NO_UPDATE_CHECK: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('close', (code) => {
    rmSync(work, { recursive: true, force: true });
    process.exitCode = code ?? exitCodes.done;
  });
}

function packageScript(): string {
  try {
    return createRequire(import.meta.url).resolve('serve/build/main.js');
  } catch (error) {
    throw new UserError('the package "serve" is not installed; run "npm ci"', { cause: error });
  }
}

const command = new Command('npm run preview --')
  .usage('[options]')
  .description('Show the folder of the snapshot as a host of plain files does.')
  .addOption(folder())
  .addOption(port())
  .addOption(host())
  .allowExcessArguments(false)
  .showHelpAfterError('(--help lists the options)')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? exitCodes.done : exitCodes.usage))
  .action(preview);
try {
  await command.parseAsync();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`preview: ${error.message}\n`);
  process.exitCode = exitCodes.failed;
}
