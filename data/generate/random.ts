/**
 * Random numbers that are the same on every machine: sfc32 (Chris Doty-Humphrey, PractRand), seeded by the string hash
 * cyrb128. No Math.log or Math.pow: engines may round their last digit differently.
 */

/** One stream of random numbers. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(a: number, b: number, c: number) {
    this.#a = a | 0;
    this.#b = b | 0;
    this.#c = c | 0;
    // After a dozen rounds every bit of the seed has reached every bit of the state.
    for (let round = 0; round < 15; round += 1) this.next();
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number {
    return Math.floor((this.next() / 4294967296) * limit);
  }

  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** True once in `times`. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** `count` different items of the list, in random order; all of them if there are fewer. */
  sample<T>(list: readonly T[], count: number): T[] {
    const rest = [...list];
    const chosen: T[] = [];
    while (chosen.length < count && rest.length > 0) chosen.push(rest.splice(this.below(rest.length), 1)[0]!);
    return chosen;
  }

  /** One of the options; an option is as likely as its weight, a whole number, says. */
  weighted<T>(options: readonly (readonly [weight: number, option: T])[]): T {
    let rest = this.below(options.reduce((sum, [weight]) => sum + weight, 0));
    return options.find(([weight]) => {
      rest -= weight;
      return rest < 0;
    })![1];
  }

  /** A rank from 0 to `2^levels - 1`. The first eight are equally likely; a later rank r is about as likely as 1 / r. */
  rank(levels: number): number {
    return this.below(2 ** this.between(3, levels));
  }
}

/** The independent streams of one seed. A purpose and an index name a stream. */
export class Streams {
  readonly #seed: string;
  readonly #states = new Map<string, readonly [number, number, number]>();

  constructor(seed: string | number) {
    this.#seed = String(seed);
  }

  of(purpose: string, index: number): Random {
    let state = this.#states.get(purpose);
    if (!state) {
      state = hash(`${purpose}\n${this.#seed}`);
      this.#states.set(purpose, state);
    }
    return new Random(state[0] ^ index, state[1], state[2]);
  }
}

/** The first 96 of the 128 bits of cyrb128 (bryc, public domain). */
function hash(text: string): readonly [number, number, number] {
  let [first, second, third, fourth] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let position = 0; position < text.length; position += 1) {
    const unit = text.charCodeAt(position);
    first = second ^ Math.imul(first ^ unit, 597399067);
    second = third ^ Math.imul(second ^ unit, 2869860233);
    third = fourth ^ Math.imul(third ^ unit, 951274213);
    fourth = first ^ Math.imul(fourth ^ unit, 2716044179);
  }
  first = Math.imul(third ^ (first >>> 18), 597399067);
  second = Math.imul(fourth ^ (second >>> 22), 2869860233);
  third = Math.imul(first ^ (third >>> 17), 951274213);
  fourth = Math.imul(second ^ (fourth >>> 19), 2716044179);
  first ^= second ^ third ^ fourth;
  return [first, second ^ first, third ^ first];
}
