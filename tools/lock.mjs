/**
 * Completes the lock files, or those that are named: asks the registry for the integrity of each entry that has none. Such
 * entries are packages for other platforms, which the registry at hand may lack.
 *
 *   npm run lock               writes what the registry knows; exit code 1 if entries stay incomplete
 *   npm run lock -- --report   writes nothing; prints a warning for each entry, which GitHub shows; exit code 0
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** The integrity of a package as the registry states it; undefined if the registry lacks the package. */
function integrityOf(spec) {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'];
    const words = ['view', spec, 'dist.integrity', '--json'];
    const integrity = JSON.parse(execFileSync('npm', words, { encoding: 'utf8', stdio }));
    return String(integrity).startsWith('sha512-') ? integrity : undefined;
  } catch {
    return undefined;
  }
}

const words = process.argv.slice(2);
const isReport = words.includes('--report');
const named = words.filter((word) => word !== '--report');
const files = named.length > 0 ? named : ['package-lock.json', 'tools/package-lock.json'];
for (const file of files) {
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const open = Object.entries(lock.packages).filter(
    ([path, { integrity, link }]) => path !== '' && integrity === undefined && link !== true,
  );
  let left = open.length;
  for (const [path, { version, ...rest }] of open) {
    const spec = `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`;
    const integrity = isReport ? undefined : integrityOf(spec);
    // After the version, where npm puts it.
    if (integrity !== undefined) lock.packages[path] = { version, integrity, ...rest };
    if (integrity !== undefined) left -= 1;
    const warning = `::warning file=${file}::${spec} has no integrity; "npm run lock" adds it`;
    process.stdout.write(`${isReport ? warning : `${spec}: ${integrity ?? 'unknown to the registry'}`}\n`);
  }
  if (left < open.length) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  const all = Object.keys(lock.packages).length - 1;
  process.stdout.write(`${file}: ${left} of ${all} packages without integrity\n`);
  if (!isReport && left > 0) process.exitCode = 1;
}
