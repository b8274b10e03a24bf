/**
 * `awards enrich wikidata`: fills the record from results of the queries of Wikidata (films.rq and
 * people.rq).
 */
import { createReadStream } from 'node:fs';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isCountryCode } from '../../api/contract/countries.ts';
import { commonsImage, type EnrichedResource, enrichedResources } from '../../api/contract/enrichment.ts';
import { byCodeUnit, tokens } from '../../api/contract/text.ts';
import type { Connection } from '../database/open.ts';
import { UserError } from '../system/messages.ts';
import type { RecordFields } from '../record/validation.ts';
import { type Candidate, Filling, type FillOptions } from './filling.ts';
import { genresOf } from './genres.ts';
import { brief, type EnrichReport } from './report.ts';
import { isOfCompany, resourceOf, type WantedRecord, wantedRecords } from './wanted.ts';

export interface WikidataOptions extends FillOptions {
  /** Files, or "-" for standard input. */
  files: readonly string[];
}

/** Of one file, also after decompression. The results for 5,000 films have 16 MB. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads all files, then fills the record. A file that cannot be read changes nothing.
 * @throws UserError if a file cannot be read, is cut off, is too large, or has no results
 */
export async function enrichFromWikidata(
  connection: Connection,
  { files, ...options }: WikidataOptions,
): Promise<EnrichReport> {
  const filling = new Filling(connection, 'wikidata', options);
  const wanted = Object.fromEntries(
    enrichedResources.map((resource) => [resource, wantedRecords(connection, resource)]),
  ) as Record<EnrichedResource, WantedRecord[]>;
  const retrievedAt = new Date().toISOString();
  const ids = new Set(Object.values(wanted).flatMap((all) => all.map(({ filmindexId }) => filmindexId)));
  const facts: FactsById = new Map();
  for (const file of files) {
    const name = file === '-' ? 'standard input' : file;
    for (const [index, row] of rowsOf(name, (await readInput(file, name)).trim()).entries()) {
      const fault = addRow(row, ids, facts);
      if (fault !== undefined) filling.skip(`${name} row ${index + 1}`, fault);
    }
  }
  const found = countFound(filling.report, wanted, facts);
  await filling.fill(candidatesOf(wanted, facts, retrievedAt, filling), (done) =>
    options.onProgress?.(done, found),
  );
  return filling.report;
}

/** Notes which records the source has. @returns how many */
function countFound(
  { resources }: EnrichReport,
  wanted: Record<EnrichedResource, WantedRecord[]>,
  facts: FactsById,
): number {
  for (const resource of enrichedResources) {
    const ids = wanted[resource].map(({ filmindexId }) => filmindexId);
    const notFound = ids.filter((id) => !facts.has(id));
    Object.assign(resources[resource], { wanted: ids.length, found: ids.length - notFound.length, notFound });
  }
  const total = enrichedResources.reduce((sum, resource) => sum + resources[resource].found, 0);
  // A source of films only says nothing about people.
  for (const resource of enrichedResources)
    if (total > 0 && resources[resource].found === 0) resources[resource].notFound = [];
  return total;
}

function* candidatesOf(
  wanted: Record<EnrichedResource, WantedRecord[]>,
  facts: FactsById,
  retrievedAt: string,
  filling: Filling,
): Generator<Candidate> {
  for (const resource of enrichedResources)
    for (const { id, name, filmindexId } of wanted[resource]) {
      const own = facts.get(filmindexId);
      if (own === undefined) continue;
      const values = valuesOf(resource, own, {
        skip: (variable, text) =>
          filling.skip(`${filmindexId} (${own.item}) ${variable}`, `${brief(text)} cannot be read`),
        contradict: (field, text, reason) =>
          filling.report.contradicted.push({ resource, id, field, record: null, source: text, reason }),
      });
      const others = namesBeside(name, (values.other_names ?? []) as string[]);
      if (others.length > 0) values.other_names = others;
      else delete values.other_names;
      yield { resource, id, filmindexId, sourceId: own.item, retrievedAt, values };
    }
}

/**
 * The variables that become values. "title" is for people who read the results: the record has no field for
 * it.
 */
export const variables = {
  movies: ['genreLabel', 'duration', 'date', 'country', 'tmdb', 'otherName'],
  nominees: ['birth', 'death', 'placeLabel', 'tmdb', 'image', 'otherName'],
} as const satisfies Record<EnrichedResource, readonly string[]>;
type Variable = (typeof variables)[EnrichedResource][number];

