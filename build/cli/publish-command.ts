/** The command "publish": to Netlify, to another folder, or a dry run. */
import { isThere } from '../system/files.ts';
import type { Connection } from '../../data/database/open.ts';
import type { Plan } from '../publish/live-site.ts';
import type { SourceOptions, PublishOptions, PublishReport } from '../publish/publish.ts';
import type { FolderPublishReport } from '../publish/publish-to-folder.ts';
import { counted, number } from '../system/messages.ts';
import { netlifyAccount } from './accounts.ts';
import { type CommandOptions, print, printLine, secondsSince, withPhases } from './command.ts';
import { environment } from './environment.ts';

interface PublishCommandOptions extends CommandOptions, Pick<PublishOptions, 'out' | 'pages' | 'force'> {
  /** Another folder instead of Netlify. */
  to?: string;
  site?: string;
  dryRun?: boolean;
}

export async function publishCommand(options: PublishCommandOptions): Promise<void> {
  // A snapshot can be published without its database; only its age is unknown then.
  const { openDatabase } = await import('../../data/database/open.ts');
  const connection = isThere(options.db) ? openDatabase(options.db, { check: true }) : undefined;
  try {
    if (options.to !== undefined) await toFolder(options, options.to, connection);
    else await toNetlify(options, connection);
  } finally {
    connection?.close();
  }
}

async function toNetlify(options: PublishCommandOptions, connection: Connection | undefined): Promise<void> {
  const { out, force, json, pages } = options;
  const content = { out, connection, pages };
  if (options.dryRun && !environment.NETLIFY_AUTH_TOKEN)
    return planFirst(options, content, 'NETLIFY_AUTH_TOKEN is not set');
  const account = netlifyAccount(options.site);
  const { planPublish, publish } = await import('../publish/publish.ts');
  const all = { ...account, ...content, force };
  if (options.dryRun) {
    try {
      const plan = await planPublish({ ...all, retry: { attempts: 2 } });
      return printReport(options, plan, planLines(plan));
    } catch (error) {
      const { RetryLaterError } = await import('../system/requests.ts');
      if (!(error instanceof RetryLaterError)) throw error;
      return planFirst(options, content, error.message);
    }
  }
  const started = performance.now();
  const text = (report: PublishReport) => publishedText(report, secondsSince(started));
  const onFirstDeploy = (report: PublishReport) => {
    if (!json) printLine(`${text(report)}; the pages follow`);
  };
  const report = await withPhases((onProgress) => publish({ ...all, onProgress, onFirstDeploy }));
  printReport(options, report, [text(report)]);
}

/** A dry run that cannot ask the site. @param reason why not */
async function planFirst(
  options: PublishCommandOptions,
  content: SourceOptions,
  reason: string,
): Promise<void> {
  const { planFirstPublish } = await import('../publish/publish.ts');
  const plan = await planFirstPublish(content);
  const hint = `The site is not known: ${reason}. This is the first publish to an empty site.`;
  printReport(options, plan, [hint, ...planLines(plan)]);
}

function publishedText(
  { scope, snapshot, site, uploaded, bytes, files }: PublishReport,
  took: string,
): string {
  if (scope === 'nothing') return `${site} shows snapshot ${snapshot} already (${took})`;
  return `${site}: snapshot ${snapshot} is live, ${counted(uploaded, 'file')} of ${number(files)} sent (${kilobytes(bytes)}) in ${took}`;
}

function planLines({ site, snapshot, live, deploys, removed }: Plan): string[] {
  if (removed.length + deploys.reduce((sum, { files }) => sum + files.length, 0) === 0)
    return [`${site} shows snapshot ${snapshot} already`];
  const files = deploys.flatMap((deploy) => deploy.files);
  const steps = deploys.map(
    (deploy) =>
      `${counted(deploy.files.length, 'file')} of ${number(deploy.total)} at most (${kilobytes(deploy.bytes)}; ${deploy.layers.join(', ')})`,
  );
  return [
    ...files.map(({ path, bytes, why }) => `${why} ${path} (${number(bytes)} bytes)`),
    ...removed.map((path) => `remove ${path}`),
    `${site ?? 'an empty site'} shows ${live ? `snapshot ${live}` : 'no snapshot'}; snapshot ${snapshot} would send ${steps.join(', then ')} and remove ${number(removed.length)}; nothing was done`,
  ];
}

async function toFolder(
  options: PublishCommandOptions,
  to: string,
  connection: Connection | undefined,
): Promise<void> {
  const { publishToFolder } = await import('../publish/publish-to-folder.ts');
  const started = performance.now();
  const { out, force, pages, dryRun } = options;
  const report = await withPhases((onProgress) =>
    publishToFolder({ out, to, connection, force, pages, dryRun, onProgress }),
  );
  const { snapshot, written, removed, bytes } = report;
  const files = `${counted(written, 'file')} written (${kilobytes(bytes)}), ${number(removed)} removed`;
  const took = dryRun ? '; nothing was done' : ` in ${secondsSince(started)}`;
  printReport(options, report, [`${to}: snapshot ${snapshot}, ${dryRun ? 'would be: ' : ''}${files}${took}`]);
}

function printReport(
  options: PublishCommandOptions,
  report: Plan | PublishReport | FolderPublishReport,
  lines: readonly string[],
): void {
  const { behind } = report;
  const machine = options.dryRun ? { dryRun: true, ...report } : report;
  const hint = `the database holds ${counted(behind, 'more change')}; "awards build" adds them to the snapshot`;
  print(options, machine, [...lines, ...(behind === 0 ? [] : [hint])].join('\n'));
}

const kilobytes = (bytes: number) => `${number(Math.ceil(bytes / 1024))} KB`;
