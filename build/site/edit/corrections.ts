/** What is typed over saved rows, and which of them go, kept in the tab. */
import { useDraft } from './drafts.ts';

/** A correction, and what the cells had before it. */
type Correction<R> = { change: Partial<R>; before: Partial<R> };

/** A cell that another editor changed after it was typed over. */
export type Contested<R> = { id: number; column: keyof R; theirs: R[keyof R] };

/** @param saved id → the row as it is saved */
export function useCorrections<R extends object>(saved: ReadonlyMap<number, R>) {
  const [corrections, setCorrections] = useDraft<Readonly<Record<number, Correction<R>>>>('corrections', {});
  const [removed, setRemoved] = useDraft<readonly number[]>('removed', []);
  const entriesOf = (id: number) => Object.entries(corrections[id]?.change ?? {}) as [keyof R, R[keyof R]][];
  const isCorrected = (id: number) =>
    entriesOf(id).some(([column, value]) => saved.get(id)?.[column] !== value);
  return {
    removed,
    /** The ids of the saved rows that are corrected. */
    corrected: [...saved.keys()].filter(isCorrected),
    gone: [...saved.keys()].filter((id) => removed.includes(id)),
    rowOf: (id: number): R => ({ ...saved.get(id)!, ...corrections[id]?.change }),
    correct: (id: number, change: Partial<R>) =>
      setCorrections((now) => {
        const row = saved.get(id)!;
        const columns = Object.keys(change) as (keyof R)[];
        const before = Object.fromEntries(columns.map((column) => [column, row[column]])) as Partial<R>;
        const known = now[id];
        const own = {
          change: { ...known?.change, ...change },
          before: { ...before, ...known?.before },
        };
        return { ...now, [id]: own };
      }),
    toggle: (id: number) =>
      setRemoved((now) => (now.includes(id) ? now.filter((own) => own !== id) : [...now, id])),
    /** The cells that others changed meanwhile. From then on they count as seen. @param now as `saved` */
    takeContested(now: ReadonlyMap<number, R>): Contested<R>[] {
      const found: Contested<R>[] = [];
      const seen: Record<number, Correction<R>> = { ...corrections };
      for (const [id, row] of now)
        for (const [column, value] of entriesOf(id)) {
          const theirs = row[column];
          if (theirs === value || theirs === corrections[id]!.before[column]) continue;
          found.push({ id, column, theirs });
          seen[id] = { ...seen[id]!, before: { ...seen[id]!.before, [column]: theirs } };
        }
      if (found.length > 0) setCorrections(seen);
      return found;
    },
    forget() {
      setCorrections({});
      setRemoved([]);
    },
  };
}
