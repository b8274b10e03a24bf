/** What an enrichment did, as data and as text. */
import type { JsonValue } from '../../api/contract/bodies.ts';
import {
  type EnrichedResource,
  type EnrichmentSource,
  enrichedResources,
  enrichmentSources,
} from '../../api/contract/enrichment.ts';
import { counted, number } from '../system/messages.ts';

interface ResourceReport {
  /** Records with an id that the source could know. */
  wanted: number;
  found: number;
  changed: number;
  /** Field → number of values. */
  filled: Record<string, number>;
  renewed: Record<string, number>;
  /** Values that expired, and that the source does not give any more. */
  removed: Record<string, number>;
  /**
   * Ids in the film index that the source does not have. Empty if the source has no record of this resource,
   * but some of another: a file of films says nothing about people.
   */
  notFound: string[];
}

/** The record and the source have different values, or the source contradicts itself. Nothing was changed. */
interface Contradiction {
  resource: EnrichedResource;
  id: number;
  field: string;
  record: JsonValue;
  source: JsonValue;
  /** What is wrong with the value of the source; undefined if only the record has another one. */
  reason?: string;
}

/** A part of the source, or a value, that was not used. */
export interface Skipped {
  what: string;
  reason: string;
}

export interface EnrichReport {
  source: EnrichmentSource;
  dryRun: boolean;
  /** Whether the limit ended it. */
  isLimited: boolean;
  resources: Record<EnrichedResource, ResourceReport>;
  contradicted: Contradiction[];
  skipped: Skipped[];
}

export function emptyReport(source: EnrichmentSource, dryRun: boolean): EnrichReport {
  const resources = enrichedResources.map((resource): [EnrichedResource, ResourceReport] => [
    resource,
    { wanted: 0, found: 0, changed: 0, filled: {}, renewed: {}, removed: {}, notFound: [] },
  ]);
  return {
    source,
    dryRun,
    isLimited: false,
    resources: Object.fromEntries(resources) as EnrichReport['resources'],
    contradicted: [],
    skipped: [],
  };
}

/** Items of a list that a summary names. */
const maxNamed = 5;

/** The report as lines of text, without a line break at the end. */
export function renderEnrichReport(report: EnrichReport): string {
  const { title, notice } = { notice: undefined, ...enrichmentSources[report.source] };
  const lines = enrichedResources.flatMap((resource) =>
    resourceLines(resource, title, report.resources[resource]),
  );
  if (report.contradicted.length > 0)
    lines.push(
      `different in ${title}, not changed: ${counted(report.contradicted.length, 'value')} (${named(report.contradicted, contradictionText, '; ')})`,
    );
  if (report.skipped.length > 0)
    lines.push(
      `skipped: ${number(report.skipped.length)} (${named(report.skipped, ({ what, reason }) => `${what}: ${reason}`, '; ')})`,
    );
  if (report.isLimited) lines.push('stopped at --limit; run the command again for the rest');
  if (notice !== undefined) lines.push(notice);
  if (report.dryRun) lines.push('dry run: nothing was changed');
  return lines.join('\n');
}

function resourceLines(resource: EnrichedResource, title: string, own: ResourceReport): string[] {
  const { wanted, found, changed, filled, renewed, removed, notFound } = own;
  const parts = (counts: Record<string, number>, verb: string) => {
    const list = Object.entries(counts).map(([field, count]) => `${field} ${number(count)}`);
    return list.length === 0 ? [] : [`${verb}: ${list.join(', ')}`];
  };
  const lines = [
    [
      `${resource}: ${number(found)} of ${number(wanted)} found in ${title}, ${number(changed)} changed`,
      ...parts(filled, 'filled'),
      ...parts(renewed, 'renewed'),
      ...parts(removed, 'expired and removed'),
    ].join('; '),
  ];
  if (notFound.length > 0)
    lines.push(`${resource} not found: ${number(notFound.length)} (${named(notFound, (id) => id, ', ')})`);
  return lines;
}

const contradictionText = ({ resource, id, field, record, source, reason }: Contradiction): string =>
  `${resource} ${id} ${field}: ${reason ? `${brief(source)} ${reason}` : `${brief(record)}, not ${brief(source)}`}`;

const named = <T>(items: readonly T[], text: (item: T) => string, separator: string): string =>
  [
    ...items.slice(0, maxNamed).map(text),
    ...(items.length > maxNamed ? [`… ${number(items.length - maxNamed)} more`] : []),
  ].join(separator);

/** A value in a message: control characters escaped, and not too long. */
export function brief(value: JsonValue): string {
  const json = JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value);
  const text = json.replace(/[\u007f-\u009f\u2028\u2029]/g, (character) => escaped(character));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
