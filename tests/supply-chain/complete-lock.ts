/**
 * Completes package-lock.json, or another lock file that is named: asks the registry for the integrity of each entry that has none. Such entries are packages for
 * other platforms, which the registry at hand may lack.
 *
 *   npm run lock               writes what the registry knows; exit code 1 if entries stay incomplete
 *   npm run lock -- --report   writes nothing; prints a warning for each entry, which GitHub shows; exit code 0
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type LockEntry, lockPath, nameAt, readLock, unchecked } from './lock-file.ts';

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

const words = process.argv.slice(2);
const isReport = words.includes('--report');
const file = words.find((word) => word !== '--report') ?? lockPath;
const lock = readLock(file);
const open = unchecked(lock);
for (const [path, entry] of open) {
  const spec = `${nameAt(path)}@${entry.version}`;
  const integrity = isReport ? undefined : integrityOf(nameAt(path), entry.version);
  if (integrity !== undefined) lock.packages[path] = completed(entry, integrity);
  const warning = `::warning file=package-lock.json::${spec} has no integrity; "npm run lock" adds it`;
  process.stdout.write(`${isReport ? warning : `${spec}: ${integrity ?? 'unknown to the registry'}`}\n`);
}
const left = unchecked(lock).length;
if (!isReport && left < open.length) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${left} of ${Object.keys(lock.packages).length - 1} packages without integrity\n`);
if (!isReport && left > 0) process.exitCode = 1;
