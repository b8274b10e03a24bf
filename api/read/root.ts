/** The root of the API: what the record is, and the addresses of everything else. */
import type { ApiRoot } from '../contract/answers.ts';
import { downloadIndexPath, listIndexPath } from '../contract/layers.ts';
import { resourceNames } from '../contract/names.ts';
import { rankingNames } from '../contract/parameters.ts';
import { countsPath, listPath, openapiPath, rankingPath, searchPath } from '../contract/routes.ts';
import { sampleNotice } from '../contract/sample.ts';
import { manifestPath } from '../contract/snapshot.ts';
import type { Snapshot } from './snapshot.ts';

/** The text of the document. */
export function rootText({ id, manifest }: Snapshot): string {
  const { sample = false, counts } = manifest;
  const root: ApiRoot = {
    title: 'Film Awards',
    sample,
    notice: sample ? sampleNotice : null,
    snapshot: id,
    counts,
    resources: Object.fromEntries(
      resourceNames.map((name) => [name, listPath(name)]),
    ) as ApiRoot['resources'],
    search: searchPath,
    rankings: Object.fromEntries(
      rankingNames.map((name) => [name, rankingPath(name)]),
    ) as ApiRoot['rankings'],
    totals: countsPath,
    csv: `${listPath('nominations')}?format=csv`,
    downloads: `/${downloadIndexPath}`,
    lists: `/${listIndexPath}`,
    openapi: openapiPath,
    docs: '/docs',
    manifest: `/${manifestPath}`,
  };
  return `${JSON.stringify(root)}\n`;
}
