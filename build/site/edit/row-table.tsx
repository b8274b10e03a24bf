/** Nominations as rows that are typed: one line each, with what each name means. */
import { capitalized, joined, nouns } from '../shared/format.ts';
import { Doubt } from './doubt.tsx';
import {
  type Answer,
  type Category,
  isCopy,
  isSongCategory,
  type NamedCell,
  notLinked,
  type ReadRow,
} from './rows.ts';
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
  /** The categories that a row without one is put into. */
  categories?: readonly Category[];
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
          <th key={column} scope="col" class={column}>
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
  categories = [],
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
            {column === 'category' ? (
              <CategoryChoice
                id={`${at}-category`}
                row={number}
                text={row.category}
                categories={categories}
                onChoose={(category) => onChange({ category })}
              />
            ) : (
              <input
                id={`${at}-${column}`}
                aria-label={`${columnLabels[column]}, row ${number}`}
                aria-invalid={faultOf(column) !== ''}
                autocomplete="off"
                value={row[column]}
                onInput={({ currentTarget: { value } }) => onChange({ [column]: value })}
                onPaste={(event) => onPaste?.(event, i)}
              />
            )}
            <Meanings column={column} read={read} onAnswer={onAnswer} />
          </div>
          {faultOf(column) && <small class="fault">{faultOf(column)}</small>}
        </td>
      ))}
      <td class="end">
        {read && read.unused.length > 0 && (
          <small class="meaning" title="This category has no characters or songs">
            Left out: {read.unused.join(', ')}
          </small>
        )}
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

interface CategoryChoiceProps {
  id: string;
  row: number;
  /** What the sheet has. */
  text: string;
  categories: readonly Category[];
  onChoose: (category: string) => void;
}

/** The category of a row whose text names none. */
function CategoryChoice({ id, row, text, categories, onChoose }: CategoryChoiceProps) {
  return (
    <select
      id={id}
      class="doubt"
      aria-label={`Category, row ${row}`}
      value=""
      onChange={({ currentTarget: { value } }) => onChoose(value)}
    >
      <option value="">{text ? `No category is called “${text}”: choose one` : 'Choose the category'}</option>
      {categories.map(({ id: own, category_name }) => (
        <option key={own}>{category_name}</option>
      ))}
    </select>
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
  const label = `${split.parts.join(' and ')}: one or several`;
  if (split.isOpen)
    return (
      <Doubt<Answer>
        label={label}
        reason="One or several?"
        answers={[
          { value: 'apart', text: `${split.parts.length} people` },
          { value: 'whole', text: 'One person or company' },
        ]}
        onAnswer={(value) => onAnswer(split.key, value)}
      />
    );
  return (
    <select
      aria-label={label}
      value={people > 1 ? 'apart' : 'whole'}
      onChange={(event) => onAnswer(split.key, event.currentTarget.value as Answer)}
    >
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

/** Records that a doubt shows as buttons at most; with more it is a list. */
const maxButtons = 3;

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
  const label = `Record named ${text}`;
  if (isDoubt && options.length <= maxButtons) {
    const answers = [
      ...options.map((option) => ({ value: option.id, text: joined(option.label, option.note) })),
      { value: 0, text: `New ${noun}` },
      ...(isOptional ? [{ value: notLinked, text: 'No link' }] : []),
    ];
    const asked = `${prefix}${capitalized(reason)}`;
    return (
      <Doubt label={label} reason={asked} answers={answers} onAnswer={(value) => onAnswer(key, value)} />
    );
  }
  return (
    <select
      class={isDoubt ? 'doubt' : ''}
      aria-label={label}
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
