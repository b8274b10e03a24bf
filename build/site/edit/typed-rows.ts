/** Rows that are typed or pasted, kept in the tab, with what they mean. */
import { count, nouns } from '../shared/format.ts';
import { isConfirmed } from './dialog.ts';
import { storeDraft, useDraft } from './drafts.ts';
import { useLatestOrLast } from './latest.ts';
import { hasWon } from './reading.ts';
import { type Answer, type Answers, isCopy, newPeople, type Night, type ReadRow, readRows } from './rows.ts';
import type { LoadedNight } from './night-state.ts';
import type { Outcome } from './requests.ts';
import type { TextColumn } from './row-table.tsx';
import { emptyRow, isEmpty, pastedCells, readSheet, type Row, type Sheet } from './sheet-text.ts';

/** @param rows what is typed @param night for which */
export function useMeanings(rows: readonly Row[], night: Night) {
  const [answers, setAnswers] = useDraft<Answers>('answers', {});
  const [ties, setTies] = useDraft<readonly number[]>('ties', []);
  const filled = rows.filter((row) => !isEmpty(row));
  const saved = night.saved.map(({ id }) => id).join();
  const load = () => readRows(filled, night, answers);
  const reads = useLatestOrLast(JSON.stringify([filled, answers, saved]), load) ?? [];
  return {
    reads,
    /** What the rows mean, read anew. */
    load,
    answers,
    answer: (key: string, answer: Answer) => setAnswers((now) => ({ ...now, [key]: answer })),
    answerAll: (more: Answers) => setAnswers((now) => ({ ...now, ...more })),
    ties,
    addTie: (category: number) => setTies((now) => [...now, category]),
    forget() {
      setAnswers({});
      setTies([]);
    },
  };
}

/** A sheet that was pasted, and what it says. */
type SheetDraft = { text: string; sheet: Sheet };
export const noSheet: SheetDraft = { text: '', sheet: { rows: [], headings: [] } };
export const useSheetDraft = () => useDraft('sheet', noSheet);

/** New rows of a grid. @param complete gives a row what follows from its other cells */
export function useDraftRows<R extends object>(empty: R, complete: (row: R) => R = (row) => row) {
  const [rows, setRows] = useDraft<readonly R[]>('rows', []);
  const put = (at: number, change: Partial<R>) =>
    setRows((now) =>
      Array.from({ length: Math.max(now.length, at + 1) }, (_, i) => {
        const row = now[i] ?? empty;
        return i === at ? complete({ ...row, ...change }) : row;
      }),
    );
  return {
    rows,
    rowAt: (at: number) => rows[at] ?? empty,
    put,
    remove: (at: number) => put(at, empty),
    forget: () => setRows([]),
  };
}

/**
 * Rows that are typed or pasted into the grid of a category.
 * @param columns in their order, for cells that are pasted
 */
export function useTypedRows(ceremony: number, category: string, columns: readonly TextColumn[]) {
  const draft = useDraftRows(emptyRow, (row) => withCategory(row, category));
  /** Fills cells from a place on. A sheet with a header or categories is not for this category alone. */
  const paste = async (event: ClipboardEvent, at: number, column: number) => {
    const cells = pastedCells(event);
    if (cells === undefined) return;
    event.preventDefault();
    const text = event.clipboardData!.getData('text/plain');
    const sheet = readSheet(text);
    const hasCategories = sheet.headings.length > 0 || sheet.rows.some((row) => row.category !== '');
    if ((sheet.header || hasCategories) && (await isConfirmed(sheetQuestion))) {
      const address = `/edit/ceremonies/${ceremony}/sheet`;
      storeDraft(address, 'sheet', { text, sheet });
      location.href = address;
      return;
    }
    putCells(draft, cells, columns.slice(column), at);
  };
  return { ...draft, paste };
}

/** Fills the columns of rows with cells, from a row on. */
export function putCells<C extends string>(
  { put }: { put: (at: number, change: Partial<Record<C, string>>) => void },
  cells: readonly (readonly string[])[],
  columns: readonly (C | undefined)[],
  at: number,
): void {
  for (const [i, line] of cells.entries()) {
    const named = columns.slice(0, line.length).flatMap((name, j) => (name ? [[name, line[j]!]] : []));
    put(at + i, Object.fromEntries(named) as Partial<Record<C, string>>);
  }
}

const sheetQuestion = {
  title: 'Read this as a sheet of the whole night?',
  lines: ['Its first row looks like a header, or its rows name categories.'],
  button: 'Read as a sheet',
};

/** A row of the grid is of its category as soon as something is in it. */
function withCategory(row: Row, category: string): Row {
  const own = { ...row, category: '' };
  return isEmpty(own) ? own : { ...own, category };
}

/** The entries of a category that rows add as winners. */
export const newWinners = (reads: readonly ReadRow[], category: number): number =>
  new Set(
    reads.flatMap((read) =>
      read.row.winner && read.category?.id === category && !isCopy(read) ? [read.entry] : [],
    ),
  ).size;

/** Categories that rows give a second winner, without an answer whether it is a tie. */
export const openTies = (reads: readonly ReadRow[], night: LoadedNight, ties: readonly number[]) =>
  night.categories.filter(({ id }) => {
    const added = newWinners(reads, id);
    const stored = night.entries.filter(
      (entry) => entry.nominations[0]!.category_id === id && hasWon(entry),
    ).length;
    return added > 0 && added + stored > 1 && !ties.includes(id);
  });

/** "2 new films", "1 new song": the records that a save made for typed names. */
export const createdWords = (receipts: Outcome['receipts']): string[] =>
  (['movies', 'nominees', 'songs'] as const).flatMap((resource) => {
    const made = receipts.filter((one) => one.action === 'create' && one.resource === resource).length;
    const { one, many } = nouns[resource];
    return made > 0 ? [count(made, `new ${one}`, `new ${many}`)] : [];
  });

/** "5 nominations, 9 rows, 2 new films", from rows that were saved. */
export function savedWords(reads: readonly ReadRow[], { receipts }: Outcome): string {
  const entries = new Set(reads.filter((read) => newPeople(read).length > 0).map(({ entry }) => entry)).size;
  const rows = receipts.filter((one) => one.action === 'create' && one.resource === 'nominations').length;
  const changed = receipts.filter((one) => one.action === 'update').length;
  const gone = receipts.filter((one) => one.action === 'delete').length;
  return [
    ...(entries > 0 ? [count(entries, 'nomination')] : []),
    ...(rows > 0 ? [count(rows, 'row')] : []),
    ...createdWords(receipts),
    ...(changed > 0 ? [count(changed, 'changed row')] : []),
    ...(gone > 0 ? [count(gone, 'deleted row')] : []),
  ].join(', ');
}