interface Facts {
  /** Such as Q44578. */
  item: string;
  texts: Partial<Record<Variable, Set<string>>>;
  /** Labels for all languages, which count where there is none in English. */
  neutral: Partial<Record<Variable, Set<string>>>;
}
/** By the id in the film index. */
type FactsById = Map<string, Facts>;

/** A value; in the array only its text. */
type Cell = string | { type?: unknown; value?: unknown; 'xml:lang'?: unknown } | null;
type Row = Readonly<Record<string, Cell | undefined>>;

const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null;
const isItem = (text: string): boolean => /^Q[1-9][0-9]*$/.test(text);

/** @returns why the row is not used; undefined if it is, or is about another record */
function addRow(row: unknown, wanted: ReadonlySet<string>, all: FactsById): string | undefined {
  if (!isRow(row)) return 'is no row';
  const id = textOf(row.imdb).text;
  if (id === undefined) return 'has no "imdb"';
  const item = /Q[0-9]+$/.exec(textOf(row.item).text ?? '')?.[0];
  if (item === undefined || !isItem(item)) return 'has no "item"';
  const resource = resourceOf(id);
  if (resource === undefined || !wanted.has(id)) return undefined;
  let facts = all.get(id);
  // Of several items with one id, that with the lowest number counts.
  if (facts && Number(facts.item.slice(1)) < Number(item.slice(1))) return undefined;
  if (facts?.item !== item) facts = { item, texts: {}, neutral: {} };
  all.set(id, facts);
  const asked: readonly Variable[] = isOfCompany(id) ? ['image'] : variables[resource];
  for (const variable of asked) {
    const { text, isValue, isNeutral } = textOf(row[variable]);
    const texts = isNeutral ? facts.neutral : facts.texts;
    const isImage = variable === 'image' && commonsImage(text ?? '') !== undefined;
    if (text !== undefined && (isValue || isImage))
      texts[variable] = (texts[variable] ?? new Set()).add(text);
  }
  return undefined;
}

/** Address or blank node: each stands for an unknown value. */
const unknownValue = /^(https?:\/\/|_:)/;

function textOf(cell: Cell | undefined) {
  const { type, value, 'xml:lang': language } = typeof cell === 'string' ? { value: cell } : (cell ?? {});
  return {
    text: typeof value === 'string' ? value : undefined,
    isValue: type !== 'uri' && type !== 'bnode' && !unknownValue.test(String(value)),
    /** "mul" is the language of labels for all languages. */
    isNeutral: language === 'mul',
  };
}

/** Reads one text. @returns undefined if it is malformed, null if it means "unknown" */
type Read = (text: string) => string | number | null | undefined;

/** A whole number of minutes; less than half a minute says nothing. */
const minutes: Read = (text) =>
  /^\+?[0-9]+(\.[0-9]+)?$/.test(text) ? Math.round(Number(text)) || null : undefined;
const day: Read = (text) => /^\+?([0-9]{4}-[0-9]{2}-[0-9]{2})(T|$)/.exec(text)?.[1];
const country: Read = (text) => (isCountryCode(text.toUpperCase()) ? text.toUpperCase() : undefined);
const positive: Read = (text) => (/^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined);
/** An image at Wikimedia Commons. */
const image: Read = (text) => commonsImage(text);
/** A label that is only an id says nothing. */
const label: Read = (text) => (isItem(text) ? null : text.trim() || null);

/** Field → the variable it comes from. Of several values a field has the least, and a list has all. */
const rules: Readonly<Record<EnrichedResource, Readonly<Record<string, [Variable, Read]>>>> = {
  movies: {
    genres: ['genreLabel', label],
    runtime: ['duration', minutes],
    release_date: ['date', day],
    origin_country: ['country', country],
    moviedb_id: ['tmdb', positive],
    other_names: ['otherName', label],
  },
  nominees: {
    birthday: ['birth', day],
    deathday: ['death', day],
    place_of_birth: ['placeLabel', label],
    moviedb_person_id: ['tmdb', positive],
    profile_path: ['image', image],
    other_names: ['otherName', label],
  },
};

/** Resource → the fields that Wikidata can fill. */
export const wikidataFields = (resource: EnrichedResource): string[] => Object.keys(rules[resource]);

interface Faults {
  /** Called with each text that cannot be read. */
  skip: (variable: Variable, text: string) => void;
  /** Called with each text that cannot be true. */
  contradict: (field: string, text: string, reason: string) => void;
}

