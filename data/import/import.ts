/** `awards import`: reads the public award record from a file or an address into the database. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { actingGroup } from '../../api/contract/entries.ts';
import type { Honor } from '../../api/contract/resources.ts';
import type { Connection } from '../database/open.ts';
import { originalSong, type Reference, readReference } from '../reference/reference.ts';
import { removeUntouchedSample, unmarkSample } from '../sample/state.ts';
import { undoneTransaction, writeTransaction } from '../database/transaction.ts';
import { UserError } from '../system/messages.ts';
import { mergeSource, type ImportReport, type LeftOut } from './merge.ts';
import { isHonorary, readRows, type SourceRow } from './rows.ts';
import { SourceRecord } from './source-record.ts';

export interface ImportOptions {
  /** Report what an import would do, and change nothing. */
  dryRun?: boolean | undefined;
  /** Also retire more than 2 % of a resource. */
  force?: boolean | undefined;
  /** Replace a sample that has no change, so that ids count from 1. */
  replaceSample?: boolean | undefined;
}

/**
 * Brings the database up to date with the record, in one transaction. Changes made by editors stay. A record
 * that an editor deleted comes back under a new id, if the source still names it. What the source no longer
 * has is retired, see retirement.ts: importing an earlier and then a later file ends in the records of the
 * later file alone.
 * @param source a file, or an http(s) address
 * @throws UserError if the source cannot be read or is malformed, the database is in use or inconsistent, or
 *   too much would be retired
 */
export async function importRecord(
  connection: Connection,
  source: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  return importBytes(connection, await readSource(source), options);
}

/** Imports the record from its bytes, see importRecord(). */
export async function importBytes(
  connection: Connection,
  bytes: Uint8Array,
  { dryRun = false, force = false, replaceSample = false }: ImportOptions = {},
): Promise<ImportReport> {
  const { source, leftOut } = await sourceRecordOf(bytes);
  const transaction = dryRun ? undoneTransaction : writeTransaction;
  const options = { isComplete: true, force: force || dryRun };
  const write = () => {
    if (replaceSample) removeUntouchedSample(connection);
    unmarkSample(connection);
    return mergeSource(connection, source, options);
  };
  return { ...transaction(connection, write), leftOut };
}

async function sourceRecordOf(bytes: Uint8Array) {
  const reference = readReference();
  const source = new SourceRecord(reference);
  /** Entries so far, by ceremony and category. */
  const entries = new Map<string, number>();
  const leftOut: LeftOut[] = [];
  for (const row of await readRows(bytes, reference)) {
    const { ceremony } = row;
    source.ceremony(ceremony);
    if (isHonorary(row.awardClass)) {
      addHonor(source, row);
      continue;
    }
    const category = reference.categoryOfSource(row.sourceCategory)!;
    // Rows that are left out count as well: they are entries for no film of the record.
    const place = `${ceremony.id} ${category}`;
    const entry = (entries.get(place) ?? 0) + 1;
    entries.set(place, entry);
    const reason = reasonToLeaveOut(row);
    if (reason === undefined) addNominations(source, row, category, entry, reference);
    else leftOut.push({ line: row.line, row: textOf(row), reason });
  }
  return { source, leftOut };
}

function reasonToLeaveOut({ films, nominees, name }: SourceRow): string | undefined {
  if (films.length === 0) return 'it names no film that can be identified';
  return nominees.length === 0 && name === '' ? 'it has neither a nominee nor a name' : undefined;
}

/** What a row is about, for people. */
function textOf({ ceremony, sourceCategory, filmText, name, nominees, detail }: SourceRow): string {
  const parts = [filmText, name || namesOf(nominees), detail].filter((part) => part !== '');
  return `${ceremony.id} ${sourceCategory}: ${parts.join(' / ')}`;
}

/** One nomination per film and nominee, films outermost. */
function addNominations(
  source: SourceRecord,
  row: SourceRow,
  category: number,
  entry: number,
  reference: Reference,
): void {
  const { historicalCategory, winner } = row;
  // Without nominees the text stands for one: the country of an international film.
  const named = row.nominees.length > 0 ? row.nominees : [{ name: row.name, filmindexId: null }];
  // A nominee that the row names twice counts once.
  const credits = [...new Map(named.map((each) => [`${each.filmindexId} ${each.name}`, each])).values()].map(
    ({ name, filmindexId }) => ({
      name,
      nominee: source.nominee(filmindexId, name, filmindexId?.startsWith('nm') ?? false),
    }),
  );
  const isSong = row.sourceCategory === originalSong && row.detail !== '';
  const isActing = reference.categories.get(category)!.category_group === actingGroup;
  const { note, official } = noteOf(row, isSong || isActing);
  for (const [index, { name: titledAs, filmindexId }] of row.films.entries()) {
    const movie = source.movie(filmindexId, titledAs);
    const song = isSong ? source.song(movie, row.detail, namesOf(credits)) : null;
    const character = isActing ? characterIn(row, index) : null;
    for (const { name: creditedAs, nominee } of credits) {
      source.nomination({
        ceremony_id: row.ceremony.id,
        category,
        movie,
        nominee,
        song,
        titled_as: titledAs,
        credited_as: creditedAs,
        winner,
        entry,
        character,
        note,
        official,
        historical_category: historicalCategory || null,
      });
    }
  }
}

