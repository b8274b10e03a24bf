/**
 * Fills an empty database with invented records: every field set, shaped like the real record, at any multiple of its
 * size. The records depend on the scale and the seed alone. One ceremony after the other is made up and written, so that
 * memory holds no more than one ceremony and a number per nominee.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import type { Connection } from '../open.ts';
import { countRecords } from '../records.ts';
import { UserError } from '../user-error.ts';
import { writeTransaction } from '../transaction.ts';
import { type Ballot, ballotOf } from './ballot.ts';
import { Cast } from './cast.ts';
import { awardOf, categoryRecords } from './categories.ts';
import { ceremonyRecord } from './ceremonies.ts';
import { ceremonyYear } from './dates.ts';
import { movieRecord } from './films.ts';
import { Inserts } from './inserts.ts';
import { nomineeRecord } from './nominees.ts';
import { Streams } from './random.ts';
import { type Sizes, sharesOf, sizesAt } from './sizes.ts';
import { songRecord } from './songs.ts';

export interface GenerateOptions {
  /** How many times the real size; 1 is 16,609 nominations. Above 0, at most 1000. */
  scale: number;
  /** Any text or number; equal seeds give equal records. */
  seed: string | number;
  /** Called once a ceremony with the number of records written so far, and of all. */
  onProgress?: (done: number, total: number) => void;
}

/**
 * Fills an empty database with invented records, in one transaction: all of them or none.
 * @returns the number of records of each resource
 * @throws UserError if the database holds records already or another program keeps it locked, or the scale is out of range
 */
export function generateRecord(
  connection: Connection,
  options: GenerateOptions,
): Record<ResourceName, number> {
  const sizes = sizesAt(options.scale);
  writeTransaction(connection, () => {
    if (Object.values(countRecords(connection)).some((count) => count > 0))
      throw new UserError('the database already holds records; generate fills an empty one only');
    writeAll(new Inserts(connection), new Streams(options.seed), sizes, options.onProgress);
  });
  return countRecords(connection);
}

function writeAll(
  inserts: Inserts,
  streams: Streams,
  sizes: Sizes,
  onProgress: GenerateOptions['onProgress'],
): void {
  const categories = categoryRecords();
  const { nominations, movies, nominees, songs, ceremonies } = sizes;
  const total = nominations + movies + nominees + songs + ceremonies.length + categories.length;
  for (const category of categories) inserts.record('categories', category);
  let year = 0;
  const cast = new Cast(nominations, nominees, (id, guild) =>
    inserts.record('nominees', nomineeRecord(streams, id, guild, year)),
  );
  const shares = sharesOf(sizes);
  let nextNomination = 1;
  for (const [index, ceremony] of ceremonies.entries()) {
    year = ceremonyYear(ceremony);
    cast.openCeremony();
    inserts.record('ceremonies', ceremonyRecord(streams, ceremony));
    const ballot = ballotOf(streams, ceremony, year, shares[index]!, shares[index - 1]);
    writeWorks(inserts, streams, ballot, year);
    nextNomination = writeNominations(inserts, streams, ballot, cast, ceremony, nextNomination);
    onProgress?.(inserts.count, total);
  }
}

/** Writes the films and songs that are new on a ballot. */
function writeWorks(inserts: Inserts, streams: Streams, ballot: Ballot, year: number): void {
  for (const { id, kind } of ballot.films) inserts.record('movies', movieRecord(streams, id, kind, year));
  for (const { song, movie } of ballot.entries)
    if (song !== null) inserts.record('songs', songRecord(streams, song, movie, year));
}

/** Writes the nominations of a ballot, and the nominees who are new; returns the next nomination's id. */
function writeNominations(
  inserts: Inserts,
  streams: Streams,
  ballot: Ballot,
  cast: Cast,
  ceremony: number,
  firstId: number,
): number {
  const random = streams.of('cast', ceremony);
  let id = firstId;
  for (const { category, movie, song, seats, winner } of ballot.entries) {
    const { guild, personal } = awardOf(category);
    for (const [seat, nominee] of cast.fill(random, guild, seats).entries()) {
      const won = winner && (seat === 0 || !personal);
      inserts.nomination({
        id,
        ceremony_id: ceremony,
        category_id: category,
        movie_id: movie,
        nominee_id: nominee,
        song_id: song,
        winner: won ? 1 : 0,
      });
      id += 1;
    }
  }
  return id;
}
