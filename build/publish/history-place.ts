/** Where a snapshot stands in the history of its database. */
import { readBuild } from '../../data/database/builds.ts';
import { lineage, revision } from '../../data/database/changes.ts';
import type { Connection } from '../../data/database/open.ts';
import type { DeployTitle } from './deploy-title.ts';

/**
 * @returns its place, and the number of changes that it lacks; no place if the database does not know the
 *   snapshot
 */
export function historyPlaceOf(
  connection: Connection | undefined,
  root: string,
  snapshot: string,
): Pick<DeployTitle, 'place'> & { behind: number } {
  const build = connection && readBuild(connection, root);
  if (connection === undefined || build?.snapshot !== snapshot) return { place: undefined, behind: 0 };
  const place = { lineage: lineage(connection), revision: build.revision };
  return { place, behind: revision(connection) - build.revision };
}
