/**
 * The title of a deploy tells which snapshot it holds, a hash of all its other files, and its place in the history of the
 * record: `builds.revision` within one lineage of databases (`data/lineage.ts`). Within a lineage the higher revision is newer.
 * Equal revisions may replace each other: another version of the program makes other files of the same record. Places of two
 * lineages cannot be compared, so only `--force` replaces one by the other.
 */
import { UserError } from '../../data/user-error.ts';

/** A place in the history of a record. */
export interface Place {
  lineage: string;
  revision: number;
}

export interface DeployTitle {
  snapshot: string;
  /** Hash of the files beside the snapshot; empty for none. */
  rules: string;
  /** undefined if no database knows the snapshot. */
  place: Place | undefined;
}

export function formatTitle({ snapshot, rules, place }: DeployTitle): string {
  const history = place ? `revision ${place.revision} of ${place.lineage}` : 'no revision';
  return `snapshot ${snapshot}, rules ${rules || 'none'}, ${history}`;
}

const pattern =
  /^snapshot ([0-9a-f]{20}), rules ([0-9a-f]{20}|none), (?:revision ([0-9]{1,16}) of ([0-9a-f]{16})|no revision)$/;

/** undefined for a title that formatTitle() did not write. */
export function parseTitle(title: string): DeployTitle | undefined {
  const [whole, snapshot, rules, revision, lineage] = pattern.exec(title) ?? [];
  if (whole === undefined) return undefined;
  const place = lineage === undefined ? undefined : { lineage, revision: Number(revision) };
  return { snapshot: snapshot!, rules: rules === 'none' ? '' : rules!, place };
}

/** @param where for messages @throws UserError if `live` is newer than `next`, or not comparable with it */
export function refuseOlder(live: DeployTitle, next: DeployTitle, where: string): void {
  if (live.snapshot === next.snapshot) return;
  if (!live.place || !next.place || live.place.lineage !== next.place.lineage)
    throw new UserError(
      `${where} shows snapshot ${live.snapshot}, which comes from another database, so it is unknown which is newer; --force replaces it`,
    );
  if (live.place.revision > next.place.revision)
    throw new UserError(
      `${where} shows a newer snapshot (${live.snapshot}, revision ${live.place.revision}) than this one (${next.snapshot}, revision ${next.place.revision}); publish from the database that made it, or replace it with --force`,
    );
}
