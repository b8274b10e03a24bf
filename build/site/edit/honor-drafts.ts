/** What is typed into the grid of honors, kept in the tab: new rows, corrections and deletions. */
import { type Contested, useCorrections } from './corrections.ts';
import { useDraft } from './drafts.ts';
import {
  addHonor,
  addHonorCorrection,
  emptyHonor,
  type Honor,
  honorHeaders,
  type HonorRow,
  isEmptyHonor,
  readHonors,
  rowOfHonor,
} from './honor-rows.ts';
import { honorColumns, honorLabels } from './honor-line.tsx';
import { useLatestOrLast } from './latest.ts';
import { addDeletions, type Making } from './making.ts';
import type { Answer, Answers, Night } from './rows.ts';
import { columnsNamed, pastedCells } from './sheet-text.ts';
import { putCells, useDraftRows } from './typed-rows.ts';

const savedRows = (honors: readonly Honor[]): ReadonlyMap<number, HonorRow> =>
  new Map(honors.map((one) => [one.id, rowOfHonor(one)]));

/** @param honors those of the ceremony that are saved */
export function useHonorDrafts(night: Night, honors: readonly Honor[]) {
  const saved = useCorrections(savedRows(honors));
  const typed = useDraftRows(emptyHonor);
  const [answers, setAnswers] = useDraft<Answers>('answers', {});
  const filled = typed.rows.flatMap((row, at) => (isEmptyHonor(row) ? [] : [at]));
  const newRows = filled.map((at) => typed.rowAt(at));
  const correctedRows = saved.corrected.map((id) => saved.rowOf(id));
  const readNew = () => readHonors(newRows, honors, night, answers);
  const readCorrected = () => readHonors(correctedRows, [], night, answers);
  const ids = honors.map(({ id }) => id);
  const newReads = useLatestOrLast(JSON.stringify([newRows, answers, ids]), readNew);
  const correctedReads = useLatestOrLast(JSON.stringify([correctedRows, answers]), readCorrected);
  return {
    saved,
    typed,
    changes: filled.length + saved.corrected.length + saved.gone.length,
    /** What a new row means. */
    newRead: (at: number) => newReads?.[filled.indexOf(at)],
    /** What a corrected row means. */
    correctedRead: (id: number) => correctedReads?.[saved.corrected.indexOf(id)],
    answer: (key: string, own: Answer) => setAnswers((now) => ({ ...now, [key]: own })),
    forget() {
      typed.forget();
      saved.forget();
      setAnswers({});
    },
    /** What others wrote into the cells that are typed over, a line each. */
    contestedIn: (now: readonly Honor[]): string[] =>
      saved.takeContested(savedRows(now)).map(({ id, column, theirs }: Contested<HonorRow>) => {
        const { award, recipients } = saved.rowOf(id);
        const label = column === 'isAwarded' ? 'Won' : honorLabels[column];
        return `${award}, ${recipients}: ${label} is now “${theirs}”`;
      }),
    /** Fills cells from a place on; a first line that is a header names the columns. */
    paste(event: ClipboardEvent, at: number, column: number) {
      const cells = pastedCells(event);
      if (cells === undefined) return;
      event.preventDefault();
      const named = columnsNamed(cells[0]!, honorHeaders);
      const isHeader = named.filter((own) => own !== undefined).length > 1;
      if (isHeader) putCells(typed, cells.slice(1), named, at);
      else putCells(typed, cells, honorColumns.slice(column), at);
    },
    /** Adds the writes of all changes. */
    async make(making: Making) {
      for (const [i, read] of (await readNew()).entries())
        if (!read.isCopy) await addHonor(read, night, making, (column) => `${filled[i]}-${column}`);
      for (const [i, read] of (await readCorrected()).entries()) {
        const honor = honors.find(({ id }) => id === saved.corrected[i]);
        if (honor && !saved.gone.includes(honor.id))
          await addHonorCorrection(honor, read, making, (column) => `saved-${honor.id}-${column}`);
      }
      await addDeletions('honors', saved.gone, making);
      if (making.writes.length === 0 && making.faults.length === 0)
        making.faults.push({ control: '', message: 'These honors are there already' });
    },
  };
}
