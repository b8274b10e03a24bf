/** Generates the records of one run, ceremony by ceremony, and writes them. */
import { storedFields } from '../../api/contract/bodies.ts';
import { actingGroup } from '../../api/contract/entries.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import type { Connection } from '../../data/database/open.ts';
import { columnNames, forEachResource, prepareInsert } from '../../data/record/records.ts';
import { type CategoryFacts, ordinal, readReference } from '../../data/reference/reference.ts';
import { inventValue } from './invention.ts';
import type { Random } from './random.ts';
import { compose, composeOrCurious } from './text.ts';

const latestCeremony = 98;
const yearOf = (ceremony: number): number => 1928 + ceremony;

/** Whether a nominee can have died: they are nominated at one ceremony only. */
const isMortal = (nominee: number): boolean => nominee % 3 === 0;

/** Seven or eight digits. Multiplying modulo a prime maps ids below the prime to different numbers. */
const filmindexDigits = (id: number): string => String((id * 1_597_463) % 99_999_989).padStart(7, '0');

export class Generation {
  readonly #insert: Record<ResourceName, (record: object) => unknown>;
  readonly #random: Random;
  readonly #categories = [...readReference().categories.values()];
  /** Records so far, and the records that there will be. */
  readonly #count = forEachResource(() => 0);
  readonly #total: Record<ResourceName, number>;
  #year = 0;

