/** The command "publish": to Netlify, to another folder, or a dry run. */
import { originOfLists } from '../../api/contract/layers.ts';
import type { PublishReport } from '../publish/netlify-target.ts';
import type { Plan, PublishOptions } from '../publish/publish.ts';
import { OutputFolder } from '../snapshot/output-folder.ts';
import { isThere } from '../../data/system/files.ts';
import { UserError, counted, number } from '../../data/system/messages.ts';
import { type CommandOptions, openUpgraded, print, printLine, secondsSince, withPhases } from './command.ts';
import { environment, netlifyAccount, noOrigin } from './environment.ts';

type Account = ReturnType<typeof netlifyAccount>;

interface PublishCommandOptions
  extends CommandOptions,
    Pick<PublishOptions, 'out' | 'pages' | 'byImdb' | 'force' | 'releases' | 'origin'> {
  /** Another folder instead of Netlify. */
  to?: string;
  /** The site whose history goes on in that folder. */
  live?: string;
  site?: string;
  dryRun?: boolean;
}

interface NotedOptions extends PublishCommandOptions {
  connection: PublishOptions['connection'];
  /** What the publish found and repaired, or gave up. */
  notices: readonly string[];
  onNotice: (line: string) => void;
}

export async function publishCommand(given: PublishCommandOptions): Promise<void> {
  // A folder that takes all pages takes these files as well. Netlify and Cloudflare limit the number of
  // files.
  const byImdb = given.byImdb ?? (given.to !== undefined && given.pages === 'all');
  if (given.live !== undefined && given.to === undefined)
    throw new UserError('--live is for a folder, with --to; Netlify tells what is live');
  // Before the database is opened and checked.
  const account = accountOf(given);
  const options = { ...given, byImdb, origin: originOf(given) };
  // A snapshot can be published without its database; only its age is unknown then.
  const connection = isThere(options.db) ? await openUpgraded(options, { check: true }) : undefined;
  const notices: string[] = [];
  const noted = { ...options, connection, notices, onNotice: (line: string) => void notices.push(line) };
  try {
    if (options.to !== undefined) await toFolder(noted, options.to);
    else await toNetlify(noted, account);
  } finally {
    connection?.close();
  }
}

/**
 * The address of the site that the feeds name: the given one, else that of the built lists. Says on stderr
 * where there is none.
 * @throws UserError if the built lists have another one than the given one: a publish does not make them
 *   again
 */
function originOf({ out, origin }: PublishCommandOptions): string | undefined {
  const lists = new OutputFolder(out).layerHead('lists');
  const built = originOfLists(lists);
  if (lists !== undefined && origin !== undefined && origin !== built)
    throw new UserError(
      `the lists in ${out} name ${built ?? 'no address'}, not ${origin}; run "awards build --origin ${origin}" first`,
    );
  const known = origin ?? built;
  if (known === undefined)
    process.stderr.write(`awards: ${noOrigin}; set AWARDS_ORIGIN for "build" and "publish"\n`);
  return known;
}

/** The account that a publish to Netlify uses. A plan needs none: it is then that of the first publish. */
const accountOf = ({ to, dryRun, site }: PublishCommandOptions): Account | undefined =>
  to !== undefined || (dryRun && !environment.NETLIFY_AUTH_TOKEN) ? undefined : netlifyAccount(site);

async function toNetlify(options: NotedOptions, account: Account | undefined): Promise<void> {
  const { publish } = await import('../publish/publish.ts');
  const { NetlifyTarget } = await import('../publish/netlify-target.ts');
  const { json, dryRun } = options;
  const started = performance.now();
  const text = ({ scope, snapshot, site, uploaded, bytes, files }: PublishReport) =>
    scope === 'nothing'
      ? `${site} shows snapshot ${snapshot} already (${secondsSince(started)})`
      : `${site}: snapshot ${snapshot} is live, ${counted(uploaded, 'file')} of ${number(files)} sent (${kilobytes(bytes)}) in ${secondsSince(started)}`;
  const onFirstDeploy = (report: PublishReport) => json || printLine(`${text(report)}; the pages follow`);
  const retry = dryRun ? { attempts: 2 } : undefined;
  const { plan, outcome } = await withPhases((onProgress) => {
    const own = { ...publishOptions(options), account, retry, onFirstDeploy, onProgress };
    return publish(own, new NetlifyTarget(own));
  });
  if (outcome) return printReport(options, outcome, [text(outcome)]);
  const hint = 'NETLIFY_AUTH_TOKEN is not set: this is the first publish, to an empty site';
  printReport(options, plan, [...(account ? [] : [hint]), ...planLines(plan)]);
}

/** What publish() takes of the options. */
const publishOptions = (given: NotedOptions) => {
  const { out, connection, pages, byImdb, force, releases, origin, dryRun, onNotice } = given;
  return { out, connection, pages, byImdb, force, releases, origin, dryRun, onNotice };
};

function planLines({ site, snapshot, live, files, total, removed }: Plan): string[] {
  if (removed.length + files.length === 0) return [`${site} shows snapshot ${snapshot} already`];
  const size = kilobytes(files.reduce((sum, { bytes }) => sum + bytes, 0));
  return [
    ...files.map(({ path, bytes, why }) => `${why} ${path} (${number(bytes)} bytes)`),
    ...removed.map((path) => `remove ${path}`),
    `${site ?? 'an empty site'} shows ${live ? `snapshot ${live}` : 'no snapshot'}; snapshot ${snapshot} would send ${counted(files.length, 'file')} of ${number(total)} at most (${size}) and remove ${number(removed.length)}; nothing was done`,
  ];
}

async function toFolder(options: NotedOptions, to: string): Promise<void> {
  const { publish } = await import('../publish/publish.ts');
  const { folderTarget } = await import('../publish/continued-target.ts');
  const started = performance.now();
  const { plan } = await withPhases((onProgress) => {
    const own = { ...publishOptions(options), to, live: options.live, onProgress };
    return publish(own, folderTarget(own));
  });
  const { snapshot, behind, total, files, removed } = plan;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const report = { snapshot, files: total, behind, written: files.length, removed: removed.length, bytes };
  const what = `${counted(files.length, 'file')} written (${kilobytes(bytes)}), ${number(removed.length)} removed`;
  const { dryRun } = options;
  const took = dryRun ? '; nothing was done' : ` in ${secondsSince(started)}`;
  printReport(options, report, [`${to}: snapshot ${snapshot}, ${dryRun ? 'would be: ' : ''}${what}${took}`]);
}

function printReport(
  options: NotedOptions,
  report: { snapshot: string; behind: number },
  lines: readonly string[],
): void {
  const { dryRun, notices } = options;
  const machine = { ...(dryRun && { dryRun }), ...report, ...(notices.length > 0 && { notices }) };
  const more = counted(report.behind, 'more change');
  const hint = `the database holds ${more}; "awards build" adds them to the snapshot`;
  print(options, machine, [...notices, ...lines, ...(report.behind === 0 ? [] : [hint])].join('\n'));
}

const kilobytes = (bytes: number) => `${number(Math.ceil(bytes / 1024))} KB`;
