/**
 * Who is nominated: newcomers, spread evenly over the nominations, and the ones who were nominated before. Some of those
 * recur far more often than others, within a career of limited length. What is kept is one number per nominee.
 */
import type { Guild } from './categories.ts';
import type { Random } from './random.ts';

/** How many ceremonies after the first nomination one can still be nominated. */
export const career = 30;

/**
 * Steps of popularity. Fixed, not growing with the scale: a bigger record has more stars, not brighter ones, so that the
 * page of a person stays as long as a real one.
 */
const popularityLevels = 7;

interface Pool {
  /** The members of a guild in the order of their first nomination. */
  members: number[];
  /** How many members there were at the start of each ceremony. */
  starts: number[];
}

export class Cast {
  readonly #pools = new Map<Guild, Pool>();
  readonly #nominations: number;
  readonly #nominees: number;
  readonly #introduce: (nominee: number, guild: Guild) => void;
  #ceremonies = 0;
  #seated = 0;
  #introduced = 0;

  /** Spreads `nominees` newcomers over `nominations` seats; `introduce` hears of each, in ascending order from 1. */
  constructor(nominations: number, nominees: number, introduce: (nominee: number, guild: Guild) => void) {
    this.#nominations = nominations;
    this.#nominees = nominees;
    this.#introduce = introduce;
  }

  /** Begins the next ceremony. */
  openCeremony(): void {
    this.#ceremonies += 1;
    for (const pool of this.#pools.values()) pool.starts.push(pool.members.length);
  }

  /** Different nominees of one guild for the seats of one entry. */
  fill(random: Random, guild: Guild, seats: number): number[] {
    const chosen: number[] = [];
    while (chosen.length < seats) {
      chosen.push(this.#choose(random, this.#poolOf(guild), guild, chosen));
      this.#seated += 1;
    }
    return chosen;
  }

  #choose(random: Random, pool: Pool, guild: Guild, taken: readonly number[]): number {
    const due = Math.floor(((this.#seated + 1) * this.#nominees) / this.#nominations);
    const attempts = this.#introduced < due ? 0 : 8;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const known = this.#recall(random, pool);
      if (known !== undefined && !taken.includes(known)) return known;
    }
    return this.#introduced < this.#nominees ? this.#newcomer(pool, guild) : this.#anyoneBut(taken);
  }

  /** A member still active, undefined if nobody is; every second position is drawn twice as often, every fourth four times, and so on. */
  #recall(random: Random, pool: Pool): number | undefined {
    const from = pool.starts[pool.starts.length - 1 - career] ?? 0;
    const position = from + random.below(pool.members.length - from);
    const popular = position - (position % 2 ** random.below(popularityLevels));
    return pool.members[popular >= from ? popular : position];
  }

  #newcomer(pool: Pool, guild: Guild): number {
    this.#introduced += 1;
    pool.members.push(this.#introduced);
    this.#introduce(this.#introduced, guild);
    return this.#introduced;
  }

  /** Only when the very last nominees of a tiny record are used up does anyone stand outside their guild. */
  #anyoneBut(taken: readonly number[]): number {
    let nominee = 1;
    while (taken.includes(nominee)) nominee += 1;
    return nominee;
  }

  #poolOf(guild: Guild): Pool {
    let pool = this.#pools.get(guild);
    if (!pool) {
      pool = { members: [], starts: new Array<number>(this.#ceremonies).fill(0) };
      this.#pools.set(guild, pool);
    }
    return pool;
  }
}
