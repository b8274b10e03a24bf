/**
 * Asks whether the tests see: changes one line of the source at a time, by a seed, and runs the tests of the
 * usual run on each change. A change that no test notices is a survivor. It needs a test, or an explanation.
 *
 *   node tools/seeded-changes.mjs --seed 1 --count 60                 makes, runs and reports them
 *   node tools/seeded-changes.mjs --seed 1 --count 60 --list          only lists them
 *   node tools/seeded-changes.mjs --seed 1 --count 60 --only 7,12     runs two of them again
 *   node tools/seeded-changes.mjs --paths build/publish,data --slow   in two folders; runs the slow tests, too
 *   node tools/seeded-changes.mjs --related                           only the tests that import the changed file
 *
 * It works on a copy of the last commit, and leaves the checkout alone. One row of the report:
 * number, place, kind of change, and the test that noticed it, "survived", or "hangs".
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: settings } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    paths: { type: 'string', default: 'api,build,data' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
    related: { type: 'boolean', default: false },
  },
});

/** A change that hangs this long is noticed: a run of all tests takes a tenth of it. */
const timeoutMs = 900_000;

/** Numbers from 0 up to, but not including, 1 (mulberry32). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const swapped = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
};
const swap = (line, operator) =>
  line.replace(operator, (whole, found) => whole.replace(found, swapped[found]));

/** The line with its first condition negated; the same line where the condition goes on in the next line. */
function negate(line) {
  const start = line.search(/\bif \(/) + 'if ('.length;
  if (start < 'if ('.length) return line;
  let depth = 1;
  for (let end = start; end < line.length; end += 1) {
    if (line[end] === '(') depth += 1;
    if (line[end] === ')') depth -= 1;
    if (depth === 0) return `${line.slice(0, start)}!(${line.slice(start, end)})${line.slice(end)}`;
  }
  return line;
}

const headerName = /'(x-[a-z-]+|if-[a-z-]+|etag|vary|(?:[a-z]+-)+[a-z]+|(?:[A-Z][a-z]+-)*[A-Z][A-Za-z]+)'/;

/** Kind of change → the changed line; the same line where the kind does not apply. */
const kinds = {
  'condition negated': negate,
  'comparison turned': (line) => swap(line, / (===|!==) /),
  'bound moved': (line) => swap(line, /(?<!=) (<=|>=|<|>) (?=[\w#(-])/),
  'and is or': (line) => swap(line, / (&&|\|\|) /),
  // A time that is a millisecond longer is no fault.
  'number raised': (line) =>
    /\bconst \w+Ms = /.test(line)
      ? line
      : line.replace(/(?<![\w.'"#/-])\d+(?![\w.'"])/, (digits) => String(Number(digits) + 1)),
  'boolean turned': (line) =>
    line.replace(/\b(true|false)\b/, (word) => (word === 'true' ? 'false' : 'true')),
  'call dropped': (line, previous) =>
    /[;{}/]$|^$/.test(previous) && /^\s+(await )?[a-z][\w.#!?]*\(.*\);$/.test(line) ? '' : line,
  'guard dropped': (line) => (/^\s+if \(.+\) (return|continue|break)\b.*;$/.test(line) ? '' : line),
  'error swallowed': (line) => (/^\s+(if \(.+\) )?throw .+;$/.test(line) ? '' : line),
  'header changed': (line) =>
    /header|vary|etag|cache-control|retry-after/i.test(line) ? line.replace(headerName, "'x-$1'") : line,
};

const isCode = (line) =>
  !/^\s*(\/\/|\/\*|\*|import |export (type|interface) |type |interface |\} from )/.test(line) &&
  !/`.* \w+ .*`/.test(line);

function lineChanges() {
  const listed = spawnSync('git', ['ls-files', '--', ...settings.paths.split(',')], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed.stdout.split('\n').filter((path) => /\.ts$/.test(path) && !/\.d\.ts$/.test(path));
  const found = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  for (const path of files) {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    lines.forEach((line, index) => {
      if (!isCode(line)) return;
      for (const [kind, change] of Object.entries(kinds)) {
        const changed = change(line, lines[index - 1] ?? '');
        if (changed !== line) found[kind].push({ path, index, kind, line, changed });
      }
    });
  }
  return found;
}

/** As many changes of each kind as of the others, each in another file as long as there is one. */
function choose(count) {
  const random = randomNumbers(Number(settings.seed));
  const found = lineChanges();
  const chosen = [];
  const used = new Set();
  for (let number = 0; chosen.length < count; number += 1) {
    const kind = Object.keys(kinds)[number % Object.keys(kinds).length];
    const fresh = found[kind].filter(({ path }) => !used.has(path));
    const candidates = fresh.length > 0 ? fresh : found[kind];
    if (candidates.length === 0) continue;
    const change = candidates[Math.floor(random() * candidates.length)];
    used.add(change.path);
    chosen.push(change);
  }
  return chosen;
}

/** Runs tests in the copy. @returns the test that failed first, "hangs", or undefined if all passed */
function failedTest(copy, words) {
  const command = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    ...words,
    '--bail',
    '1',
    '--reporter',
    'json',
  ];
  const environment = { ...process.env, TEST_SEED: settings.seed };
  const run = spawnSync(process.execPath, command, {
    cwd: copy,
    encoding: 'utf8',
    env: environment,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 28,
  });
  if (run.error?.code === 'ETIMEDOUT') return 'hangs';
  if (run.status === 0) return undefined;
  const text = run.stdout.slice(run.stdout.indexOf('{"numTotal'));
  try {
    const { testResults } = JSON.parse(text.slice(0, text.lastIndexOf('}') + 1));
    const failed = testResults.find(({ status }) => status === 'failed');
    const assertion = failed.assertionResults.find(({ status }) => status === 'failed');
    return `${failed.name.replace(`${copy}/`, '')}: ${assertion?.fullName ?? 'does not load'}`;
  } catch {
    return `exit ${run.status}: ${run.stderr.trim().split('\n')[0] ?? ''}`;
  }
}

const changes = choose(Number(settings.count));
const only = settings.only?.split(',').map(Number);
const numbered = changes
  .map((change, index) => [index + 1, change])
  .filter(([number]) => only?.includes(number) ?? true);
const placeOf = ({ path, index, kind }) => `${path}:${index + 1} | ${kind}`;
if (settings.list) {
  for (const [number, change] of numbered)
    process.stdout.write(
      `${number} | ${placeOf(change)}\n    - ${change.line.trim()}\n    + ${change.changed.trim()}\n`,
    );
  process.exit();
}

const copy = mkdtempSync(join(tmpdir(), 'seeded-changes-'));
const git = (...words) => {
  const { status, stderr } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};
git('worktree', 'add', '--detach', '--force', copy, 'HEAD');
let survivors = 0;
try {
  for (const folder of ['node_modules', 'tools/node_modules'])
    if (existsSync(join(root, folder))) symlinkSync(join(root, folder), join(copy, folder));
  const usual = ['--project', 'fast', '--project', 'system'];
  const all = [['run', ...usual], ...(settings.slow ? [['run', '--project', 'slow']] : [])];
  const suites = settings.related ? [] : all;
  const failed = suites.map((words) => failedTest(copy, words)).find((test) => test !== undefined);
  if (failed) throw new Error(`a test fails without any change: ${failed}`);
  for (const [number, change] of numbered) {
    const file = join(copy, change.path);
    const text = readFileSync(file, 'utf8');
    const lines = text.split('\n');
    lines[change.index] = change.changed;
    writeFileSync(file, lines.join('\n'));
    // The tests that import the file are most likely to notice it, and take less time than all.
    let noticed = failedTest(copy, ['related', '--run', ...usual, change.path]);
    for (const words of suites) noticed ??= failedTest(copy, words);
    writeFileSync(file, text);
    if (noticed === undefined) survivors += 1;
    process.stdout.write(`${number} | ${placeOf(change)} | ${noticed ?? 'survived'}\n`);
    if (noticed === undefined)
      process.stdout.write(`    - ${change.line.trim()}\n    + ${change.changed.trim()}\n`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
  git('worktree', 'prune');
}
process.stdout.write(`seed ${settings.seed}: ${numbered.length - survivors} of ${numbered.length} noticed\n`);
process.exitCode = survivors === 0 ? 0 : 1;