/** The values of fields that some facts give. */
function valuesOf(
  resource: EnrichedResource,
  { texts, neutral }: Facts,
  { skip, contradict }: Faults,
): RecordFields {
  const values: RecordFields = {};
  for (const [field, [variable, read]] of Object.entries(rules[resource])) {
    const known: (string | number)[] = [];
    for (const text of texts[variable] ?? neutral[variable] ?? []) {
      const value = read(text);
      if (value === undefined && variable === 'country') contradict(field, text, 'is no code of a country');
      else if (value === undefined) skip(variable, text);
      else if (value !== null) known.push(value);
    }
    const value = combined(field, known);
    if (value !== null && !(Array.isArray(value) && value.length === 0)) values[field] = value;
  }
  const { birthday, deathday } = values;
  if (typeof birthday === 'string' && typeof deathday === 'string' && deathday < birthday) {
    contradict('deathday', deathday, `is before the birth, ${birthday}`);
    delete values.deathday;
  }
  return values;
}

function combined(field: string, values: readonly (string | number)[]): RecordFields[string] {
  if (field === 'genres') return genresOf(values.map(String));
  if (field === 'origin_country' || field === 'other_names')
    return [...new Set(values.map(String))].sort(byCodeUnit);
  return (
    values.toSorted((a, b) => (typeof a === 'number' ? a - Number(b) : byCodeUnit(a, String(b))))[0] ?? null
  );
}

/** Items have a few names, and some a hundred. */
const maxOtherNames = 50;

/**
 * The names that differ from the name of the record, and from each other, in more than case, accents and
 * punctuation.
 */
function namesBeside(own: string, names: readonly string[]): string[] {
  const wordsOf = (name: string) => tokens(name).join(' ');
  const known = new Set(['', wordsOf(own)]);
  const isNew = (words: string) => !known.has(words) && known.add(words).has(words);
  return names.filter((name) => isNew(wordsOf(name))).slice(0, maxOtherNames);
}

/**
 * The rows of SPARQL JSON results, or of the array that the download button of the query page gives.
 * @throws UserError
 */
function rowsOf(name: string, text: string): readonly unknown[] {
  if (text === '') throw new UserError(`${name} is empty`);
  const neither = new UserError(
    `${name} has no SPARQL JSON results: neither those of the query service nor the array of its download button; it begins with ${brief(text.slice(0, 40))}`,
  );
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    if (!/^(\{\s*"(head|results)"\s*:|\[\s*\{)/.test(text)) throw neither;
    throw new UserError(
      `${name} is cut off after row ${wholeRows(text)}: the query ran out of time, or its result was not fetched to the end; ask for fewer ids at once`,
    );
  }
  const isArray = Array.isArray(parsed);
  const rows: unknown = isArray
    ? parsed
    : (parsed as { results?: { bindings?: unknown } } | null)?.results?.bindings;
  if (!Array.isArray(rows)) throw neither;
  const isOfOthers = isArray && rows.length > 0 && !rows.some((row) => isRow(row) && row.imdb !== undefined);
  if (isOfOthers) throw neither;
  return rows;
}

/** The number of whole rows in a text that is cut off. */
function wholeRows(text: string): number {
  // { "results": { "bindings": [ { row } ] } } or [ { row } ].
  const around = text.startsWith('[') ? 1 : 3;
  let [rows, depth] = [0, 0];
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[{}[\]]/gs)) {
    if (mark === '{' || mark === '[') depth += 1;
    if (mark === '}' || mark === ']') depth -= 1;
    if (mark === '}' && depth === around) rows += 1;
  }
  return rows;
}

/**
 * The text of a file or of standard input, plain or gzip.
 * @throws UserError if it cannot be read, is cut off, or is too large
 */
async function readInput(file: string, name: string): Promise<string> {
  const tooLarge = new UserError(
    `${name} is larger than ${maxBytes / 1024 / 1024} MB; ask for fewer ids at once`,
  );
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    const stream = file === '-' ? process.stdin : createReadStream(file);
    for await (const piece of stream as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxBytes) throw tooLarge;
      pieces.push(piece);
    }
    const bytes = Buffer.concat(pieces);
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    // The decoder removes a byte order mark.
    return new TextDecoder().decode(
      isGzip ? await promisify(gunzip)(bytes, { maxOutputLength: maxBytes }) : bytes,
    );
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error === tooLarge || code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge;
    throw new UserError(`cannot read ${name}: ${reasons[code ?? ''] ?? message}`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  // zlib: "unexpected end of file".
  Z_BUF_ERROR: 'its gzip data is cut off; fetch it again',
};
