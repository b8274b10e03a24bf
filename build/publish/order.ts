/**
 * Which snapshot is newer. Every deploy carries a label: the snapshot's id, a hash of the rules that went with it, and its
 * place in the history of a record, which is the number of the last change it holds (`builds.revision`) within one lineage of
 * databases (`data/changes.ts`). Of two labels of one lineage the one with the higher revision is newer; equal revisions are
 * as new as each other, so that another version of the program may replace what the one before made of the same record.
 * Labels of two lineages, or without a place, cannot be compared: only a person may decide that one replaces the other.
 */
import { UserError } from '../../data/user-error.ts';

/** A place in the history of a record. */
export interface Place {
  lineage: string;
  revision: number;
}

export interface Label {
  snapshot: string;
  /** Hash of everything that goes along with the snapshot; empty for nothing. */
  rules: string;
  /** undefined where no database knows the snapshot. */
  place: Place | undefined;
}

/** A label as the title of a deploy. */
export function labelText({ snapshot, rules, place }: Label): string {
  const history = place ? `revision ${place.revision} of ${place.lineage}` : 'no revision';
  return `snapshot ${snapshot}, rules ${rules || 'none'}, ${history}`;
}

const pattern =
  /^snapshot ([0-9a-f]{20}), rules ([0-9a-f]{20}|none), (?:revision ([0-9]{1,16}) of ([0-9a-f]{16})|no revision)$/;

/** The label that a title is; undefined for any other title. */
export function parseLabel(title: string): Label | undefined {
  const [whole, snapshot, rules, revision, lineage] = pattern.exec(title) ?? [];
  if (whole === undefined) return undefined;
  const place = lineage === undefined ? undefined : { lineage, revision: Number(revision) };
  return { snapshot: snapshot!, rules: rules === 'none' ? '' : rules!, place };
}

/** @throws UserError if a snapshot must not take the place of the one that is there, saying why. @param where for people */
export function refuseOlder(there: Label, ours: Label, where: string): void {
  if (there.snapshot === ours.snapshot) return;
  if (!there.place || !ours.place || there.place.lineage !== ours.place.lineage)
    throw new UserError(
      `${where} shows snapshot ${there.snapshot}, which comes from another database: nobody can tell which is newer; --force replaces it`,
    );
  if (there.place.revision > ours.place.revision)
    throw new UserError(
      `${where} shows a newer snapshot (${there.snapshot}, revision ${there.place.revision}) than this one (${ours.snapshot}, revision ${ours.place.revision}); publish from the database that made it, or --force an older one upon it`,
    );
}
