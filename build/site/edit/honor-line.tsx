/** A row of the grid of honors, saved or new. */
import { honorClasses } from '../../../api/contract/names.ts';
import {
  type Honor,
  type HonorColumn,
  type HonorRow,
  isEmptyHonor,
  type ReadHonor,
  rowOfHonor,
} from './honor-rows.ts';
import { editHref } from './naming.ts';
import { CellMeaning } from './row-table.tsx';
import type { Answer } from './rows.ts';

export const honorLabels: Readonly<Record<HonorColumn, string>> = {
  award: 'Award',
  recipients: 'Recipients',
  film: 'Film',
  citation: 'Citation',
  note: 'Note',
  class: 'Kind of honor',
};
export const honorColumns = Object.keys(honorLabels) as HonorColumn[];
const classLabels = {
  SciTech: 'Scientific or technical',
  Special: 'Honorary or special',
  Competitive: 'Competitive',
};

/** Of the list with the names of awards. */
export const awardsId = 'awards';

interface LineProps {
  /** Missing for a new one. */
  honor?: Honor;
  /** What the ids of its controls begin with. */
  control: string;
  /** What tells its controls from those of other rows. */
  name: string;
  row: HonorRow;
  /** Undefined while it is read, and of a saved row that is not corrected. */
  read: ReadHonor | undefined;
  isGone?: boolean;
  faultOf: (control: string) => string;
  onChange: (change: Partial<HonorRow>) => void;
  onAnswer: (key: string, answer: Answer) => void;
  onPaste?: (event: ClipboardEvent, column: number) => void;
  onRemove: () => void;
}

/** A row of the grid. */
export function HonorLine(props: LineProps) {
  const { honor, name, row, read, isGone = false, onChange, onRemove } = props;
  const isFilled = honor !== undefined || !isEmptyHonor(row);
  const rowClass = [honor ? 'saved' : 'typed', isGone && 'gone', read?.isCopy && 'copy'];
  return (
    <tr class={rowClass.filter(Boolean).join(' ')}>
      <td>
        <input
          type="checkbox"
          aria-label={`Won, ${name}`}
          checked={row.isAwarded}
          disabled={isGone}
          onChange={() => onChange({ isAwarded: !row.isAwarded })}
        />
      </td>
      {honorColumns.map((column, i) => (
        <HonorCell key={column} {...props} column={column} position={i} />
      ))}
      <td class="end">
        {honor ? (
          <a href={editHref('honors', honor.id)} aria-label={`no. ${honor.id}: ${name}`}>
            no. {honor.id}
          </a>
        ) : (
          read?.isCopy && <small class="meaning">There already: left out</small>
        )}
        {isFilled && (
          <button
            type="button"
            class="quiet"
            aria-label={`${labelOfRemoval(honor, isGone)} ${name}`}
            onClick={onRemove}
          >
            {isGone ? '↺' : '×'}
          </button>
        )}
      </td>
    </tr>
  );
}

function labelOfRemoval(honor: Honor | undefined, isGone: boolean): string {
  if (!honor) return 'Remove';
  return isGone ? 'Keep' : 'Delete';
}

function HonorCell(props: LineProps & { column: HonorColumn; position: number }) {
  const { honor, control, name, row, read, isGone = false, column, position } = props;
  const { faultOf, onChange, onPaste } = props;
  const id = `${control}-${column}`;
  const fault = faultOf(id);
  const common = {
    id,
    'aria-label': `${honorLabels[column]}, ${name}`,
    'aria-invalid': fault !== '',
    disabled: isGone,
  };
  const attributes: object = {
    ...common,
    type: 'text',
    autocomplete: 'off',
    value: row[column],
    title: row[column],
    rows: 1,
    list: column === 'award' ? awardsId : undefined,
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ [column]: value }),
    onPaste: (event: ClipboardEvent) => onPaste?.(event, position),
  };
  // One line; a long text shows all its lines while it has the focus.
  const Element = column === 'citation' || column === 'note' ? 'textarea' : 'input';
  const isChanged = honor === undefined || row[column] !== rowOfHonor(honor)[column];
  return (
    <td class={column} data-label={honorLabels[column]}>
      <div class="cell">
        {column === 'class' ? (
          <select
            {...common}
            value={honor ? row.class : (read?.class ?? row.class)}
            onChange={({ currentTarget: { value } }) => onChange({ class: value })}
          >
            {honor === undefined && <option value="">By the award</option>}
            {honorClasses.map((own) => (
              <option key={own} value={own}>
                {classLabels[own]}
              </option>
            ))}
          </select>
        ) : (
          <Element {...attributes} />
        )}
        <CellLinks {...props} isChanged={isChanged} />
      </div>
      {fault && <small class="fault">{fault}</small>}
    </td>
  );
}

/** What the names in a cell mean, and the way to the film of a saved honor. */
function CellLinks({
  honor,
  read,
  column,
  isChanged,
  onAnswer,
}: LineProps & { column: HonorColumn; isChanged: boolean }) {
  if (column === 'film' && honor?.movie_id && !isChanged)
    return (
      <a class="open" href={editHref('movies', honor.movie_id)} aria-label={`Edit ${honor.movie}`}>
        ↗
      </a>
    );
  if (!read || !isChanged) return null;
  if (column === 'award' && read.category)
    return <small class="meaning">{read.category.category_name}</small>;
  if (column === 'film' && read.film) return <CellMeaning cell={read.film} onAnswer={onAnswer} />;
  if (column !== 'recipients') return null;
  const isNamed = read.people.length > 1;
  return read.people.map((cell) => (
    <CellMeaning key={cell.key} cell={cell} isNamed={isNamed} onAnswer={onAnswer} />
  ));
}
