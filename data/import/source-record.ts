/**
 * What a source says, in memory: things that name each other, with the values that the source gives of them.
 */
import { actingGroup } from '../../api/contract/entries.ts';
import type { Details, Honor, Nomination } from '../../api/contract/resources.ts';
import { type Columns, storedColumns } from '../record/records.ts';
import { type CeremonyFacts, originalSong, type Reference } from '../reference/reference.ts';
import { isHonorary, readRows, type SourceRow } from './read.ts';

/** A film, a nomination, and so on, as the source gives it. */
export interface Thing {
  /** Values by column, without those of references. */
  columns: Record<string, Columns[string]>;
  /** Id of its record. match() finds it, or assigns that of a new record; 0 before. */
  id: number;
  state: State;
}

/**
 * What match() found: a record, none so that one has to be added, or one that an editor deleted. A thing that
 * was withheld would be new, but it needs what an editor deleted, or only what an editor deleted needs it.
 */
type State = 'found' | 'new' | 'deleted' | 'withheld';

/** Whether the thing has a record after the import. */
export const isThere = ({ state }: Thing): boolean => state === 'found' || state === 'new';

interface SourceCategory extends Thing {
  /** Its id in the reference. */
  number: number;
  department: string;
}
export interface SourceNominee extends Thing {
  isPerson: boolean;
  /** Spelling → the number of rows with it, and the place of the last one among all credits. */
  spellings: Map<string, { rows: number; latest: number }>;
}
export interface SourceSong extends Thing {
  movie: Thing;
}
export interface SourceNomination extends Thing {
  ceremony: number;
  category: SourceCategory;
  movie: Thing;
  nominee: SourceNominee;
  song: SourceSong | null;
  /** The title and the name in this row. */
  titledAs: string;
  creditedAs: string;
}
export interface SourceHonor extends Thing {
  ceremony: number;
  category: SourceCategory | null;
  /** What it brings into the record: the film and the people of a competitive award. */
  movie: Thing | null;
  nominees: readonly SourceNominee[];
  /** External ids of those that it names if the record has them: of other awards. */
  movieKey: string | null;
  nomineeKeys: readonly string[];
}

/** `category` is the id in the reference. */
interface GivenNomination extends Pick<Nomination, 'ceremony_id' | 'winner'>, Omit<Details, 'credited_as'> {
  category: number;
  movie: Thing;
  nominee: SourceNominee;
  song: SourceSong | null;
  titled_as: string;
  credited_as: string;
}

interface GivenHonor
  extends Omit<Honor, 'id' | 'ceremony_year' | 'category_id' | 'movie_id' | 'movie' | 'nominee_ids'> {
  /** Of a competitive award: the id in the reference, and what the award brings into the record. */
  competitive?: { category: number; movie: Thing | null; nominees: readonly SourceNominee[] };
  /** External ids. */
  movie_key: string | null;
  nominee_keys: readonly string[];
}

/**
 * The identity of a film or nominee: the external id, or else the title or name. The prefix keeps names apart
 * from ids.
 */
export const identityKey = (filmindexId: unknown, name: unknown): string =>
  typeof filmindexId === 'string' ? filmindexId : `named ${name}`;

/** The identity of a film, a nominee, or a song of a film. */
export const identityOf = (resource: 'movies' | 'nominees' | 'songs', given: Columns): string =>
  resource === 'songs'
    ? String(given.original_title)
    : identityKey(given.filmindex_id, resource === 'movies' ? given.title : given.name);

/** The identity of an honor. */
export const honorKey = ({ ceremony_id, category, recipients, citation }: Columns): string =>
  [ceremony_id, category, recipients ?? '', citation ?? ''].join('\t');

/** All maps are in order of first appearance. */
export class SourceRecord {
  readonly ceremonies = new Map<number, Thing>();
  /** All categories of the reference, by their number. */
  readonly categories: ReadonlyMap<number, SourceCategory>;
  /** By identityKey(). The title is that of the latest row. */
  readonly movies = new Map<string, Thing>();
  /** By identityKey(). deriveNames() chooses the name from the spellings at the end. */
  readonly nominees = new Map<string, SourceNominee>();
  readonly songs = new Map<string, SourceSong>();
  readonly nominations = new Map<string, SourceNomination>();
  /** By honorKey() and film. */
  readonly honors = new Map<string, SourceHonor>();
  #credits = 0;
  readonly #numbers = new Map<Thing, number>();

