/**
 * Installs the programs that the checks run, at the versions and hashes of tools/package-lock.json, and runs one of them in the
 * current folder.
 *
 *   node tools/run.mjs                          installs them, where they are missing or of another lock file
 *   node tools/run.mjs biome lint               installs them, then runs node_modules/.bin/biome
 *
 * They stay out of the package of the project, whose `npm ci` would take four times the space.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, lstatSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const isWindows = process.platform === 'win32';
const lock = at('package-lock.json');
/** A copy of the lock file of a finished installation. */
const installed = at('node_modules/.installed.json');

/** Runs a program to its end, and ends this process if it fails. On Windows, npm and its links are scripts for a shell. */
function run(program, words, options) {
  const { status, error } = spawnSync(program, words, { stdio: 'inherit', shell: isWindows, ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== readFileSync(lock, 'utf8')) {
  // "npm ci" would empty the folder that a link leads to, which another checkout uses.
  if (lstatSync(at('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    process.stderr.write(
      'tools/node_modules is a link to tools of another lock file; remove the link, then run the command again\n',
    );
    process.exit(1);
  }
  process.stderr.write('installing the tools of the checks into tools/node_modules\n');
  // stdout belongs to the tool.
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: at('.'),
    stdio: ['ignore', 2, 2],
  });
  copyFileSync(lock, installed);
}
const [name, ...words] = process.argv.slice(2);
if (name !== undefined) run(at(`node_modules/.bin/${name}`), words);
