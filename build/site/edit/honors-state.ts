/** The honors of a ceremony as they are now, and what others changed since they were shown. */
import { useEffect, useState } from 'preact/hooks';
import { honorTitle } from '../shared/format.ts';
import type { Honor } from './honor-rows.ts';
import { useChanges } from './latest.ts';
import { lastChangeOf } from './night-state.ts';
import { isSame, list, refresh } from './reading.ts';
import type { Night } from './rows.ts';

/** Years before the ceremony whose awards are offered by name. */
const awardYears = 5;

export interface LoadedHonors {
  honors: readonly Honor[];
  /** The names of awards that are usual, in the order of their names. */
  awards: readonly string[];
}

/** @throws Refusal */
async function loadHonors({ ceremony, year }: Night): Promise<LoadedHonors> {
  await refresh();
  const recent = await list('honors', `&yearStart=${year - awardYears}&yearEnd=${year}`);
  const honors = recent.filter((one) => one.ceremony_id === ceremony).sort((a, b) => a.id - b.id);
  return { honors, awards: [...new Set(recent.map(({ category }) => category))].sort() };
}

/** @param key of the editor, whose own changes are no news */
export function useHonors(night: Night, key: string) {
  const [loaded, setLoaded] = useState<LoadedHonors>();
  const [news, setNews] = useState<readonly string[]>([]);
  const reload = async (): Promise<LoadedHonors> => {
    const now = await loadHonors(night);
    setLoaded(now);
    return now;
  };
  useEffect(() => void reload(), []);
  useChanges(async () => {
    const now = await reload();
    const lines = loaded ? await changesIn(loaded.honors, now.honors, key) : [];
    if (lines.length > 0) setNews((own) => [...own, ...lines].slice(-6));
  });
  return { loaded, news, reload, forgetNews: () => setNews([]) };
}

/** What others changed, a line each: the honor, what became of it, the editor and the time. */
async function changesIn(before: readonly Honor[], now: readonly Honor[], key: string): Promise<string[]> {
  const known = new Map(before.map((one) => [one.id, one]));
  const left = new Set(now.map(({ id }) => id));
  const changes = [
    ...now.flatMap((one): [Honor, string][] => {
      const old = known.get(one.id);
      if (!old) return [[one, 'was added']];
      return isSame(old, one) ? [] : [[one, 'was changed']];
    }),
    ...before.filter(({ id }) => !left.has(id)).map((one): [Honor, string] => [one, 'was deleted']),
  ];
  const lines = await Promise.all(
    changes.map(async ([one, outcome]) => {
      const last = await lastChangeOf('honors', one.id, key);
      return last.isOwn ? [] : [`${one.category}: ${honorTitle(one)} ${outcome}${last.by}`];
    }),
  );
  return lines.flat();
}