  constructor(connection: Connection, random: Random, scale: number) {
    this.#insert = forEachResource((table) => prepareInsert(connection, table, columnNames[table]));
    this.#random = random;
    const atScale = (least: number, number: number) => Math.max(least, Math.round(number * scale));
    this.#total = {
      // Below 1 the history gets shorter, so that a ceremony keeps the size of a real one.
      ceremonies: Math.min(latestCeremony, atScale(5, latestCeremony)),
      categories: this.#categories.length,
      nominations: atScale(60, 16_609),
      movies: atScale(15, 5_247),
      nominees: atScale(25, 7_878),
      songs: atScale(5, 486),
      honors: atScale(5, 1303),
    };
  }

  /** @param onProgress called after each ceremony with the number of records so far, and of all */
  run(onProgress?: (done: number, total: number) => void): void {
    const sum = (counts: object): number => Object.values(counts).reduce((all, one) => all + one, 0);
    const first = latestCeremony - this.#total.ceremonies + 1;
    for (const { department: _, ...category } of this.#categories)
      this.#add('categories', { ...category, era: `${yearOf(first)}–${yearOf(latestCeremony)}` });
    for (let number = first; number <= latestCeremony; number += 1) {
      this.#year = yearOf(number);
      this.#ceremony(number);
      onProgress?.(sum(this.#count), sum(this.#total));
    }
  }

  /**
   * Adds a record. A field without a value gets an invented one: a field new in the schema, too.
   * @returns its id
   */
  #add(resource: ResourceName, own: Readonly<Record<string, unknown>>): number {
    this.#count[resource] += 1;
    const id = this.#count[resource];
    const record: Record<string, unknown> = { id, ...own };
    for (const field of storedFields(resource))
      if (record[field] === undefined)
        record[field] = inventValue(this.#random, { resource, field, id }, () => this.#dayIn(this.#year - 1));
    this.#insert[resource](record);
    return id;
  }

  /** A random day of a month, as YYYY-MM-DD. No Date: it knows time zones. */
  #dayIn(year: number, month = this.#random.between(1, 12)): string {
    const padded = (number: number) => String(number).padStart(2, '0');
    return `${year}-${padded(month)}-${padded(this.#random.between(1, 28))}`;
  }

  #ceremony(number: number): void {
    this.#add('ceremonies', {
      ...{ id: number, ceremony_year: this.#year, show_title: `${ordinal(number)} Film Awards` },
      ...{ date: this.#dayIn(this.#year, 3), film_years: String(this.#year - 1) },
      overview: `The ${ordinal(number)} ceremony honored the films of ${this.#year - 1}.`,
    });
    const part = this.#count.ceremonies / this.#total.ceremonies;
    const left = (resource: ResourceName) => Math.floor(this.#total[resource] * part) - this.#count[resource];
    const films = Array.from({ length: left('movies') }, () => this.#movie(this.#count.movies + 1));
    const songs = Array.from({ length: left('songs') }, () => {
      const title = composeOrCurious(this.#random, '{songTitle}', 'title', this.#count.songs + 1);
      return this.#add('songs', { original_title: title, streaming_year: this.#year });
    });
    this.#nominations(number, left('nominations'), films, songs);
    while (left('honors') > 0) this.#honor(number, films);
  }

  /**
   * Each film has an entry, and so has each song. The other nominations are spread evenly over the
   * categories.
   */
  #nominations(
    ceremony: number,
    nominations: number,
    films: readonly number[],
    songs: readonly number[],
  ): void {
    const random = this.#random;
    const unnamed = [...films];
    let open = nominations - songs.length;
    for (const [index, category] of this.#categories.entries()) {
      const isActing = category.category_group === actingGroup;
      const movies = new Set<number>();
      const entries: { movie: number; song: number | null; seats: number }[] = [];
      if (category.category_name === 'Music (Original Song)')
        for (const song of songs) entries.push({ movie: random.pick(films), song, seats: 1 });
      else {
        let due = Math.round(open / (this.#categories.length - index));
        while (due > 0) {
          const movie = unnamed.shift() ?? random.pick(films);
          if (movies.has(movie)) continue;
          movies.add(movie);
          // The films without an entry keep one each.
          const most = isActing ? 1 : Math.min(4, due, open - unnamed.length);
          const seats = random.between(1, Math.max(1, most));
          entries.push({ movie, song: null, seats });
          due -= seats;
          open -= seats;
        }
      }
      const winner = random.below(entries.length);
      for (const [place, entry] of entries.entries())
        this.#entry(category, entry, { ceremony_id: ceremony, entry: place + 1, winner: place === winner });
    }
  }

  /** Writes the nominations of an entry, and the new nominees. */
  #entry(
    { id, category_name, category_group, department }: CategoryFacts,
    { movie, song, seats }: { movie: number; song: number | null; seats: number },
    place: object,
  ): void {
    const official = !this.#random.oneIn(200);
    const details = {
      official,
      note: official ? null : 'This is not an official nomination.',
      character: category_group === actingGroup ? compose(this.#random, '{firstName} {surname}') : null,
      historical_category: category_name.toUpperCase(),
      credited_as: this.#random.oneIn(50) ? compose(this.#random, '{firstName} {surname}') : null,
    };
    const nominees = new Set<number>();
    while (nominees.size < seats) {
      const nominee = this.#nominee(nominees, department);
      nominees.add(nominee);
      const references = { category_id: id, movie_id: movie, nominee_id: nominee, song_id: song };
      this.#add('nominations', { ...place, ...references, ...details });
    }
  }

  /**
   * A newcomer if one is due: they are spread evenly. Else one of the latest third, some far more often than
   * others.
   */
  #nominee(taken: ReadonlySet<number>, department: string): number {
    const { nominations, nominees } = this.#total;
    const known = this.#count.nominees;
    const isDue = known < Math.floor(((this.#count.nominations + 1) * nominees) / nominations);
    for (let attempt = 0; attempt < 8 && !isDue; attempt += 1) {
      const any = known - this.#random.below(Math.ceil(known / 3));
      const popular = any - (any % 2 ** this.#random.below(6));
      if (popular > 0 && !isMortal(popular) && !taken.has(popular)) return popular;
    }
    if (known < nominees) return this.#newcomer(known + 1, department);
    return [1, 2, 4, 5].find((id) => !taken.has(id))!;
  }

  #newcomer(id: number, department: string): number {
    const random = this.#random;
    const isCompany = id % 12 === 7;
    const death = this.#year + random.between(1, 40);
    return this.#add('nominees', {
      name: composeOrCurious(random, isCompany ? '{companyName}' : '{personName}', 'name', id),
      birthday: this.#dayIn(this.#year - random.between(18, 62)),
      deathday: isMortal(id) && death < 2026 ? this.#dayIn(death) : null,
      known_for_department: isCompany ? null : department,
      filmindex_id: (isCompany ? 'co' : 'nm') + filmindexDigits(id),
    });
  }

  #movie(id: number): number {
    const random = this.#random;
    return this.#add('movies', {
      title: composeOrCurious(random, '{filmTitle}', 'title', id),
      filmindex_id: `tt${filmindexDigits(id)}`,
      runtime: random.oneIn(6) ? random.between(2, 40) : random.between(72, 214),
      genres: [...new Set([compose(random, '{genre}'), compose(random, '{genre}')])],
      origin_country: [compose(random, '{countryCode}')],
    });
  }

  /** A scientific award, an honorary one, or now and then one of a category that names no film. */
  #honor(ceremony: number, films: readonly number[]): void {
    const random = this.#random;
    const isSpecial = random.oneIn(3);
    const isCompetitive = random.oneIn(30);
    const [awardClass, category] = isSpecial
      ? ['Special', 'HONORARY AWARD']
      : ['SciTech', 'SCIENTIFIC OR TECHNICAL AWARD (Class II)'];
    const nominee_ids = isCompetitive || random.oneIn(4) ? [this.#count.nominees] : [];
    this.#add('honors', {
      ...{ ceremony_id: ceremony, nominee_ids },
      ...(isCompetitive
        ? { class: 'Competitive', category: 'ENGINEERING EFFECTS', category_id: 1, winner: random.oneIn(3) }
        : { class: awardClass, category, category_id: null, winner: true }),
      movie_id: !isCompetitive && random.oneIn(20) ? random.pick(films) : null,
    });
  }
}
