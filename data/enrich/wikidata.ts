/** `awards enrich wikidata`: fills the record from results of the queries of Wikidata. */
import { type EnrichedResource, enrichedResources } from '../../api/contract/enrichment.ts';
import type { Connection } from '../open.ts';
import { FactsById, valuesOf } from './facts.ts';
import { type Candidate, type FillOptions, Filling } from './filling.ts';
import { readInput, sizeOf } from './input.ts';
import { brief, type EnrichReport } from './report.ts';
import { type WantedRecord, wantedRecords } from './wanted.ts';
import { readResults } from './wikidata-file.ts';

export interface WikidataOptions extends FillOptions {
  /** Files, or "-" for standard input. */
  files: readonly string[];
}

/**
 * Reads all files, then fills the record. A file that cannot be read changes nothing. One file is in memory at a
 * time.
 * @throws UserError if a file cannot be read, is cut off, or has no results
 */
export async function enrichFromWikidata(
  connection: Connection,
  options: WikidataOptions,
): Promise<EnrichReport> {
  return new WikidataEnrichment(connection, options).run();
}

class WikidataEnrichment {
  readonly #options: WikidataOptions;
  readonly #filling: Filling;
  readonly #wanted: Record<EnrichedResource, WantedRecord[]>;
  readonly #facts = new FactsById();
  #bytes = 0;

  constructor(connection: Connection, options: WikidataOptions) {
    this.#options = options;
    this.#filling = new Filling(connection, 'wikidata', options);
    const wanted = enrichedResources.map((resource) => [resource, wantedRecords(connection, resource)]);
    this.#wanted = Object.fromEntries(wanted) as Record<EnrichedResource, WantedRecord[]>;
  }

  async run(): Promise<EnrichReport> {
    const { files } = this.#options;
    const retrievedAt = new Date().toISOString();
    const ids = new Set(Object.values(this.#wanted).flatMap((all) => all.map((each) => each.filmindexId)));
    const skip = (what: string, reason: string) => this.#filling.skip(what, reason);
    const total = await sizeOf(files);
    for (const name of files) readResults(name, await this.#read(name, total), ids, this.#facts, skip);
    this.#count();
    const { resources } = this.#filling.report;
    const found = enrichedResources.reduce((sum, resource) => sum + resources[resource].found, 0);
    await this.#filling.fill(this.#candidates(retrievedAt), (done) =>
      this.#options.onProgress?.(done, found),
    );
    return this.#filling.report;
  }

  /** The text of a file, with progress. */
  #read(name: string, total: number): Promise<string> {
    return readInput(name, (bytes) => {
      this.#bytes += bytes;
      this.#options.onProgress?.(megabytes(this.#bytes), megabytes(total));
    });
  }

  #count(): void {
    const { resources } = this.#filling.report;
    for (const resource of enrichedResources) {
      const own = resources[resource];
      const ids = this.#wanted[resource].map(({ filmindexId }) => filmindexId);
      own.wanted = ids.length;
      own.notFound = ids.filter((id) => this.#facts.get(id) === undefined);
      own.found = own.wanted - own.notFound.length;
    }
    // A source of films only says nothing about people.
    if (enrichedResources.some((resource) => resources[resource].found > 0))
      for (const resource of enrichedResources)
        if (resources[resource].found === 0) resources[resource].notFound = [];
  }

  *#candidates(retrievedAt: string): Generator<Candidate> {
    for (const resource of enrichedResources)
      for (const { id, filmindexId } of this.#wanted[resource]) {
        const facts = this.#facts.get(filmindexId);
        if (facts === undefined) continue;
        const { item } = facts;
        const values = valuesOf(resource, facts, (variable, text) =>
          this.#filling.skip(`${filmindexId} (${item}) ${variable}`, `${brief(text)} cannot be read`),
        );
        yield { resource, id, filmindexId, sourceId: item, retrievedAt, values };
      }
  }
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
