/**
 * Completes the lock files, or those that are named: asks the registry for the integrity of each entry that has none. Such
 * entries are packages for other platforms, which the registry at hand may lack.
 *
 *   npm run lock               writes what the registry knows; exit code 1 if entries stay incomplete
 *   npm run lock -- --report   writes nothing; prints a warning for each entry, which GitHub shows; exit code 0
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { project } from '../support/project.ts';
import { type LockEntry, lockPaths, nameAt, readLock, unchecked } from './lock-file.ts';

/** The integrity of a package as the registry states it; undefined if the registry lacks the package. */
function integrityOf(name: string, version: string): string | undefined {
  try {
    const output = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const integrity: unknown = output && JSON.parse(output);
    return typeof integrity === 'string' && integrity.startsWith('sha512-') ? integrity : undefined;
  } catch {
    return undefined;
  }
}

/** The entry with its integrity after the version, where npm puts it. */
function completed({ version, ...rest }: LockEntry, integrity: string): LockEntry {
  return { version, integrity, ...rest };
}

/** Completes a lock file, or reports what it lacks. @returns the number of entries that stay incomplete */
function complete(file: string, isReport: boolean): number {
  const lock = readLock(file);
  const open = unchecked(lock);
  for (const [path, entry] of open) {
    const spec = `${nameAt(path)}@${entry.version}`;
    const integrity = isReport ? undefined : integrityOf(nameAt(path), entry.version);
    if (integrity !== undefined) lock.packages[path] = completed(entry, integrity);
    const warning = `::warning file=${file}::${spec} has no integrity; "npm run lock" adds it`;
    process.stdout.write(`${isReport ? warning : `${spec}: ${integrity ?? 'unknown to the registry'}`}\n`);
  }
  const left = unchecked(lock).length;
  if (!isReport && left < open.length)
    writeFileSync(resolve(project, file), `${JSON.stringify(lock, null, 2)}\n`);
  const all = Object.keys(lock.packages).length - 1;
  process.stdout.write(`${file}: ${left} of ${all} packages without integrity\n`);
  return left;
}

const words = process.argv.slice(2);
const isReport = words.includes('--report');
const named = words.filter((word) => word !== '--report');
const left = (named.length > 0 ? named : lockPaths).map((file) => complete(file, isReport));
if (!isReport && left.some((count) => count > 0)) process.exitCode = 1;
