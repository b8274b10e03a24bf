/** Loaded before a script: gives it the clock that AWARDS_TEST_CLOCK names. */

const began = Date.now();
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const clocks: Record<string, () => number> = {
  // A second earlier at each look.
  backwards: () => began - 1000 * looks,
  'standing at the end of time': () => lastMoment,
  'before it was set': () => 0,
};

let looks = 0;
function now(): number {
  looks += 1;
  return clocks[process.env.AWARDS_TEST_CLOCK!]!();
}

globalThis.Date = class extends Date {
  constructor(...parameters: [] | [number | string | Date]) {
    super(parameters.length === 0 ? now() : parameters[0]);
  }
  static override now = now;
} as DateConstructor;
