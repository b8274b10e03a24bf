/** Checks the folder of the snapshot: whether it is whole, that of the database, and up to date; and the downloads beside it. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { layerNames } from '../../../api/contract/layers.ts';
import { manifestPath, parseManifest } from '../../../api/contract/snapshot.ts';
import { nodeDigest } from '../../../api/hosts/node-digest.ts';
import type { Content } from '../../../data/inspect.ts';
import { readLayerIndex } from '../../layers/layer-index.ts';
import { OutputFolder } from '../../snapshot/output-folder.ts';
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

/** Checks the layers: each must be made from the current snapshot. */
export function checkLayers(out: string, snapshot: string | undefined): Finding[] {
  const folder = new OutputFolder(out);
  return layerNames.map((layer) => {
    if (snapshot === undefined) return skipped(layer, 'they are made from a snapshot');
    const index = readLayerIndex(folder, layer);
    if (index === undefined) return note(layer, 'there are none', building);
    if (index.pending) return note(layer, 'the last update was interrupted, or is running', building);
    return index.manifest.snapshot === snapshot
      ? fine(layer, 'up to date with the snapshot')
      : note(layer, 'made from an earlier snapshot', '"awards build" updates them');
  });
}
