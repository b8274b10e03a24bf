/** A database in memory for each test of enrichment, files to read, and looks at the outcome. */
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach } from 'vitest';
import { defaultOf, type JsonValue } from '../../api/contract/bodies.ts';
import { type EnrichedResource, enrichedResources } from '../../api/contract/enrichment.ts';
import { readRecord } from '../../data/record/edits.ts';
import { allGiven } from '../../data/record/given.ts';
import { storedRecord } from '../../data/record/records.ts';
import type { EnrichReport } from '../../data/enrich/report.ts';
import { enrichFromWikidata, type WikidataOptions } from '../../data/enrich/wikidata.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

/** The n-th valid value of a field. */
export function sampleValue(field: string, n: number): JsonValue {
  if (Array.isArray(defaultOf(field))) return [`Text ${n}`, 'Z'];
  if (/(date|day)$/.test(field)) return `19${10 + n}-05-06`;
  if (/(runtime|_id)$/.test(field)) return 100 + n;
  return /_path$|^homepage$/.test(field) ? `https://example.org/${n}` : `Text ${n}`;
}

/** What sources gave, a line each, ascending by record and field. */
export function provenanceOf(connection: Connection): string[] {
  return enrichedResources.flatMap((resource) =>
    [...allGiven(connection, resource)].flatMap(([id, bySource]) => {
      const record = storedRecord(connection, resource, id);
      const lines = [...bySource].flatMap(([source, { fields, sourceId }]) =>
        Object.entries(fields).map(
          ([field, value]) =>
            `${resource} ${id} ${field}: ${source} ${sourceId}${record[field] === value ? '' : ' (edited)'}`,
        ),
      );
      return lines.filter((line) => !line.includes(': import ')).sort();
    }),
  );
}

export function useEnrichment() {
  const at = useWorkspace();
  let connection: Connection;
  let files = 0;
  beforeEach(() => {
    connection = openDatabase(':memory:');
  });
  afterEach(() => connection.close());

  /** Writes a file of a new name. */
  function file(content: string | Buffer): string {
    files += 1;
    at(''); // The folder exists from the first use.
    const path = at(`source-${files}`);
    writeFileSync(path, content);
    return path;
  }

  return {
    at,
    connection: () => connection,
    file,
    /** Enriches from the text of one file. */
    wikidata: (content: string | Buffer, options: Partial<WikidataOptions> = {}): Promise<EnrichReport> =>
      enrichFromWikidata(connection, { files: [file(content)], ...options }),
    /** The known fields of a record, without its id, name and id in the film index. */
    known(resource: EnrichedResource, id = 1): Record<string, unknown> {
      const record = readRecord(connection, resource, id)! as unknown as Record<string, unknown>;
      const isKnown = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);
      return Object.fromEntries(
        Object.entries(record).filter(
          ([field, value]) => !['id', 'title', 'name', 'filmindex_id'].includes(field) && isKnown(value),
        ),
      );
    },
    /** "resource id field: source sourceId", with "(edited)" where something else changed the field since. */
    provenance: (): string[] => provenanceOf(connection),
    /** Everything in the database that an enrichment may change. */
    everything: () =>
      ['movies', 'nominees', 'given', 'receipts', 'changes'].map((table) =>
        connection.prepare(`SELECT * FROM ${table}`).all(),
      ),
  };
}
