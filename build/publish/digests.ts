/**
 * The SHA-1 of every file, which the host wants, without reading every file: what the snapshot itself tells of a file is its
 * contentHash, and what that is in SHA-1 never changes. So a kept pair is right for ever, wherever the file lies, and only
 * content that was never published from here is read. It is kept in a file beside the folder rather than in the database:
 * nothing is lost with it, and 32,000 rows would wait for the writer's turn and go into every backup.
 */
import { contentHash } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import type { SnapshotFolder } from './folder.ts';
import type { PublishState } from './publish-state.ts';
import { sha1 } from './rules.ts';

const fileName = 'digests';
/** contentHash, space, SHA-1, line feed. */
const lineLength = 20 + 1 + 40 + 1;
/** Files read at a time. */
const readers = 16;
/** Bytes of files kept once they are read: the whole record takes half of it. */
const maxHeldBytes = 128 * 1024 * 1024;

export interface Digests {
  /** Path → SHA-1. */
  digests: Map<string, string>;
  /** SHA-1 → bytes of what had to be read, as far as there is room: whatever builds do meanwhile, it can still be sent. */
  held: Map<string, Buffer>;
}

/**
 * The SHA-1 of every listed file.
 * @throws SnapshotChanged, UserError as SnapshotFolder.read() does
 */
export async function digestsOf(
  folder: SnapshotFolder,
  memory: PublishState,
  onProgress?: (done: number, total: number) => void,
): Promise<Digests> {
  const known = parseDigests(memory.read(fileName));
  const missing = new Map<string, string>();
  for (const [path, hash] of folder.files)
    if (!known.has(hash) && !missing.has(hash)) missing.set(hash, path);
  const paths = missing.entries();
  const held = new Map<string, Buffer>();
  let [done, room] = [0, maxHeldBytes];
  const reader = async () => {
    for (const [hash, path] of paths) {
      const bytes = await folder.read(path);
      const digest = sha1(bytes);
      known.set(hash, digest);
      room -= bytes.length;
      if (room >= 0) held.set(digest, bytes);
      done += 1;
      if (done % 512 === 0) onProgress?.(done, missing.size);
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  const digests = new Map<string, string>();
  const kept = new Map<string, string>();
  for (const [path, hash] of folder.files) {
    const digest = known.get(hash)!;
    digests.set(path, digest);
    kept.set(hash, digest);
  }
  if (missing.size > 0 || kept.size !== known.size) memory.write(fileName, digestsText(kept));
  return { digests, held };
}

/** Begins with a hash of itself: a wrong digest would ask for a file that nobody has. */
function digestsText(digests: ReadonlyMap<string, string>): string {
  const lines: string[] = [];
  for (const [hash, digest] of digests) lines.push(`${hash} ${digest}\n`);
  const text = lines.join('');
  return `${contentHash(Buffer.from(text), nodeDigest)}\n${text}`;
}

function parseDigests(bytes: Buffer | undefined): Map<string, string> {
  const digests = new Map<string, string>();
  const body = bytes?.subarray(21);
  if (bytes === undefined || body === undefined) return digests;
  if (bytes.toString('latin1', 0, 20) !== contentHash(body, nodeDigest)) return digests;
  const text = body.toString('latin1');
  for (let at = 0; at < text.length; at += lineLength)
    digests.set(text.slice(at, at + 20), text.slice(at + 21, at + 61));
  return digests;
}
