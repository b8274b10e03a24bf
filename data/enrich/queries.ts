/**
 * `awards enrich queries`: the shipped SPARQL queries in parts, with the ids of the record that lack
 * something.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EnrichedResource, enrichedResources } from '../../api/contract/enrichment.ts';
import { makeFolders } from '../system/files.ts';
import type { Connection } from '../database/open.ts';
import { wikidataFields } from './wikidata.ts';
import { wantedRecords } from './wanted.ts';

export interface QueryOptions {
  folder: string;
  size: number;
  /** Also ask for records without an unset field, for --refresh. */
  all?: boolean | undefined;
}

interface QueryReport {
  folder: string;
  /** File names, in order. */
  files: string[];
  ids: Record<EnrichedResource, number>;
}

const names: Readonly<Record<EnrichedResource, string>> = { movies: 'films', nominees: 'people' };

/** Writes the queries. Files of an earlier run with the same names are replaced. */
export function writeQueries(connection: Connection, { folder, size, all }: QueryOptions): QueryReport {
  makeFolders(folder);
  const report: QueryReport = { folder, files: [], ids: { movies: 0, nominees: 0 } };
  for (const resource of enrichedResources) {
    const name = names[resource];
    const query = readFileSync(new URL(`${name}.rq`, import.meta.url), 'utf8');
    const wanted = wantedRecords(connection, resource, wikidataFields(resource));
    const incomplete = wanted.filter(({ isIncomplete }) => all || isIncomplete);
    const ids = [...new Set(incomplete.map(({ filmindexId }) => filmindexId))];
    report.ids[resource] = ids.length;
    for (let first = 0; first < ids.length; first += size) {
      const number = String(first / size + 1).padStart(3, '0');
      const file = `${name}-${number}.rq`;
      writeFileSync(join(folder, file), withIds(query, ids.slice(first, first + size)));
      report.files.push(file);
    }
  }
  return report;
}

/** A query with ids in place of its example. */
export const withIds = (query: string, ids: readonly string[]): string =>
  query.replace(/VALUES \?imdb \{[^}]*\}/, `VALUES ?imdb { ${ids.map((id) => `"${id}"`).join(' ')} }`);
