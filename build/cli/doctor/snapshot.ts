/** Checks the folder of the snapshot: whether it is whole, that of the database, and up to date; and the downloads beside it. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { manifestPath, parseManifest } from '../../../api/contract/snapshot.ts';
import { nodeDigest } from '../../../api/hosts/node-digest.ts';
import type { Content } from '../../../data/inspect.ts';
import { FolderOutput } from '../../snapshot/output.ts';
import { counted, type Finding, fine, note, reasonOf, skipped, wrong } from './finding.ts';

const subject = 'snapshot';
const building = '"awards build" makes it';

/** @returns what was found, and the snapshot's id if it is there */
export function checkSnapshot(
  out: string,
  content: Content | undefined,
): { finding: Finding; snapshot: string | undefined } {
  const without = (finding: Finding) => ({ finding, snapshot: undefined });
  const file = join(resolve(out), manifestPath);
  if (!existsSync(file)) return without(wrong(subject, `there is none in ${out}`, building));
  let manifest: ReturnType<typeof parseManifest>;
  try {
    manifest = parseManifest(readFileSync(file), nodeDigest);
  } catch (error) {
    return without(wrong(subject, `${out} cannot be read: ${reasonOf(error)}`, 'see who may read it'));
  }
  if (manifest === undefined)
    return without(
      wrong(
        subject,
        `${out}/${manifestPath} is damaged or of another version`,
        '"awards build --full" repairs it',
      ),
    );
  return { finding: judgeSnapshot(out, manifest.snapshot, content), snapshot: manifest.snapshot };
}

function judgeSnapshot(out: string, snapshot: string, content: Content | undefined): Finding {
  if (new FolderOutput(resolve(out)).interrupted)
    return wrong(subject, `a build of ${out} was cut short, or is at work`, '"awards build" makes it whole');
  if (content === undefined)
    return skipped(subject, `${out} holds ${snapshot}; of which database, cannot be told`);
  const { build, revision } = content;
  if (build?.snapshot !== snapshot)
    return wrong(
      subject,
      `${out} holds ${snapshot}, which was not built from this database`,
      '"awards build" replaces it',
    );
  const behind = revision - build.revision;
  if (behind > 0)
    return note(
      subject,
      `${out} is ${counted(behind, 'change')} behind the database`,
      '"awards build" brings them in',
    );
  return fine(subject, `${out} holds ${snapshot}, up to date with the database`);
}

export async function checkDownloads(out: string, snapshot: string | undefined): Promise<Finding> {
  if (snapshot === undefined) return skipped('downloads', 'they are made from a snapshot');
  const { currentIndex, readIndex } = await import('../../layers/downloads/index-file.ts');
  const root = resolve(out);
  const index = currentIndex(root, snapshot);
  if (index) return fine('downloads', `${counted(index.files.length, 'file')}, up to date with the snapshot`);
  const found = readIndex(root) ? 'they are of an earlier snapshot, or not whole' : 'there are none';
  return note('downloads', found, '"awards build" makes them');
}
