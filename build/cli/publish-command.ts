/** The command "publish": to Netlify, to another folder, or a dry run. */
import { existsSync } from 'node:fs';
import type { Connection } from '../../data/open.ts';
import type { Plan } from '../publish/live-site.ts';
import type { PublishReport } from '../publish/publish.ts';
import type { FolderPublishReport } from '../publish/publish-to-folder.ts';
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
  // A snapshot can be published without its database; only its age is unknown then.
  const { openDatabase } = await import('../../data/open.ts');
  const connection = existsSync(options.db) ? openDatabase(options.db) : undefined;
  try {
    if (options.to !== undefined) await toFolder(options, options.to, connection);
    else await toNetlify(options, connection);
  } finally {
    connection?.close();
  }
}

async function toNetlify(options: PublishCommandOptions, connection: Connection | undefined): Promise<void> {
  const { accountOf } = await import('../publish/netlify.ts');
  const account = accountOf(process.env, options.site);
  const { planPublish, publish } = await import('../publish/publish.ts');
  const { out, force } = options;
  if (options.dryRun) {
    const plan = await planPublish({ ...account, out, connection, force });
    return print(options, plan, [...planLines(plan), planText(plan)]);
  }
  const started = performance.now();
  const report = await withBars((onProgress) => publish({ ...account, out, connection, force, onProgress }));
  print(options, report, [publishedText(report, seconds(started))]);
}

function publishedText(
  { scope, snapshot, site, uploaded, bytes, files }: PublishReport,
  took: string,
): string {
  if (scope === 'nothing') return `${site} shows snapshot ${snapshot} already (${took})`;
  return `${site}: snapshot ${snapshot} is live, ${count(uploaded)} of ${number(files)} sent (${kilobytes(bytes)}) in ${took}`;
}

const planLines = ({ files, removed }: Plan): string[] => [
  ...files.map(({ path, bytes, why }) => `${why} ${path} (${number(bytes)} bytes)`),
  ...removed.map((path) => `remove ${path}`),
];

function planText({ site, snapshot, live, files, bytes, removed, total }: Plan): string {
  if (files.length === 0 && removed.length === 0) return `${site} shows snapshot ${snapshot} already`;
  return `${site} shows ${live ? `snapshot ${live}` : 'no snapshot'}; snapshot ${snapshot} would send ${count(files.length)} of ${number(total)} at most (${kilobytes(bytes)}) and remove ${number(removed.length)}; nothing was done`;
}

async function toFolder(
  options: PublishCommandOptions,
  to: string,
  connection: Connection | undefined,
): Promise<void> {
  const { publishToFolder } = await import('../publish/publish-to-folder.ts');
  const started = performance.now();
  const { out, force } = options;
  const report = await withBars((onProgress) => publishToFolder({ out, to, connection, force, onProgress }));
  const { snapshot, written, removed, bytes } = report;
  print(options, report, [
    `${to}: snapshot ${snapshot}, ${count(written)} written (${kilobytes(bytes)}), ${number(removed)} removed in ${seconds(started)}`,
  ]);
}

/** A progress bar for each phase. */
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

function print(
  options: PublishCommandOptions,
  report: Plan | PublishReport | FolderPublishReport,
  lines: readonly string[],
): void {
  const { behind } = report;
  const machine = options.dryRun ? { dryRun: true, ...report } : report;
  const hint = `the database holds ${number(behind)} more ${behind === 1 ? 'change' : 'changes'}; "awards build" adds them to the snapshot`;
  const text = [...lines, ...(behind === 0 ? [] : [hint])].join('\n');
  process.stdout.write(`${options.json ? JSON.stringify(machine) : text}\n`);
}

const number = (value: number) => value.toLocaleString('en-US');
const count = (files: number) => `${number(files)} ${files === 1 ? 'file' : 'files'}`;
const kilobytes = (bytes: number) => `${number(Math.ceil(bytes / 1024))} KB`;
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(2)} s`;
