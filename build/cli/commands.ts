/** What the commands that fill the database and build from it do, and what they say about it. */
import { type CommandOptions, print, printLine, withDatabase } from './command.ts';
import type { DownloadsReport } from '../layers/downloads/downloads.ts';
import type { DownloadsVerification } from '../layers/downloads/verification.ts';
import { type Progress, showProgress } from './progress.ts';
import { siteDocuments } from '../snapshot/site-documents.ts';

export interface GenerateOptions extends CommandOptions {
  scale: number;
  seed: number;
}
export interface BuildCommandOptions extends CommandOptions {
  out: string;
  full?: boolean;
  explain?: boolean;
  /** False: leave the downloads as they are. */
  downloads?: boolean;
}

export const commands = { sample, import: importSource, generate, build, verify };

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
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const files = (count: number) => `${number(count)} ${count === 1 ? 'file' : 'files'}`;

async function sample(options: CommandOptions): Promise<void> {
  const { fillWithSample } = await import('../../data/sample/sample.ts');
  const { renderReport } = await import('../../data/import/report.ts');
  const report = await withDatabase(options, false, fillWithSample);
  print(options, report, renderReport(report));
}

async function importSource(source: string, options: CommandOptions): Promise<void> {
  const { importRecord } = await import('../../data/import/import.ts');
  const { renderReport } = await import('../../data/import/report.ts');
  const report = await withDatabase(options, false, (connection) => importRecord(connection, source));
  print(options, report, renderReport(report));
}

async function generate(options: GenerateOptions): Promise<void> {
  const { generateRecord } = await import('../../data/generate/generate.ts');
  const { countRecords } = await import('../../data/records.ts');
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
  const builder = await import('../snapshot/builder.ts');
  const began = performance.now();
  const report = await withDatabase(options, true, (connection) =>
    withProgress('building', (progress) =>
      builder.build(connection, options.out, {
        documents: siteDocuments,
        full: options.full,
        onProgress: progress,
      }),
    ),
  );
  const downloads = options.downloads === false ? undefined : await makeDownloads(options);
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
      ...(downloads && { downloads }),
      ...(options.explain && { files: report.files }),
    },
    `${options.out}: snapshot ${snapshot}, ${done}${downloadsText(downloads)} in ${seconds(began)} (${scope}: ${reason})`,
  );
}

async function makeDownloads({ out, full }: BuildCommandOptions): Promise<DownloadsReport> {
  const downloads = await import('../layers/downloads/downloads.ts');
  return withProgress('making downloads', (onProgress) => downloads.makeDownloads(out, { full, onProgress }));
}

const downloadsText = (report: DownloadsReport | undefined): string =>
  report?.made ? `, ${files(report.files)} to download (${megabytes(report.bytes)})` : '';

async function verify(options: BuildCommandOptions): Promise<void> {
  const verifier = await import('../snapshot/verify.ts');
  const began = performance.now();
  const result = await withDatabase(options, true, (connection) =>
    withProgress('verifying', (progress) =>
      verifier.verify(connection, options.out, { documents: siteDocuments, onProgress: progress }),
    ),
  );
  const { verifyDownloads } = await import('../layers/downloads/verification.ts');
  const downloads = await verifyDownloads(options.out);
  const differences = [...result.differences, ...downloads.differences];
  if (differences.length > 0) process.exitCode = 1;
  const lines = differences.map(({ path, problem }) => `${problem} ${path}`);
  const count = result.files + downloads.files;
  const summary =
    differences.length === 0
      ? `${options.out}: all ${files(count)} are what a clean build makes, snapshot ${result.snapshot}, in ${seconds(began)}${statesOfDownloads[downloads.state]}`
      : `${options.out}: ${files(differences.length)} of ${number(count)} differ from a clean build; "awards build --full" repairs them`;
  print(
    options,
    { ...result, files: count, differences, downloads: downloads.state },
    [...lines, summary].join('\n'),
  );
}

const statesOfDownloads: Readonly<Record<DownloadsVerification['state'], string>> = {
  current: '',
  missing: '; there are no downloads, "awards build" makes them',
  behind: '; the downloads are those of an earlier snapshot, "awards build" makes them anew',
  unknown: '; the downloads could not be compared',
};
