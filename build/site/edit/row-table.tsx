/** Nominations as rows that are typed: one line each, with what each name means. */
import { joined, nouns } from '../shared/format.ts';
import { type Answer, isCopy, isSongCategory, type NamedCell, notLinked, type ReadRow } from './rows.ts';
import { type Column, isEmpty, type Row } from './sheet-text.ts';

/** Columns that are texts, with their headings. */
export const columnLabels: Readonly<Record<Exclude<Column, 'winner'>, string>> = {
  category: 'Category',
  film: 'Film',
  name: 'Person or company',
  song: 'Song',
  character: 'Character',
  credited_as: 'Credited as',
};
export type TextColumn = keyof typeof columnLabels;

/** The columns that a category needs. */
export function columnsOf(category: ReadRow['category'], isActing: boolean): TextColumn[] {
  const isSong = category !== undefined && isSongCategory(category);
  const special: TextColumn[] = isSong ? ['song'] : [];
  return ['film', 'name', ...(isActing ? (['character'] as const) : special), 'credited_as'];
}

interface RowProps {
  /** Position of the row, which names its controls. */
  at: number;
  row: Row;
  /** Undefined while it is read. */
  read: ReadRow | undefined;
  columns: readonly TextColumn[];
  faultOf: (column: string) => string;
  onChange: (change: Partial<Row>) => void;
  onAnswer: (key: string, answer: Answer) => void;
  onPaste?: (event: ClipboardEvent, column: number) => void;
  onRemove: () => void;
}

export function TableHead({ columns }: { columns: readonly TextColumn[] }) {
  return (
    <thead>
      <tr>
        <th scope="col">Won</th>
        {columns.map((column) => (
          <th key={column} scope="col">
            {columnLabels[column]}
          </th>
        ))}
        <th scope="col">
          <span class="visually-hidden">Row</span>
        </th>
      </tr>
    </thead>
  );
}

/** A row of a grid. Its controls have the ids `AT-COLUMN`. */
export function TypedRow({
  at,
  row,
  read,
  columns,
  faultOf,
  onChange,
  onAnswer,
  onPaste,
  onRemove,
}: RowProps) {
  const number = at + 1;
  const copy = read !== undefined && isCopy(read);
  return (
    <tr class={copy ? 'typed copy' : 'typed'}>
      <td>
        <input
          type="checkbox"
          aria-label={`Won, row ${number}`}
          checked={row.winner}
          onChange={() => onChange({ winner: !row.winner })}
        />
      </td>
      {columns.map((column, i) => (
        <td key={column} data-label={columnLabels[column]}>
          <div class="cell">
            <input
              id={`${at}-${column}`}
              aria-label={`${columnLabels[column]}, row ${number}`}
              aria-invalid={faultOf(column) !== ''}
              autocomplete="off"
              value={row[column]}
              onInput={({ currentTarget: { value } }) => onChange({ [column]: value })}
              onPaste={(event) => onPaste?.(event, i)}
            />
            <Meanings column={column} read={read} onAnswer={onAnswer} />
          </div>
          {faultOf(column) && <small class="fault">{faultOf(column)}</small>}
        </td>
      ))}
      <td class="end">
        {copy && <small class="meaning">There already: left out</small>}
        {!isEmpty(row) && (
          <button type="button" class="quiet" aria-label={`Remove row ${number}`} onClick={onRemove}>
            ×
          </button>
        )}
      </td>
    </tr>
  );
}

interface MeaningsProps {
  column: TextColumn;
  read: ReadRow | undefined;
  onAnswer: (key: string, answer: Answer) => void;
}

/** What the names in a cell mean. */
export function Meanings({ column, read, onAnswer }: MeaningsProps) {
  if (!read) return null;
  if (column === 'film') return read.film ? <CellMeaning cell={read.film} onAnswer={onAnswer} /> : null;
  if (column === 'song') return read.song ? <CellMeaning cell={read.song} onAnswer={onAnswer} /> : null;
  if (column !== 'name') return null;
  return (
    <>
      {read.split && <SplitChoice split={read.split} people={read.people.length} onAnswer={onAnswer} />}
      {!read.split?.isOpen &&
        read.people.map((cell) => (
          <CellMeaning key={cell.key} cell={cell} isNamed={read.people.length > 1} onAnswer={onAnswer} />
        ))}
    </>
  );
}

function SplitChoice(props: {
  split: NonNullable<ReadRow['split']>;
  people: number;
  onAnswer: (key: string, answer: Answer) => void;
}) {
  const { split, people, onAnswer } = props;
  const value = people > 1 ? 'apart' : 'whole';
  return (
    <select
      class={split.isOpen ? 'doubt' : ''}
      aria-label={`${split.parts.join(' and ')}: one or several`}
      value={split.isOpen ? '' : value}
      onChange={(event) => onAnswer(split.key, event.currentTarget.value as Answer)}
    >
      {split.isOpen && <option value="">One or several?</option>}
      <option value="apart">{`${split.parts.length} people: ${split.parts.join('; ')}`}</option>
      <option value="whole">One person or company</option>
    </select>
  );
}

interface CellMeaningProps {
  cell: NamedCell;
  /** Whether the name is said: the cell has several. */
  isNamed?: boolean;
  onAnswer: (key: string, answer: Answer) => void;
}

/** The record that a name means: a mark where it is sure, a choice where there are others. */
export function CellMeaning({ cell, isNamed = false, onAnswer }: CellMeaningProps) {
  const { key, resource, text, meaning, id, isOptional = false } = cell;
  const { options, reason } = meaning;
  const noun = nouns[resource].one.replace('person or company', 'person');
  const prefix = isNamed ? `${text}: ` : '';
  const isDoubt = id === undefined;
  const chosen = options.find((option) => option.id === id);
  const isOnlyOption = options.length === 1 && meaning.id === id && id !== 0;
  if (!isDoubt && (isOnlyOption || (options.length === 0 && !isOptional))) {
    const title = chosen ? joined(chosen.label, chosen.note, `no. ${chosen.id}`) : `A new ${noun} is made`;
    return (
      <small class={chosen ? 'meaning' : 'meaning new'} title={title}>
        {prefix}
        {chosen?.note || `new ${noun}`}
      </small>
    );
  }
  return (
    <select
      class={isDoubt ? 'doubt' : ''}
      aria-label={`Record named ${text}`}
      value={id ?? ''}
      onChange={(event) => onAnswer(key, Number(event.currentTarget.value))}
    >
      {isDoubt && <option value="">{`${prefix}Which one? (${reason})`}</option>}
      {options.map((option) => (
        <option key={option.id} value={option.id}>
          {joined(`${prefix}${option.label}`, option.note, `no. ${option.id}`)}
        </option>
      ))}
      <option value={0}>{`${prefix}New ${noun}`}</option>
      {isOptional && <option value={notLinked}>{`${prefix}No link to a ${noun}`}</option>}
    </select>
  );
}
