/** The commands "enrich …": fill unset fields of films and people from sources that the operator chooses. */
import { dirname, join } from 'node:path';
import type { FillOptions } from '../../data/enrich/filling.ts';
import type { QueryOptions } from '../../data/enrich/queries.ts';
import { number } from '../system/messages.ts';
import { tmdbAccount } from './accounts.ts';
import { type CommandOptions, print, withDatabase, withProgress } from './command.ts';

export const enrichCommands = { wikidata, tmdb, queries };

type EnrichOptions = CommandOptions & FillOptions;

async function wikidata(files: readonly string[], options: EnrichOptions): Promise<void> {
  const { enrichFromWikidata } = await import('../../data/enrich/wikidata.ts');
  const { renderEnrichReport } = await import('../../data/enrich/report.ts');
  const report = await withDatabase(options, true, (connection) =>
    withProgress('enriching', (onProgress) =>
      enrichFromWikidata(connection, { ...options, files, onProgress }),
    ),
  );
  print(options, report, renderEnrichReport(report));
}

async function tmdb(options: EnrichOptions & { cache?: string }): Promise<void> {
  const { enrichFromTmdb } = await import('../../data/enrich/tmdb.ts');
  const { renderEnrichReport } = await import('../../data/enrich/report.ts');
  const report = await withDatabase(options, true, (connection) => {
    const access = {
      ...tmdbAccount(),
      cache: options.cache ?? join(dirname(options.db), 'tmdb-cache.db'),
      now: () => new Date(),
    };
    return withProgress('asking TMDB', (onProgress) =>
      enrichFromTmdb(connection, { ...options, ...access, onProgress }),
    );
  });
  print(options, report, renderEnrichReport(report));
}

async function queries(
  folder: string,
  options: CommandOptions & Omit<QueryOptions, 'folder'>,
): Promise<void> {
  const { writeQueries } = await import('../../data/enrich/queries.ts');
  const { size, all } = options;
  const report = await withDatabase(options, true, (connection) =>
    writeQueries(connection, { folder, size, all }),
  );
  const { movies, nominees } = report.ids;
  print(
    options,
    report,
    `${folder}: ${report.files.length} queries for ${number(movies)} films and ${number(nominees)} people; docs/enrich.md says how to run them`,
  );
}
