/** The commands "enrich …": fill unset fields of films and people from sources that the operator chooses. */
import { dirname, join } from 'node:path';
import type { FillOptions } from '../../data/enrich/filling.ts';
import { type QueryOptions, writeQueries } from '../../data/enrich/queries.ts';
import { renderEnrichReport } from '../../data/enrich/report.ts';
import { enrichFromTmdb } from '../../data/enrich/tmdb.ts';
import { enrichFromWikidata } from '../../data/enrich/wikidata.ts';
import { number } from '../../data/system/messages.ts';
import { type CommandOptions, print, withDatabase, withProgress } from './command.ts';
import { tmdbAccount } from './environment.ts';

type EnrichOptions = CommandOptions & FillOptions;

export async function wikidata(files: readonly string[], options: EnrichOptions): Promise<void> {
  const report = await withDatabase(options, true, (connection) =>
    withProgress('enriching', (onProgress) =>
      enrichFromWikidata(connection, { ...options, files, onProgress }),
    ),
  );
  print(options, report, renderEnrichReport(report));
}

export async function tmdb(options: EnrichOptions & { cache?: string }): Promise<void> {
  const { cache = join(dirname(options.db), 'tmdb-cache.db') } = options;
  const access = { ...tmdbAccount(), cache, now: () => new Date() };
  const report = await withDatabase(options, true, (connection) =>
    withProgress('asking TMDB', (onProgress) =>
      enrichFromTmdb(connection, { ...options, ...access, onProgress }),
    ),
  );
  print(options, report, renderEnrichReport(report));
}

export async function queries(
  folder: string,
  options: CommandOptions & Omit<QueryOptions, 'folder'>,
): Promise<void> {
  const report = await withDatabase(options, true, (connection) =>
    writeQueries(connection, { ...options, folder }),
  );
  const { movies, nominees } = report.ids;
  print(
    options,
    report,
    `${folder}: ${report.files.length} queries for ${number(movies)} films and ${number(nominees)} people; docs/enrich.md says how to run them`,
  );
}
