/**
 * Chooses the nominees: newcomers, spread evenly over the nominations, and earlier nominees. Some earlier nominees recur far
 * more often than others, within a career of limited length. Memory: one number per nominee.
 */
import type { Guild } from './categories.ts';
import type { Random } from './random.ts';

/** Number of ceremonies after the first nomination in which a nominee can recur. */
export const careerLength = 30;

/** Does not grow with the scale, so that a nominee has at most about as many nominations as a real one. */
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

  /**
   * @param nominations number of seats to fill
   * @param nominees number of newcomers
   * @param introduce called with each newcomer, ids ascending from 1
   */
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
    return this.#introduced < this.#nominees ? this.#newcomer(pool, guild) : this.#firstExcept(taken);
  }

  /** An active member, if there is one. Every second position is drawn twice as often, every fourth four times, and so on. */
  #recall(random: Random, pool: Pool): number | undefined {
    const from = pool.starts[pool.starts.length - 1 - careerLength] ?? 0;
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

  /** The last resort of a tiny record: a nominee of any guild. */
  #firstExcept(taken: readonly number[]): number {
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
