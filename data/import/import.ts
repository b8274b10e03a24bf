/** `awards import`: reads the public award record from a file or an address into the database. */
import { actingGroup } from '../../api/contract/entries.ts';
import type { Honor } from '../../api/contract/resources.ts';
import type { Connection } from '../open.ts';
import { originalSong, type Reference, readReference } from '../reference/reference.ts';
import { removeUntouchedSample, unmarkSample } from '../sample/state.ts';
import { undoneTransaction, writeTransaction } from '../transaction.ts';
import { mergeSource } from './merge.ts';
import type { ImportReport, LeftOut } from './report.ts';
import { isHonorary, readRows, type SourceRow } from './rows.ts';
import { readSource } from './source.ts';
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
 * Brings the database up to date with the record, in one transaction. Changes made by editors stay. A record that an editor
 * deleted comes back under a new id, if the source still names it. What the source no longer has is retired, see
 * retirement.ts: importing an earlier and then a later file ends in the records of the later file alone.
 * @param source a file, or an http(s) address
 * @throws UserError if the source cannot be read or is malformed, the database is in use or inconsistent, or too much would be
 *   retired
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
