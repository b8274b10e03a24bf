/** What an import does, for people and as data. */
import type { ResourceName } from '../../api/contract/names.ts';
import { counted, number, UserError } from '../system/messages.ts';
import { forEachResource } from '../record/records.ts';
import { inOrderOfRemoval, type NamedRecord, type Plan } from './plan.ts';
import type { LeftOut } from './source-record.ts';

/** Counts of the records that a source names. */
interface Tally {
  added: number;
  changed: number;
  unchanged: number;
}

export interface ImportReport {
  /** Whether the source is that of the last import, and was not read: then nothing is counted or listed. */
  isUnread: boolean;
  resources: Record<ResourceName, Tally>;
  /** The changed records, each with the fields that change. */
  changed: Plan['changed'];
  /**
   * The removed records: an earlier import added them, the source no longer has them, and they are as sources
   * gave them.
   */
  retired: NamedRecord[];
  /** Whether they are so many that an import is refused without --force. */
  needsForce: boolean;
  /**
   * Ids of nominations that the source no longer has and that stay, because an editor has changed them,
   * ascending.
   */
  kept: number[];
  /** What the source has, and an editor deleted: it is not added again. */
  deleted: NamedRecord[];
  /** New nominations and honors that would refer to it: they are not added. */
  withheld: Plan['withheld'];
  leftOut: LeftOut[];
}

/** @param plan undefined for a source that was not read */
export function reportOf(plan: Plan | undefined, leftOut: LeftOut[]): ImportReport {
  const { changed = [], removed = [], deleted = [], withheld = [] } = plan ?? {};
  return {
    isUnread: plan === undefined,
    resources: forEachResource((resource) => {
      const own = plan?.resources[resource];
      return {
        added: own?.add.size ?? 0,
        changed: own?.change.size ?? 0,
        unchanged: own?.unchanged ?? 0,
      };
    }),
    changed,
    retired: removed,
    needsForce: plan !== undefined && tooMany(plan) !== undefined,
    kept: plan?.resources.nominations.keep ?? [],
    deleted,
    withheld,
    leftOut,
  };
}

/** More than this share of any resource is removed only if it is asked for. */
const maxShare = 0.02;

/** The first resource of which a plan removes too many. */
const tooMany = ({ resources }: Plan): ResourceName | undefined =>
  inOrderOfRemoval.find(
    (resource) => resources[resource].remove.length > resources[resource].before * maxShare,
  );

/** @throws UserError if a plan removes more than 2 % of a resource */
export function refuseToRemoveMany(plan: Plan): void {
  const resource = tooMany(plan);
  if (resource === undefined) return;
  const { remove, before } = plan.resources[resource];
  throw new UserError(
    `the source no longer has ${number(remove.length)} of ${number(before)} ${resource}, more than ${maxShare * 100} %, so nothing was imported; ` +
      'check that the source is complete: --dry-run lists the records that would be removed, --force removes them',
  );
}

/** Records, and rows left out, that a short report names. */
const maxNamed = 10;

/**
 * The report as lines of text, without a line break at the end. @param dryRun name all records that would
 * change or go
 */
export function renderReport(
  report: ImportReport,
  { dryRun = false }: { dryRun?: boolean | undefined } = {},
): string {
  if (report.isUnread)
    return 'unchanged: this source was imported last, and nothing has changed since, so it was not read; --force reads it';
  const lines = Object.entries(report.resources).map(
    ([resource, { added, changed, unchanged }]) =>
      `${resource}: ${number(added)} added, ${number(changed)} changed, ${number(unchanged)} unchanged`,
  );
  const most = dryRun ? Number.POSITIVE_INFINITY : maxNamed;
  const list = <T>(verb: string, items: readonly T[], textOf: (item: T) => string, limit: number) => {
    for (const item of items.slice(0, limit)) lines.push(`${verb}: ${textOf(item)}`);
    if (items.length > limit) lines.push(`${verb}: ${number(items.length - limit)} more`);
  };
  const named = ({ resource, id, name }: NamedRecord) => `${resource} ${id} (${name})`;
  const { leftOut, changed, retired, deleted, withheld, kept } = report;
  list('left out', leftOut, ({ line, row, reason }) => `line ${line}, ${row} (${reason})`, maxNamed);
  lines.push(`left out in all: ${counted(leftOut.length, 'row')}`);
  list('changed', changed, (record) => `${named(record)}: ${record.fields.join(', ')}`, most);
  if (changed.length > 0)
    lines.push(`changed in all: ${counted(changed.length, 'record')}; receipts keep the old values`);
  list('removed', retired, named, most);
  if (retired.length > 0)
    lines.push(
      `removed in all: ${counted(retired.length, 'record')} that the source no longer has; receipts keep them`,
    );
  list('not added again', deleted, named, most);
  if (deleted.length > 0)
    lines.push(`not added again, because an editor deleted them: ${number(deleted.length)}`);
  list('not added', withheld, ({ resource, name }) => `${resource} (${name})`, most);
  if (withheld.length > 0)
    lines.push(`not added, because they would refer to what an editor deleted: ${number(withheld.length)}`);
  const ids = kept.slice(0, 5).join(', ') + (kept.length > 5 ? `, … ${number(kept.length - 5)} more` : '');
  if (kept.length > 0)
    lines.push(
      `no longer in the source, but kept because an editor changed them: ${counted(kept.length, 'nomination')} (id ${ids})`,
    );
  if (dryRun && report.needsForce)
    lines.push('so many records would be removed that the import is refused without --force');
  if (dryRun) lines.push('a dry run: nothing was changed');
  return lines.join('\n');
}
