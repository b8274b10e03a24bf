/** The root of the API: what the record is, and the addresses of everything else. */
import type { ApiRoot } from '../contract/answers.ts';
import { downloadIndexPath, listIndexPath } from '../contract/layers.ts';
import { documentationPath, listedAddresses, openapiPath } from '../contract/routes.ts';
import { sampleNotice } from '../contract/sample.ts';
import { manifestPath } from '../contract/snapshot.ts';
import type { Snapshot } from './snapshot.ts';

/** The header Link of the root: what describes the API, for programs and for people (RFC 8631). */
export const serviceLinks = `<${openapiPath}>; rel="service-desc"; type="application/json", <${documentationPath}>; rel="service-doc"; type="text/html"`;

/** @throws SnapshotUnavailable */
export async function rootDocument(snapshot: Snapshot): Promise<ApiRoot> {
  const { sample, sources, counts } = snapshot.manifest;
  const { year } = await snapshot.table('ceremonies');
  return {
    name: 'Film Awards',
    documentation: documentationPath,
    openapi: openapiPath,
    downloads: `/${downloadIndexPath}`,
    snapshot: snapshot.id,
    record: {
      ...counts,
      first_year: year.length > 0 ? Math.min(...year) : null,
      last_year: year.length > 0 ? Math.max(...year) : null,
    },
    sources: [...sources],
    ...(sample && { sample, notice: sampleNotice }),
    ...listedAddresses(),
    lists: `/${listIndexPath}`,
    manifest: `/${manifestPath}`,
  };
}
