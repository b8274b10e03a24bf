/** The doctor's findings about enrichment: what is known of films and people, and what may not be passed on or kept. */
import { join } from 'node:path';
import { downloadIndexPath } from '../../../api/contract/layers.ts';
import { enrichmentSources } from '../../../api/contract/enrichment.ts';
import { readIfPresent } from '../../../api/read/node-source.ts';
import { type RestrictedDay, restrictedSource } from '../../../data/enrich/restricted.ts';
import type { FieldCoverage } from '../../../data/enrich/wanted.ts';
import type { Content } from '../../../data/inspect.ts';
import { counted, number } from '../../../data/numbers.ts';
import { unreadable } from './checks.ts';
import { type Finding, findingsAbout } from './finding.ts';

const dayMs = 24 * 60 * 60_000;
/** Values that expire within this time are to be renewed. */
const warningDays = 30;

/** @param out folder of the snapshot */
export function checkCoverage(content: Content | undefined, out: string, now: Date): Finding[] {
  const subjects = ['films', 'people', 'terms'] as const;
  if (content === undefined)
    return subjects.map((subject) =>
      findingsAbout(subject).skipped('they are in the database, which cannot be used'),
    );
  const { movies, nominees } = content.coverage;
  return [
    findingsAbout('films').fine(known(movies)),
    findingsAbout('people').fine(known(nominees)),
    checkTerms(content.restricted, out, now),
  ];
}

function checkTerms(restricted: readonly RestrictedDay[], out: string, now: Date): Finding {
  try {
    return judgeTerms(restricted, includesRestricted(out), now);
  } catch (error) {
    return unreadable('terms', out, error);
  }
}

function known({ records, known: fields }: FieldCoverage): string {
  const shares = Object.entries(fields).map(
    ([field, count]) => `${field} ${records === 0 ? 0 : Math.floor((100 * count) / records)} %`,
  );
  return `${number(records)}: ${shares.join(', ')}`;
}

/** Whether the downloads of a folder have values that may not be passed on. */
function includesRestricted(out: string): boolean {
  const index = readIfPresent(join(out, downloadIndexPath));
  return index !== undefined && /"notices":\["/.test(Buffer.from(index).toString());
}

function judgeTerms(restricted: readonly RestrictedDay[], isIncluded: boolean, now: Date): Finding {
  const { fine, note, wrong } = findingsAbout('terms');
  if (restricted.length === 0) return fine('every value may be passed on');
  const place = isIncluded ? 'in the downloads (--include-restricted)' : 'not in the downloads';
  const { title, maxAgeDays } = enrichmentSources[restrictedSource];
  const valuesBefore = (time: number) =>
    restricted.reduce((sum, { day, values }) => sum + (Date.parse(day) < time ? values : 0), 0);
  const all = `${counted(valuesBefore(Number.POSITIVE_INFINITY), 'value')} of ${title}, ${place}`;
  const old = valuesBefore(now.getTime() - maxAgeDays * dayMs);
  const soon = valuesBefore(now.getTime() - (maxAgeDays - warningDays) * dayMs);
  const advice = `"awards enrich ${restrictedSource} --refresh" renews them`;
  if (old > 0)
    return wrong(
      `${all}; ${counted(old, 'value')} older than the ${maxAgeDays} days that ${title} allows`,
      advice,
    );
  return soon > 0
    ? note(`${all}; ${counted(soon, 'value')} to renew within ${warningDays} days`, advice)
    : fine(all);
}
