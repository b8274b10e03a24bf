/** The row of a saved nomination in the grid of its category. */
import { editHref } from './naming.ts';
import type { CeremonyEntry, Listed } from './reading.ts';
import { columnLabels, Meanings, type TextColumn } from './row-table.tsx';
import { type Answer, type ReadRow, rowOfNomination } from './rows.ts';
import type { SavedRows } from './saved-rows.ts';

interface SavedRowProps {
  entry: CeremonyEntry;
  nomination: Listed<'nominations'>;
  columns: readonly TextColumn[];
  state: SavedRows;
  /** What the corrected row means; undefined for one that is as it is saved. */
  read: ReadRow | undefined;
  faultOf: (control: string) => string;
  onAnswer: (key: string, answer: Answer) => void;
}

export function SavedRow({
  entry,
  nomination,
  columns,
  state,
  read: meant,
  faultOf,
  onAnswer,
}: SavedRowProps) {
  const { id, nominee, movie } = nomination;
  const row = state.rowOf(id);
  const isGone = state.removed.includes(id);
  const saved = rowOfNomination(nomination);
  const hrefs: Partial<Record<TextColumn, string>> = {
    film: editHref('movies', nomination.movie_id),
    name: editHref('nominees', nomination.nominee_id),
    ...(nomination.song_id !== null && { song: editHref('songs', nomination.song_id) }),
  };
  return (
    <tr class={isGone ? 'saved gone' : 'saved'}>
      <td>
        <input
          type="checkbox"
          aria-label={`Won: ${nominee}, ${movie}`}
          checked={state.isWinner(entry)}
          disabled={isGone}
          onChange={() => state.choose({ [entry.key]: !state.isWinner(entry) })}
        />
      </td>
      {columns.map((column) => {
        const control = `saved-${id}-${column}`;
        const href = row[column] === saved[column] ? hrefs[column] : undefined;
        return (
          <td key={column} data-label={columnLabels[column]}>
            <div class="cell">
              <input
                id={control}
                aria-label={`${columnLabels[column]}: ${nominee}, ${movie}`}
                aria-invalid={faultOf(control) !== ''}
                autocomplete="off"
                disabled={isGone}
                value={row[column]}
                onInput={({ currentTarget: { value } }) => state.correct(id, { [column]: value })}
              />
              {href && (
                <a class="open" href={href} aria-label={`Edit ${row[column]}`}>
                  ↗
                </a>
              )}
              {row[column] !== saved[column] && <Meanings column={column} read={meant} onAnswer={onAnswer} />}
            </div>
            {faultOf(control) && <small class="fault">{faultOf(control)}</small>}
          </td>
        );
      })}
      <td class="end">
        <a href={editHref('nominations', id)} aria-label={`no. ${id}: ${nominee}, ${movie}`}>
          no. {id}
        </a>
        <button
          type="button"
          class="quiet"
          aria-label={`${isGone ? 'Keep' : 'Delete'} ${nominee}, ${movie}`}
          onClick={() => state.toggle(id)}
        >
          {isGone ? '↺' : '×'}
        </button>
      </td>
    </tr>
  );
}
