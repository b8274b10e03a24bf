/** Loaded before a script: replaces its clock by the one that AWARDS_TEST_CLOCK names. */

const began = Date.now();
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const clocks: Record<string, () => number> = {
  // A second earlier at each reading.
  backwards: () => began - 1000 * readings,
  'stopped at the end of time': () => lastMoment,
  'never set': () => 0,
};

let readings = 0;
function now(): number {
  readings += 1;
  return clocks[process.env.AWARDS_TEST_CLOCK!]!();
}

globalThis.Date = class extends Date {
  constructor(...parameters: [] | [number | string | Date]) {
    super(parameters.length === 0 ? now() : parameters[0]);
  }
  static override now = now;
} as DateConstructor;
