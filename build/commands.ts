/** What each command does, and what it says about it. */
import { existsSync } from 'node:fs';
import type { Connection } from '../data/open.ts';
import { openDatabase } from '../data/open.ts';
import { Refusal } from '../data/refusal.ts';
import { type Progress, showProgress } from './progress.ts';

export interface CommandOptions {
  db: string;
  json?: boolean;
}
export interface GenerateOptions extends CommandOptions {
  scale: number;
  seed: number;
}
export interface BuildCommandOptions extends CommandOptions {
  out: string;
  full?: boolean;
  explain?: boolean;
}
export interface ServeCommandOptions extends CommandOptions {
  out: string;
  port: number;
  host: string;
}

export const commands = { sample, import: importSource, generate, build, verify, serve, start };

/** Prints a summary: lines for people, or with --json one line for machines. */
function print(options: CommandOptions, machine: object, people: string): void {
  printLine(options.json ? JSON.stringify(machine) : people);
}

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

async function withDatabase<T>(
  options: CommandOptions,
  mustExist: boolean,
  work: (connection: Connection) => T,
): Promise<Awaited<T>> {
  const connection = openDatabase(options.db, { mustExist });
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}

async function withProgress<T>(label: string, work: (progress: Progress) => T): Promise<Awaited<T>> {
  const { progress, stop } = await showProgress(label);
  try {
    return await work(progress);
  } finally {
    stop();
  }
}

const number = (value: number) => value.toLocaleString('en-US');
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(2)} s`;
const files = (count: number) => `${number(count)} ${count === 1 ? 'file' : 'files'}`;

async function sample(options: CommandOptions): Promise<void> {
  const { fillWithSample } = await import('../data/sample/sample.ts');
  const { renderReport } = await import('../data/import/report.ts');
  const report = await withDatabase(options, false, fillWithSample);
  print(options, report, renderReport(report));
}

async function importSource(source: string, options: CommandOptions): Promise<void> {
  const { importRecord } = await import('../data/import/import.ts');
  const { renderReport } = await import('../data/import/report.ts');
  const report = await withDatabase(options, false, (connection) => importRecord(connection, source));
  print(options, report, renderReport(report));
}

async function generate(options: GenerateOptions): Promise<void> {
  const { generateRecord } = await import('../data/generate/generate.ts');
  const { countRecords } = await import('../data/records.ts');
  const began = performance.now();
  const counts = await withDatabase(options, false, (connection) =>
    withProgress('generating', (progress) => {
      generateRecord(connection, { scale: options.scale, seed: options.seed, onProgress: progress });
      return countRecords(connection);
    }),
  );
  const listed = Object.entries(counts).map(([resource, count]) => `${number(count)} ${resource}`);
  print(options, counts, `generated ${listed.join(', ')} in ${seconds(began)}`);
}

async function build(options: BuildCommandOptions): Promise<void> {
  const builder = await import('./builder.ts');
  const began = performance.now();
  const report = await withDatabase(options, true, (connection) =>
    withProgress('building', (progress) =>
      builder.build(connection, options.out, { full: options.full, onProgress: progress }),
    ),
  );
  const { scope, reason, snapshot } = report;
  const written = report.files.filter((file) => file.action === 'written').length;
  const removed = report.files.length - written;
  if (options.explain && !options.json)
    for (const { action, path, cause } of report.files) printLine(`${action} ${path}: ${cause}`);
  const done = scope === 'nothing' ? 'up to date' : `${files(written)} written, ${number(removed)} removed`;
  print(
    options,
    {
      snapshot,
      scope,
      reason,
      rendered: report.rendered,
      written,
      removed,
      ...(options.explain && { files: report.files }),
    },
    `${options.out}: snapshot ${snapshot}, ${done} in ${seconds(began)} (${scope}: ${reason})`,
  );
}

async function verify(options: BuildCommandOptions): Promise<void> {
  const verifier = await import('./verify.ts');
  const began = performance.now();
  const result = await withDatabase(options, true, (connection) =>
    withProgress('verifying', (progress) => verifier.verify(connection, options.out, progress)),
  );
  const { differences } = result;
  if (differences.length > 0) process.exitCode = 1;
  const lines = differences.map(({ path, problem }) => `${problem} ${path}`);
  const summary =
    differences.length === 0
      ? `${options.out}: all ${files(result.files)} are what a clean build makes, snapshot ${result.snapshot}, in ${seconds(began)}`
      : `${options.out}: ${files(differences.length)} of ${number(result.files)} differ from a clean build; "awards build --full" repairs them`;
  print(options, result, [...lines, summary].join('\n'));
}

async function serve(options: ServeCommandOptions): Promise<void> {
  const { createService } = await import('../api/serve/server.ts');
  const { listen, untilStopped } = await import('../api/serve/run.ts');
  const server = createService({
    out: options.out,
    readLimit: readLimit(),
    proxies: (process.env.AWARDS_TRUSTED_PROXIES ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
    onError: (error) => process.stderr.write(`${(error as Error).stack ?? String(error)}\n`),
  });
  const address = await listen(server, options.port, options.host);
  // Before the address is told: whoever reads it may say stop the next moment.
  const stopped = untilStopped(server);
  print(
    options,
    { address },
    `serving ${options.out} on ${address} (try ${address}/api/nominations; Ctrl-C stops)`,
  );
  await stopped;
}

/** AWARDS_RATE_LIMIT as a number. */
function readLimit(): number {
  const value = process.env.AWARDS_RATE_LIMIT ?? '100';
  if (!/^[0-9]{1,9}$/.test(value))
    throw new Refusal(`AWARDS_RATE_LIMIT is "${value}"; it must be a whole number, 0 for no limit`);
  return Number(value);
}

/** Whether there is no database, or one that nothing came into: filling it may have been cut short. */
async function isEmpty(options: CommandOptions): Promise<boolean> {
  if (!existsSync(options.db)) return true;
  const { countRecords } = await import('../data/records.ts');
  const counts = await withDatabase(options, true, countRecords);
  return Object.values(counts).every((count) => count === 0);
}

async function start(options: ServeCommandOptions): Promise<void> {
  if (await isEmpty(options)) await sample(options);
  await build(options);
  await serve(options);
}