/**
 * The note, without its marks, and the bars between several.
 * @param hasOtherDetail whether the detail is a song or a character; that of other rows is a remark
 */
function noteOf({ note, detail }: SourceRow, hasOtherDetail: boolean) {
  const notes = note.split(/\||NOTE:/).map((each) => each.trim());
  const text = notes.filter(Boolean).join(' ') || (hasOtherDetail ? '' : detail);
  return { note: text || null, official: !/not an official nomination/i.test(note) };
}

/** The character in one film of a row. A row with several films can name one in each. */
function characterIn({ detail, films }: SourceRow, index: number): string | null {
  const characters = detail.split('|');
  return (characters.length === films.length ? characters[index]!.trim() : detail) || null;
}

function addHonor(source: SourceRecord, row: SourceRow): void {
  const isId = (id: string | null): id is string => id !== null;
  const category = row.historicalCategory || row.sourceCategory;
  const recipients = row.name || namesOf(row.nominees) || null;
  source.honor({
    ceremony_id: row.ceremony.id,
    class: row.awardClass as Honor['class'],
    category,
    recipients,
    citation: row.citation || null,
    movie_key: row.films.map((film) => film.filmindexId).find(isId) ?? null,
    nominee_keys: [...new Set(row.nominees.map((nominee) => nominee.filmindexId).filter(isId))],
  });
}

const namesOf = (credits: readonly { name: string }[]) =>
  [...new Set(credits.map((credit) => credit.name))].join(', ');

interface SourceLimits {
  /** For a whole download. */
  timeoutMs: number;
  maxBytes: number;
}

/** The record is 2.2 MB. */
const defaultLimits: SourceLimits = { timeoutMs: 60_000, maxBytes: 16 * 1024 * 1024 };

/**
 * The bytes of a source.
 * @throws UserError if the source cannot be read, is too large, or is a web page
 */
export async function readSource(source: string, limits = defaultLimits): Promise<Uint8Array> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(source)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    throw new UserError(`cannot read ${source}: only files and http(s) addresses`);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of await (scheme === undefined ? openFile(source) : download(source, limits))) {
      size += piece.byteLength;
      // Leaving the loop cancels a download.
      if (size > limits.maxBytes) throw tooLarge(source, limits);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`cannot read ${source}: ${reasonOf(error as Error, limits)}`, { cause: error });
  }
  const bytes = Buffer.concat(pieces);
  if (/^\s*</.test(bytes.subarray(0, 100).toString())) throw webPage(source);
  return bytes;
}

async function openFile(file: string): Promise<AsyncIterable<Uint8Array>> {
  if ((await stat(file)).isDirectory()) throw new UserError(`cannot read ${file}: it is a directory`);
  return createReadStream(file);
}

async function download(address: string, limits: SourceLimits): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(address, { signal: AbortSignal.timeout(limits.timeoutMs) });
  const isPage = response.headers.get('content-type')?.includes('text/html');
  if (response.ok && !isPage) return response.body ?? Readable.from([]);
  await response.body?.cancel();
  if (response.ok) throw webPage(address);
  throw new UserError(
    `cannot read ${address}: the server answered ${response.status} ${response.statusText}`.trim(),
  );
}

function reasonOf(error: Error, limits: SourceLimits): string {
  if (error.name === 'TimeoutError') return `no complete answer within ${limits.timeoutMs / 1000} seconds`;
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'there is no such file';
  // The message of fetch is only "fetch failed". The cause has the reason.
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return cause?.message || cause?.code || error.message;
}

const tooLarge = (source: string, limits: SourceLimits) =>
  new UserError(`cannot read ${source}: it is larger than ${Math.floor(limits.maxBytes / 1024 / 1024)} MB`);

const webPage = (source: string) =>
  new UserError(
    `${source} is a web page, not the record itself; on GitHub use the address behind "Raw" (raw.githubusercontent.com)`,
  );