  constructor(reference: Reference) {
    this.categories = new Map(
      [...reference.categories.values()].map(({ id, department, ...columns }) => [
        id,
        { ...thing({ ...columns, era: null }), number: id, department },
      ]),
    );
  }

  /** Adds a ceremony. Of equal ones the first stays. */
  ceremony({ id, ...facts }: CeremonyFacts): void {
    if (!this.ceremonies.has(id)) this.ceremonies.set(id, { ...thing({ ...facts, overview: null }), id });
  }

  /** The film with an id, or with a title if the id is null. Added if new; the latest title stays. */
  movie(filmindexId: string | null, title: string): Thing {
    const movie = found(this.movies, identityKey(filmindexId, title), () =>
      thing({ title, filmindex_id: filmindexId }),
    );
    movie.columns.title = title;
    return movie;
  }

  /**
   * The nominee with an id, or with a name if the id is null. Added if new. Call it once for each row with
   * this spelling.
   */
  nominee(filmindexId: string | null, name: string, isPerson: boolean): SourceNominee {
    const nominee = found(this.nominees, identityKey(filmindexId, name), () => ({
      ...thing({ name, filmindex_id: filmindexId, known_for_department: null }),
      isPerson,
      spellings: new Map(),
    }));
    this.#credits += 1;
    const rows = (nominee.spellings.get(name)?.rows ?? 0) + 1;
    nominee.spellings.set(name, { rows, latest: this.#credits });
    return nominee;
  }

  /** The song of a film with a title. Added if new; the latest artists stay. */
  song(movie: Thing, title: string, artists: string): SourceSong {
    const song = found(this.songs, `${this.#number(movie)} ${title}`, () => ({
      ...thing({ original_title: title }),
      movie,
    }));
    song.columns.artist_names = artists;
    return song;
  }

  /**
   * Adds a nominee of a film in a category of a ceremony. The entry counts the rows of a category at a
   * ceremony, from 1. Of equal nominations the first stays, and one winner makes it a winner.
   * @returns whether it is new
   */
  nomination(given: GivenNomination): boolean {
    const before = this.nominations.size;
    const { ceremony_id: ceremony, category, movie, nominee, song, titled_as, credited_as, winner } = given;
    const references = `${this.#number(movie)} ${this.#number(nominee)} ${song ? this.#number(song) : ''}`;
    const nomination = found(this.nominations, `${ceremony} ${category} ${references}`, () => ({
      columns: {
        winner: Number(winner),
        entry: given.entry,
        character: given.character,
        note: given.note,
        official: Number(given.official),
        historical_category: given.historical_category,
        credited_as: null,
      },
      id: 0,
      state: 'new' as const,
      ceremony,
      category: this.categories.get(category)!,
      movie,
      nominee,
      song,
      titledAs: titled_as,
      creditedAs: credited_as,
    }));
    if (winner) nomination.columns.winner = 1;
    return this.nominations.size > before;
  }

  /** Adds an honor. Of equal honors the first stays. @returns whether it is new */
  honor({ competitive, movie_key, nominee_keys, ...columns }: GivenHonor): boolean {
    const before = this.honors.size;
    const { category, movie = null, nominees = [] } = competitive ?? {};
    const stored = storedColumns(columns);
    // Without recipients and a citation, the film tells honors of a category apart.
    const film = movie ? this.#number(movie) : '';
    found(this.honors, `${honorKey(stored)}\t${film}`, () => ({
      ...thing(stored),
      ceremony: columns.ceremony_id,
      category: category === undefined ? null : this.categories.get(category)!,
      movie,
      nominees,
      movieKey: movie_key,
      nomineeKeys: nominee_keys,
    }));
    return this.honors.size > before;
  }

  /** A number for each thing. */
  #number(of: Thing): number {
    return found(this.#numbers, of, () => this.#numbers.size + 1);
  }
}

const thing = (columns: Columns): Thing => ({ columns: { ...columns }, id: 0, state: 'new' });

/** The value of a key, which is made if there is none. */
function found<K, T>(map: Map<K, T>, key: K, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** A row of the source that became no record of its own, and why. */
export interface LeftOut {
  line: number;
  /** What it is about, for people. */
  row: string;
  reason: string;
}

/**
 * What a file of the public record says, and the rows that are left out: those that repeat others.
 * @throws UserError naming the lines that are malformed
 */
export function readRecord(bytes: Uint8Array, reference: Reference) {
  const source = new SourceRecord(reference);
  /** Entries so far, by ceremony and category. */
  const entries = new Map<string, number>();
  const leftOut: LeftOut[] = [];
  const unnamed: [row: SourceRow, category: number][] = [];
  const note = (isNew: boolean, row: SourceRow) => {
    if (!isNew) leftOut.push({ line: row.line, row: textOf(row), reason: 'it repeats earlier rows' });
  };
  for (const row of readRows(bytes, reference)) {
    const { ceremony } = row;
    source.ceremony(ceremony);
    if (isHonorary(row.awardClass)) {
      note(addHonor(source, row), row);
      continue;
    }
    const category = reference.categoryOfSource(row.sourceCategory)!;
    // Honors count as well: they are entries of no nomination.
    const place = `${ceremony.id} ${category}`;
    const entry = (entries.get(place) ?? 0) + 1;
    entries.set(place, entry);
    if (isNomination(row)) note(addNominations(source, row, category, entry, reference), row);
    else unnamed.push([row, category]);
  }
  // Last, so that what only they bring gets the last ids: records of nominations and awards keep theirs.
  for (const [row, category] of unnamed) note(addCompetitiveHonor(source, row, category), row);
  leftOut.sort((a, b) => a.line - b.line);
  return { source, leftOut };
}

/** What a row is about, for people. */
function textOf({ ceremony, sourceCategory, films, name, nominees, detail }: SourceRow): string {
  const parts = [namesOf(films), name || namesOf(nominees), detail].filter((part) => part !== '');
  return `${ceremony.id} ${sourceCategory}: ${parts.join(' / ')}`;
}

/** Whether a row names a film and somebody. Any other becomes an honor. */
const isNomination = ({ films, hasFilmIds, nominees, name }: SourceRow): boolean =>
  films.length > 0 && hasFilmIds && (nominees.length > 0 || name !== '');

/** One nomination per film and nominee, films outermost. @returns whether one of them is new */
function addNominations(
  source: SourceRecord,
  row: SourceRow,
  category: number,
  entry: number,
  reference: Reference,
): boolean {
  let isNew = false;
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
      const isAdded = source.nomination({
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
      isNew ||= isAdded;
    }
  }
  return isNew;
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

/** A scientific, technical or special award. It brings no film and no people into the record. */
function addHonor(source: SourceRecord, row: SourceRow): boolean {
  const isId = (id: string | null): id is string => id !== null;
  return source.honor({
    ...honorOf(row),
    class: row.awardClass as Honor['class'],
    movie_key: row.films.map((film) => film.filmindexId).find(isId) ?? null,
    nominee_keys: [...new Set(row.nominees.map((nominee) => nominee.filmindexId).filter(isId))],
  });
}

/** An award or nomination of a category without a film or without a recipient. */
function addCompetitiveHonor(source: SourceRecord, row: SourceRow, category: number): boolean {
  const [film] = row.films;
  const nominees = row.nominees.map(({ name, filmindexId }) =>
    source.nominee(filmindexId, name, filmindexId?.startsWith('nm') ?? false),
  );
  return source.honor({
    ...honorOf(row),
    class: 'Competitive',
    competitive: {
      category,
      movie: film ? source.movie(film.filmindexId, film.name) : null,
      nominees: [...new Set(nominees)],
    },
    movie_key: null,
    nominee_keys: [],
  });
}

/** What honors of all classes have. */
const honorOf = (row: SourceRow) => ({
  ceremony_id: row.ceremony.id,
  winner: row.winner,
  category: row.historicalCategory || row.sourceCategory,
  recipients: row.name || namesOf(row.nominees) || null,
  citation: row.citation || null,
  note: noteOf(row, false).note,
});

const namesOf = (credits: readonly { name: string }[]) =>
  [...new Set(credits.map((credit) => credit.name))].join(', ');
