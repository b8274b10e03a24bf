/** `awards enrich wikidata`: fills the record from files of Wikidata, SPARQL JSON results or dumps of entities. */
import { type EnrichedResource, enrichedResources } from '../../api/contract/enrichment.ts';
import type { Connection } from '../open.ts';
import { type Names, namesOf } from './entities.ts';
import { type Facts, FactsById, isEntityId, labelled, valuesOf } from './facts.ts';
import { type Candidate, type FillOptions, Filling } from './filling.ts';
import { canBeReadTwice, readInput, sizeOf } from './input.ts';
import { brief, type EnrichReport } from './report.ts';
import { type WantedRecord, wantedRecords } from './wanted.ts';
import { forEachEntity, readWikidataFile } from './wikidata-file.ts';
import { number } from '../numbers.ts';

export interface WikidataOptions extends FillOptions {
  /** Files, or "-" for standard input. */
  files: readonly string[];
  /** A file of entities with the labels of genres and places and the codes of countries. Default the dumps among the files. */
  labels?: string | undefined;
}

/**
 * Reads all files, then fills the record. A file that cannot be read changes nothing. Memory grows with the record, not with
 * the files.
 * @throws UserError if a file cannot be read, is cut off, or is of neither format
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
    const { files, labels } = this.#options;
    const retrievedAt = new Date().toISOString();
    const ids = new Set(Object.values(this.#wanted).flatMap((all) => all.map((each) => each.filmindexId)));
    const skip = (what: string, reason: string) => this.#filling.skip(what, reason);
    const total = await sizeOf(files);
    const dumps: string[] = [];
    for (const name of files) {
      const format = await readWikidataFile(name, this.#read(name, total), ids, this.#facts, skip);
      if (format === 'entities' && (await canBeReadTwice(name))) dumps.push(name);
    }
    await this.#addNames(labels === undefined ? dumps : [labels]);
    this.#count();
    const { resources } = this.#filling.report;
    const found = enrichedResources.reduce((sum, resource) => sum + resources[resource].found, 0);
    await this.#filling.fill(this.#candidates(retrievedAt), (done) =>
      this.#options.onProgress?.(done, found),
    );
    return this.#filling.report;
  }

  /** The bytes of a file, with progress. */
  #read(name: string, total: number): AsyncGenerator<Buffer> {
    return readInput(name, (bytes) => {
      this.#bytes += bytes;
      this.#options.onProgress?.(megabytes(this.#bytes), megabytes(total));
    });
  }

  /** Replaces the ids of genres, countries and places by their labels and codes. */
  async #addNames(files: readonly string[]): Promise<void> {
    const needed = new Set<string>();
    for (const { texts } of this.#facts.values())
      for (const variable of labelled)
        for (const text of texts[variable] ?? []) if (isEntityId(text)) needed.add(text);
    if (needed.size === 0) return;
    const names = new Map<string, Names>();
    const total = await sizeOf(files);
    this.#bytes = 0;
    for (const file of files)
      await forEachEntity(file, this.#read(file, total), {
        isWanted: (id) => needed.has(id),
        onEntity: (entity) => names.set(entity.id, namesOf(entity)),
        skip: () => {},
      });
    let missing = 0;
    for (const facts of this.#facts.values()) missing += nameTexts(facts, names);
    if (missing > 0)
      this.#filling.report.advice.push(
        `${number(missing)} genres, countries and places have no name in the source: --labels takes a file of entities that has them`,
      );
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

/** Replaces ids of entities by names. @returns the number of ids without a name, which are removed */
function nameTexts({ texts }: Facts, names: ReadonlyMap<string, Names>): number {
  let missing = 0;
  for (const variable of labelled)
    texts[variable] = texts[variable]?.flatMap((text) => {
      if (!isEntityId(text)) return [text];
      const found = names.get(text);
      const name = variable === 'country' ? found?.country : found?.label;
      if (name === undefined) missing += 1;
      return name ?? [];
    });
  return missing;
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
