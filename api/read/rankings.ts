/** Answers of the two rankings: films by categories, people by nominations. */
import type { Query } from '../contract/parameters.ts';
import { fold } from '../contract/text.ts';
import { countedText } from './documents.ts';
import { bothFlags, type Flags, flagsContaining, hasYears, yearFlags } from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import type { NominationTable } from './tables.ts';
import { highest } from './top-k.ts';

/** Two totals per film or nominee in one number, so that both are counted at once: wins times 2^16 plus nominations. */
type Totals = Uint32Array;
const oneWin = 2 ** 16;
const nominationsOf = (total: number): number => total & 0xffff;
const winsOf = (total: number): number => total >>> 16;

/** Films by the categories they were nominated in, each counted once however many nominees it had. */
export async function answerTopMovies(snapshot: Snapshot, query: Query): Promise<string> {
  const table = await snapshot.nominations();
  const { titles, ceremonies } = table;
  const genre = query.genre === undefined ? undefined : fold(query.genre);
  const films = genre === undefined ? undefined : (await snapshot.films()).withGenre(genre);
  const count = () => countCategories(table, films, yearFlags(ceremonies, query));
  // Of any years there are too many to keep.
  const totals = hasYears(query)
    ? count()
    : snapshot.totals(`top-movies ${JSON.stringify(genre)}`, ['nominations', 'films'], count);
  return rankingText(totals, query, (row, counts) => {
    const title = titles.text.quoted(row);
    return `{"movie_id":${titles.id(row)},"movie":${title},${counts}}`;
  });
}

/** People by their nominations, each counted. */
export async function answerTopNominees(snapshot: Snapshot, query: Query): Promise<string> {
  const [table, people] = await Promise.all([snapshot.nominations(), snapshot.people()]);
  const { names, categories, ceremonies } = table;
  const { known_for_department: department, category, category_group: group } = query;
  const count = () => {
    const persons = bothFlags(people.persons(), flagsContaining(people.department, department));
    const inCategories = bothFlags(
      flagsContaining(categories.name, category),
      flagsContaining(categories.group, group),
    );
    return countNominations(table, persons, inCategories, yearFlags(ceremonies, query));
  };
  const filters = JSON.stringify([department, category, group]);
  const totals = hasYears(query)
    ? count()
    : snapshot.totals(`top-nominees ${filters}`, ['nominations', 'people', 'categories'], count);
  return rankingText(totals, query, (row, counts) => {
    const name = names.text.quoted(row);
    return `{"nominee_id":${names.id(row)},"nominee":${name},${counts}}`;
  });
}

/** Per film the categories it was nominated in, and won. */
function countCategories(table: NominationTable, films: Flags, ceremonies: Flags): Totals {
  const { offsets, rows } = table.movie.postings;
  const [category, ceremony, winner] = [table.category.rows, table.ceremony.rows, table.winner];
  const totals = new Uint32Array(table.titles.count);
  // The film for which a category was last counted, plus one: no set per film.
  const nominatedFor = new Uint32Array(table.categories.count);
  const wonFor = new Uint32Array(table.categories.count);
  for (let film = 0; film < totals.length; film += 1) {
    if (films !== undefined && films[film] === 0) continue;
    const end = offsets[film + 1]!;
    let total = 0;
    for (let at = offsets[film]!; at < end; at += 1) {
      const row = rows[at]!;
      if (ceremonies !== undefined && ceremonies[ceremony[row]!] === 0) continue;
      const own = category[row]!;
      if (nominatedFor[own] !== film + 1) {
        nominatedFor[own] = film + 1;
        total += 1;
      }
      if (winner[row] === 1 && wonFor[own] !== film + 1) {
        wonFor[own] = film + 1;
        total += oneWin;
      }
    }
    totals[film] = total;
  }
  return totals;
}

/** Per nominee the nominations and wins; 0 for those who are not to be ranked. */
function countNominations(
  table: NominationTable,
  persons: Flags,
  categories: Flags,
  ceremonies: Flags,
): Totals {
  const [nominee, category, ceremony, winner] = [
    table.nominee.rows,
    table.category.rows,
    table.ceremony.rows,
    table.winner,
  ];
  const totals = new Uint32Array(table.names.count);
  for (let row = 0; row < nominee.length; row += 1) {
    if (ceremonies !== undefined && ceremonies[ceremony[row]!] === 0) continue;
    if (categories !== undefined && categories[category[row]!] === 0) continue;
    totals[nominee[row]!]! += winner[row] === 1 ? oneWin + 1 : 1;
  }
  if (persons !== undefined) for (let row = 0; row < totals.length; row += 1) totals[row]! *= persons[row]!;
  return totals;
}

/** The first rows by the total asked for, then the other one, both descending, then id; rows without a nomination are not ranked. */
function rankingText(totals: Totals, query: Query, text: (row: number, counts: string) => string): string {
  // The higher half decides first: wins as counted, nominations after exchanging the halves.
  const keys = query.sort === 'wins' ? totals : totals.map((total) => (total << 16) | (total >>> 16));
  const ranked = highest(keys, query.limit).map((row) => {
    const [nominations, wins] = [nominationsOf(totals[row]!), winsOf(totals[row]!)];
    return text(row, `"total_nominations":${nominations},"total_wins":${wins}`);
  });
  return countedText(ranked);
}
