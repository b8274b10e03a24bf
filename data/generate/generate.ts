/**
 * Fills an empty database with generated records: every field set, shaped like the real record, at any multiple of its size.
 * The records depend on the scale and the seed only. Ceremony by ceremony is generated and written, so that memory holds one
 * ceremony and a number per nominee.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import type { Details } from '../../api/contract/resources.ts';
import type { Connection } from '../open.ts';
import { columnDefaults, countRecords, forEachResource, isEmpty, prepareInsert } from '../records.ts';
import { writeTransaction } from '../transaction.ts';
import { UserError } from '../../build/system/user-error.ts';
import { type Ballot, ballotOf } from './ballot.ts';
import { Cast } from './cast.ts';
import { awardOf, categoryRecords, type Guild, isPersonal } from './categories.ts';
import { entryDetails, honorRecord } from './details.ts';
import { Streams } from './random.ts';
import { ceremonyRecord, ceremonyYear, movieRecord, nomineeRecord, songRecord } from './records.ts';
import { type Sizes, sharesOf, sizesAt } from './sizes.ts';

export interface GenerateOptions {
  /** How many times the real size; 1 is 16,609 nominations. Above 0, at most 1000. */
  scale: number;
  /** Any text or number; equal seeds give equal records. */
  seed: string | number;
  /** Called once a ceremony with the number of records written so far, and of all. */
  onProgress?: (done: number, total: number) => void;
}

type Insert = (table: ResourceName, record: object) => void;

/**
 * Fills an empty database with generated records in one transaction.
 * @returns the number of records of each resource
 * @throws UserError if the database is not empty or is locked by another program, or the scale is out of range
 */
export function generateRecord(
  connection: Connection,
  { scale, seed, onProgress }: GenerateOptions,
): Record<ResourceName, number> {
  const sizes = sizesAt(scale);
  writeTransaction(connection, () => {
    if (!isEmpty(connection))
      throw new UserError('the database already holds records; generate fills an empty one only');
    let done = 0;
    const inserts = forEachResource((table) =>
      prepareInsert(connection, table, ['id', ...columnDefaults(connection, table).keys()]),
    );
    const insert: Insert = (table, record) => {
      inserts[table](record);
      done += 1;
    };
    writeAll(insert, new Streams(seed), sizes, (total) => onProgress?.(done, total));
  });
  return countRecords(connection);
}

function writeAll(insert: Insert, streams: Streams, sizes: Sizes, onCeremony: (total: number) => void): void {
  const categories = categoryRecords();
  const { nominations, movies, nominees, songs, honors, ceremonies } = sizes;
  const total = nominations + movies + nominees + songs + honors + ceremonies.length + categories.length;
  for (const category of categories) insert('categories', category);
  let year = 0;
  let newcomers: { id: number; guild: Guild }[] = [];
  const cast = new Cast(nominations, nominees, (id, guild) => {
    insert('nominees', nomineeRecord(streams, id, guild, year));
    newcomers.push({ id, guild });
  });
  const shares = sharesOf(sizes);
  let nextId = 1;
  for (const [index, ceremony] of ceremonies.entries()) {
    year = ceremonyYear(ceremony);
    cast.openCeremony();
    insert('ceremonies', ceremonyRecord(streams, ceremony));
    const ballot = ballotOf(streams, ceremony, year, shares[index]!, shares[index - 1]);
    for (const { id, kind } of ballot.films) insert('movies', movieRecord(streams, id, kind, year));
    for (const { song, movie } of ballot.entries)
      if (song !== null) insert('songs', songRecord(streams, song, movie, year));
    newcomers = [];
    nextId = writeNominations(insert, streams, ballot, cast, ceremony, nextId);
    for (let { from: id, to } = shares[index]!.honors; id < to; id += 1)
      insert('honors', honorRecord(streams, id, ceremony, newcomers, ballot.films));
    onCeremony(total);
  }
}

/** Writes the nominations of a ballot and the new nominees. @returns the id of the next nomination */
function writeNominations(
  insert: Insert,
  streams: Streams,
  ballot: Ballot,
  cast: Cast,
  ceremony: number,
  firstId: number,
): number {
  const random = streams.of('cast', ceremony);
  let id = firstId;
  /** Category → its entries so far. */
  const entries = new Map<number, number>();
  for (const { category, movie, song, seats, winner } of ballot.entries) {
    const award = awardOf(category);
    let details: Details | undefined;
    for (const [seat, nominee] of cast.fill(random, award.guild, seats).entries()) {
      if (details === undefined || isPersonal(award)) {
        entries.set(category, (entries.get(category) ?? 0) + 1);
        details = { entry: entries.get(category)!, ...entryDetails(streams, id, category) };
      }
      insert('nominations', {
        id,
        ceremony_id: ceremony,
        category_id: category,
        movie_id: movie,
        nominee_id: nominee,
        song_id: song,
        winner: winner && (seat === 0 || !isPersonal(award)),
        ...details,
      });
      id += 1;
    }
  }
  return id;
}
