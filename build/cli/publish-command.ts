/** The command "publish": to Netlify, to another folder, or only what would be done. */
import { existsSync } from 'node:fs';
import type { Connection } from '../../data/open.ts';
import { accountOf } from '../publish/account.ts';
import type { CopyReport } from '../publish/copy.ts';
import type { Plan } from '../publish/plan.ts';
import type { PublishReport } from '../publish/publish.ts';
import { showProgress } from './progress.ts';

export interface PublishCommandOptions {
  db: string;
  out: string;
  json?: boolean;
  /** Another folder instead of Netlify. */
  to?: string;
  site?: string;
  dryRun?: boolean;
  force?: boolean;
}

/** @throws UserError */
export async function publishCommand(options: PublishCommandOptions): Promise<void> {
  // Without the database a snapshot can be published all the same; only nobody can tell how new it is.
  const { openDatabase } = await import('../../data/open.ts');
  const connection = existsSync(options.db) ? openDatabase(options.db) : undefined;
  try {
    if (options.to !== undefined) await toFolder(options, options.to, connection);
    else if (options.dryRun) await dryRun(options, connection);
    else await toNetlify(options, connection);
  } finally {
    connection?.close();
  }
}

async function toNetlify(options: PublishCommandOptions, connection: Connection | undefined): Promise<void> {
  const account = accountOf(process.env, options.site);
  const { publish } = await import('../publish/publish.ts');
  const began = performance.now();
  const report = await withBars((onProgress) =>
    publish({ ...account, out: options.out, connection, force: options.force, onProgress }),
  );
  print(options, report, [publishedText(report, seconds(began)), ...behindText(report)]);
}

function publishedText(
  { scope, snapshot, site, uploaded, bytes, files }: PublishReport,
  took: string,
): string {
  if (scope === 'nothing') return `${site} shows snapshot ${snapshot} already (${took})`;
  return `${site}: snapshot ${snapshot} is live, ${count(uploaded)} of ${number(files)} sent (${kilobytes(bytes)}) in ${took}`;
}

async function dryRun(options: PublishCommandOptions, connection: Connection | undefined): Promise<void> {
  const account = accountOf(process.env, options.site);
  const { planPublish } = await import('../publish/publish.ts');
  const plan = await planPublish({ ...account, out: options.out, connection, force: options.force });
  print(options, { dryRun: true, ...plan }, [...planLines(plan), planText(plan), ...behindText(plan)]);
}

const planLines = ({ files, removed }: Plan): string[] => [
  ...files.map(({ path, bytes, why }) => `${why} ${path} (${number(bytes)} bytes)`),
  ...removed.map((path) => `gone ${path}`),
];

function planText({ site, snapshot, live, files, bytes, removed, total }: Plan): string {
  if (files.length === 0 && removed.length === 0) return `${site} shows snapshot ${snapshot} already`;
  return `${site} shows ${live ? `snapshot ${live}` : 'no snapshot'}; snapshot ${snapshot} would send ${count(files.length)} of ${number(total)} at most (${kilobytes(bytes)}) and take away ${number(removed.length)}; nothing was done`;
}

async function toFolder(
  options: PublishCommandOptions,
  to: string,
  connection: Connection | undefined,
): Promise<void> {
  const { publishToFolder } = await import('../publish/copy.ts');
  const began = performance.now();
  const { out, force } = options;
  const report: CopyReport = await withBars((onProgress) =>
    publishToFolder({ out, to, connection, force, onProgress }),
  );
  const { snapshot, written, removed, bytes } = report;
  const text = `${to}: snapshot ${snapshot}, ${count(written)} written (${kilobytes(bytes)}), ${number(removed)} removed in ${seconds(began)}`;
  print(options, report, [text, ...behindText(report)]);
}

const behindText = ({ behind }: { behind: number }): string[] =>
  behind === 0
    ? []
    : [
        `the database holds ${number(behind)} ${behind === 1 ? 'change' : 'changes'} more; "awards build" brings them in`,
      ];

/** A progress bar for each thing that takes its time. */
async function withBars<T>(
  work: (onProgress: (what: string, done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const bars = new Map<string, Awaited<ReturnType<typeof showProgress>>>();
  for (const label of ['hashing', 'copying', 'uploading']) bars.set(label, await showProgress(label));
  try {
    return await work((what, done, total) => {
      for (const [label, { stop }] of bars) if (label !== what) stop();
      bars.get(what)?.progress(done, total);
    });
  } finally {
    for (const { stop } of bars.values()) stop();
  }
}

function print(options: PublishCommandOptions, machine: object, lines: readonly string[]): void {
  process.stdout.write(`${options.json ? JSON.stringify(machine) : lines.join('\n')}\n`);
}

const number = (value: number) => value.toLocaleString('en-US');
const count = (files: number) => `${number(files)} ${files === 1 ? 'file' : 'files'}`;
const kilobytes = (bytes: number) => `${number(Math.ceil(bytes / 1024))} KB`;
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(2)} s`;
