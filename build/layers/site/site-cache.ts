/**
 * Keeps what was made of the site until its sources change: making it takes longer than building the sample. One file in the
 * folder where tools keep such things; whoever deletes it loses nothing.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

type Files = ReadonlyMap<string, Uint8Array>;

const defaultFile = fileURLToPath(
  new URL('../../../node_modules/.cache/film-awards/site.json', import.meta.url),
);

interface Kept {
  /** Fingerprint of what the files were made from. */
  fingerprint: string;
  /** Path and bytes in base 64, in their order. */
  files: [path: string, bytes: string][];
}

/**
 * The files that were kept for this fingerprint, or newly made ones.
 * @param make makes them; called where none were kept, or they are damaged
 * @param file where they are kept
 */
export async function keptOrMade(
  fingerprint: string,
  make: () => Promise<Files>,
  file = defaultFile,
): Promise<Files> {
  const kept = readKept(file, fingerprint);
  if (kept) return kept;
  const files = await make();
  keep(file, { fingerprint, files: [...files].map(([path, bytes]) => [path, base64(bytes)]) });
  return files;
}

function readKept(file: string, fingerprint: string): Files | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (text.slice(0, end) !== digestOf(body)) return undefined;
    const kept = JSON.parse(body) as Kept;
    if (kept.fingerprint !== fingerprint) return undefined;
    return new Map(kept.files.map(([path, bytes]) => [path, Buffer.from(bytes, 'base64')]));
  } catch {
    return undefined; // Not there, or not to be read: it is made anew.
  }
}

function keep(file: string, kept: Kept): void {
  const body = JSON.stringify(kept);
  // Others may be at it, too.
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, `${digestOf(body)}\n${body}`);
    renameSync(temporary, file);
  } catch {
    // Where nothing can be kept, it is made each time.
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
