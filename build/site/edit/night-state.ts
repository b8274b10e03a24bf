/** The night that is edited: its ceremony, categories and entries, as they are now. */
import { useEffect, useState } from 'preact/hooks';
import { actingCategories } from '../../../api/contract/entries.ts';
import type { WritableResource } from '../../../api/contract/names.ts';
import { useChanges } from './latest.ts';
import { loadNames } from './matching.ts';
import { titleOf } from './naming.ts';
import { type CeremonyEntry, entriesOf, hasWon, list, load } from './reading.ts';
import { findReceipts } from './requests.ts';
import type { Category, Night } from './rows.ts';
import { whenOf } from './times.ts';

/** Ceremonies without a nomination after which a category is of the past. */
const pastAfter = 3;

export interface LoadedNight extends Night {
  title: string;
  /** Of the ceremony; null if it is not known. */
  date: string | null;
  entries: readonly CeremonyEntry[];
  /** The categories that are given at this ceremony, and the others. */
  current: readonly Category[];
  past: readonly Category[];
}

/** @throws Refusal */
export async function loadNight(ceremony: number): Promise<LoadedNight> {
  const [entries, categories, { values }] = await Promise.all([
    entriesOf(ceremony),
    list('categories'),
    load('ceremonies', ceremony),
  ]);
  const given = await givenAround(ceremony);
  const isCurrent = ({ id }: Category) => given.size === 0 || given.has(id);
  return {
    ceremony,
    year: Number(values.ceremony_year),
    title: titleOf(values),
    date: values.date as string | null,
    entries,
    categories,
    acting: actingCategories(categories),
    saved: entries.flatMap(({ nominations }) => nominations),
    current: categories.filter(isCurrent),
    past: categories.filter((category) => !isCurrent(category)),
  };
}

/** The categories given at this ceremony or the few before it. */
async function givenAround(ceremony: number) {
  const { table } = (await loadNames()).search;
  const given = new Set<number>();
  for (let row = 0; row < table.count; row += 1) {
    const own = table.ceremony.idAt(row);
    if (own <= ceremony && own >= ceremony - pastAfter) given.add(table.category.idAt(row));
  }
  return given;
}

/** The entries of a category. */
export const entriesIn = ({ entries }: LoadedNight, category: number): CeremonyEntry[] =>
  entries.filter(({ nominations }) => nominations[0]!.category_id === category);

/** The next category without nominations after one, beginning anew at the end; undefined if there is none. */
export function nextOpen(night: LoadedNight, after = 0): Category | undefined {
  const open = night.current.filter(({ id }) => entriesIn(night, id).length === 0);
  return open.find(({ id }) => id > after) ?? open.find(({ id }) => id !== after);
}

/** What others changed in a night, a line each: category, outcome, editor and time. */
export async function changesIn(
  before: readonly CeremonyEntry[],
  now: readonly CeremonyEntry[],
  key: string,
): Promise<string[]> {
  const known = new Map(before.map((entry) => [entry.key, entry]));
  const lines: string[] = [];
  for (const entry of now) {
    const outcome = outcomeOf(known.get(entry.key), entry);
    const last = outcome && (await lastChangeOfEntry(entry, key));
    if (!last || last.isOwn) continue;
    lines.push(`${entry.nominations[0]!.category}: ${entry.label} ${outcome}${last.by}`);
  }
  const left = new Set(now.map((entry) => entry.key));
  for (const { key: gone, label, nominations } of before) {
    const last = left.has(gone) ? undefined : await lastChangeOfEntry({ nominations }, key);
    if (last && !last.isOwn) lines.push(`${nominations[0]!.category}: ${label} was deleted${last.by}`);
  }
  return lines;
}

const lastChangeOfEntry = ({ nominations }: Pick<CeremonyEntry, 'nominations'>, key: string) =>
  lastChangeOf('nominations', nominations.at(-1)!.id, key);

function outcomeOf(before: CeremonyEntry | undefined, now: CeremonyEntry): string {
  if (before === undefined) return hasWon(now) ? 'was added as a winner' : 'was added';
  if (hasWon(now) !== hasWon(before)) return hasWon(now) ? 'now wins' : 'no longer wins';
  if (now.nominations.length !== before.nominations.length || now.label !== before.label)
    return 'was changed';
  return '';
}

/** Who changed a record last: " (alice, today, 14:02)" from its newest receipt; '' if it cannot be read. */
export async function lastChangeOf(resource: WritableResource, id: number, key: string) {
  const query = `resource=${resource}&record_id=${id}&limit=1`;
  const found = await findReceipts(query, key).catch(() => undefined);
  const [last] = found?.receipts ?? [];
  if (!last) return { by: '', isOwn: false };
  return { by: ` (${last.key}, ${whenOf(last.at)})`, isOwn: last.key === found?.editor };
}

/** What one night is, kept up to date; `news` says what others changed since it was shown. */
export function useNight(ceremony: number, key: string) {
  const [night, setNight] = useState<LoadedNight>();
  const [problem, setProblem] = useState('');
  const [news, setNews] = useState<readonly string[]>([]);
  /** Reads the night again. @returns the night as it is now */
  const reload = async (): Promise<LoadedNight> => {
    const now = await loadNight(ceremony);
    setNight(now);
    setProblem('');
    return now;
  };
  useEffect(() => {
    reload().catch((error: Error) => setProblem(error.message));
  }, []);
  useChanges(async () => {
    if (!night) return;
    const now = await loadNight(ceremony);
    setNight(now);
    const lines = await changesIn(night.entries, now.entries, key);
    if (lines.length > 0) setNews((own) => [...own, ...lines].slice(-6));
  });
  return { night, problem, news, reload, forgetNews: () => setNews([]) };
}
export type LoadedState = ReturnType<typeof useNight> & { night: LoadedNight };
