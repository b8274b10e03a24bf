/**
 * The title of a deploy: its snapshot, its files, and its place in the history of the record. Within a
 * lineage of databases the higher revision is newer. Equal revisions may replace each other: another version
 * of the program makes other files of the same record. A restored database begins a lineage, because what was
 * published may hold records that the backup lacks.
 */
import { lineage, readBuild, revision } from '../../data/database/changes.ts';
import type { Connection } from '../../data/database/open.ts';
import { UserError } from '../../data/system/messages.ts';

export interface DeployTitle {
  snapshot: string;
  /** Hash of the paths and hashes of all files. */
  files: string;
  /** Undefined if no database knows the snapshot. */
  place: { lineage: string; revision: number } | undefined;
}

/**
 * Where a snapshot stands in the history of its database, and the number of changes that it lacks; no place
 * if the database does not know the snapshot.
 */
export function placeOf(
  connection: Connection | undefined,
  root: string,
  snapshot: string,
): Pick<DeployTitle, 'place'> & { behind: number } {
  const build = connection && readBuild(connection, root);
  if (connection === undefined || build?.snapshot !== snapshot) return { place: undefined, behind: 0 };
  const place = { lineage: lineage(connection), revision: build.revision };
  return { place, behind: revision(connection) - build.revision };
}

export function formatTitle({ snapshot, files, place }: DeployTitle): string {
  const history = place ? `revision ${place.revision} of ${place.lineage}` : 'no revision';
  return `snapshot ${snapshot}, files ${files}, ${history}`;
}

const pattern =
  /^snapshot ([0-9a-f]{20}), files ([0-9a-f]{20}), (?:revision ([0-9]{1,16}) of ([0-9a-f]{16})|no revision)$/;

/** undefined for a title that formatTitle() did not write. */
export function parseTitle(title: string): DeployTitle | undefined {
  const [, snapshot, files, revision, lineage] = pattern.exec(title) ?? [];
  if (snapshot === undefined || files === undefined) return undefined;
  return {
    snapshot,
    files,
    place: lineage === undefined ? undefined : { lineage, revision: Number(revision) },
  };
}

export type Shown = Pick<DeployTitle, 'snapshot' | 'place'>;

/** @param where for messages @throws UserError if `live` is newer than `next`, or not comparable with it */
export function refuseOlder(live: Shown, next: Shown, where: string): void {
  if (live.snapshot === next.snapshot) return;
  if (!live.place || live.place.lineage !== next.place?.lineage)
    throw new UserError(
      `${where} shows snapshot ${live.snapshot}, which comes from another database, or from before a restore, so it is unknown which is newer; --force replaces it`,
    );
  if (live.place.revision > next.place.revision)
    throw new UserError(
      `${where} shows a newer snapshot (${live.snapshot}, revision ${live.place.revision}) than this one (${next.snapshot}, revision ${next.place.revision}); publish from the database that made it, or replace it with --force`,
    );
}

/**
 * Contents that no database knows, with the place of the same snapshot that is live: else a publish without
 * the database would make every later one incomparable.
 */
export function withKnownPlace<T extends { title: DeployTitle }>(contents: T, live: Shown | undefined): T {
  const { title } = contents;
  if (title.place || live?.snapshot !== title.snapshot) return contents;
  return { ...contents, title: { ...title, place: live.place } };
}
