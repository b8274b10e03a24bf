/** The doctor's findings about enrichment: what is known of films and people, and what may not be passed on or kept. */
import { join } from 'node:path';
import { downloadIndexPath } from '../../../api/contract/layers.ts';
import { termsOf } from '../../../api/contract/enrichment.ts';
import { readIfPresent } from '../../../api/read/node-source.ts';
import type { Coverage, FieldCoverage, RestrictedValues } from '../../../data/enrich/coverage.ts';
import { counted, number } from '../../system/numbers.ts';
import { unreadable } from './checks.ts';
import { type Finding, findingsAbout } from './finding.ts';

const dayMs = 24 * 60 * 60_000;
/** Values that expire within this time are to be renewed. */
const warningDays = 30;

/** @param out folder of the snapshot */
export function checkCoverage(coverage: Coverage | undefined, out: string, now: Date): Finding[] {
  const subjects = ['films', 'people', 'terms'] as const;
  if (coverage === undefined)
    return subjects.map((subject) =>
      findingsAbout(subject).skipped('they are in the database, which cannot be used'),
    );
  const { movies, nominees } = coverage.resources;
  return [
    findingsAbout('films').fine(known(movies)),
    findingsAbout('people').fine(known(nominees)),
    checkTerms(coverage.restricted, out, now),
  ];
}

function checkTerms(restricted: readonly RestrictedValues[], out: string, now: Date): Finding {
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

function judgeTerms(restricted: readonly RestrictedValues[], isIncluded: boolean, now: Date): Finding {
  const { fine, note, wrong } = findingsAbout('terms');
  if (restricted.length === 0) return fine('every value may be passed on');
  const place = isIncluded ? 'in the downloads (--include-restricted)' : 'not in the downloads';
  const parts: string[] = [];
  let [expired, expiring] = [0, 0];
  for (const { source, values, days } of restricted) {
    const { title = source, maxAgeDays = Number.POSITIVE_INFINITY } = termsOf(source) ?? {};
    const olderThan = (age: number) => {
      const limit = now.getTime() - age * dayMs;
      return days.reduce((sum, each) => sum + (Date.parse(each.day) < limit ? each.values : 0), 0);
    };
    const [old, soon] = [olderThan(maxAgeDays), olderThan(maxAgeDays - warningDays)];
    expired += old;
    expiring += soon;
    parts.push(`${counted(values, 'value')} of ${title}, ${place}`);
    if (old > 0)
      parts.push(`${counted(old, 'value')} older than the ${maxAgeDays} days that ${title} allows`);
    else if (soon > 0) parts.push(`${counted(soon, 'value')} to renew within ${warningDays} days`);
  }
  const advice = `"awards enrich ${restricted[0]!.source} --refresh" renews them`;
  if (expired > 0) return wrong(parts.join('; '), advice);
  return expiring > 0 ? note(parts.join('; '), advice) : fine(parts.join('; '));
}
