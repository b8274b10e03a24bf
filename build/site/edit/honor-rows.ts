/** The honors of a ceremony as rows: what their names mean, which are there already, and their writes. */
import { honorClasses } from '../../../api/contract/names.ts';
import { listPath } from '../../../api/contract/routes.ts';
import { fold, tokens } from '../../../api/contract/text.ts';
import { addChange, type Making } from './making.ts';
import { categoryMeant, equalsOf, loadNames, type Names, partsOf } from './matching.ts';
import { isSame, type Listed } from './reading.ts';
import {
  type Answers,
  type Category,
  idOfCell,
  type NamedCell,
  type Night,
  notLinked,
  readCell,
} from './rows.ts';

export type Honor = Listed<'honors'>;
export type HonorClass = Honor['class'];

/** An honor as it is typed: all texts. */
export interface HonorRow {
  award: string;
  recipients: string;
  film: string;
  citation: string;
  note: string;
  /** Empty where the name of the award tells it. */
  class: string;
  isAwarded: boolean;
}
export type HonorColumn = Exclude<keyof HonorRow, 'isAwarded'>;

export const emptyHonor: HonorRow = {
  award: '',
  recipients: '',
  film: '',
  citation: '',
  note: '',
  class: '',
  isAwarded: true,
};

export const isEmptyHonor = ({ class: _, isAwarded: __, ...texts }: HonorRow): boolean =>
  Object.values(texts).every((text) => text === '');

/** Column → what its header can be called. */
export const honorHeaders: Readonly<Record<HonorColumn, readonly string[]>> = {
  award: ['award', 'awards', 'name of the award', 'category', 'honor', 'prize'],
  recipients: ['recipient', 'recipients', 'name', 'names', 'person', 'people', 'nominee', 'nominees', 'who'],
  film: ['film', 'films', 'movie', 'title', 'film title'],
  citation: ['citation', 'for', 'reason', 'statement'],
  note: ['note', 'notes', 'remark', 'remarks', 'comment'],
  class: ['class', 'kind', 'type'],
};

/** A row, understood. */
export interface ReadHonor {
  row: HonorRow;
  class: HonorClass;
  /** Of a competitive honor. */
  category: Category | undefined;
  film: NamedCell | undefined;
  /** The names among the recipients. */
  people: NamedCell[];
  /** Whether the honor is there already. */
  isCopy: boolean;
  /** Column → what is missing or must be asked. */
  faults: Partial<Record<HonorColumn, string>>;
}

/** The class of an award by what is typed, else by the name of the award. */
export function classOf(row: HonorRow, categories: readonly Category[]): HonorClass {
  const typed = tokens(row.class).join('');
  const known = honorClasses.find((name) => typed !== '' && name.toLowerCase().startsWith(typed));
  if (known) return known;
  if (/\b(scientific|technical)\b/i.test(`${row.award} ${row.class}`)) return 'SciTech';
  return categoryMeant(categories, row.award) ? 'Competitive' : 'Special';
}

const choose = 'must name one record: choose which';

/** @param saved the honors that are there @throws SnapshotUnavailable */
export async function readHonors(
  rows: readonly HonorRow[],
  saved: readonly Honor[],
  night: Night,
  answers: Answers,
): Promise<ReadHonor[]> {
  const names = await loadNames();
  const seen = new Set(saved.map((one) => honorKey(one.category, one.recipients)));
  const found: ReadHonor[] = [];
  for (const row of rows) {
    const own = classOf(row, night.categories);
    const category = own === 'Competitive' ? categoryMeant(night.categories, row.award) : undefined;
    const film = await readCell(names, 'movies', row.film, night.year, answers);
    const people = await recipientsOf(names, row.recipients, answers);
    const faults: ReadHonor['faults'] = {};
    if (row.award.trim() === '') faults.award = 'must be filled in';
    if (own === 'Competitive' && !category) faults.award = `no category is called ${row.award}`;
    if (film && film.id === undefined) faults.film = choose;
    if (people.some(({ id }) => id === undefined)) faults.recipients = choose;
    const key = honorKey(row.award, row.recipients);
    found.push({ row, class: own, category, film, people, isCopy: seen.has(key), faults });
    seen.add(key);
  }
  return found;
}

const honorKey = (award: string, recipients: string | null): string =>
  JSON.stringify([fold(award.trim()), fold(recipients?.trim() ?? '')]);

/** The people that recipients name. An honor late in life asks no question about years. */
async function recipientsOf(names: Names, text: string, answers: Answers): Promise<NamedCell[]> {
  const isKnown = equalsOf(names, 'nominees', text).length > 0;
  const texts = isKnown ? [text] : partsOf(text);
  const cells = await Promise.all(texts.map((part) => readCell(names, 'nominees', part, undefined, answers)));
  return cells.flatMap((cell) => {
    if (!cell) return [];
    // A recipient can be in words alone: a word such as "Inc." is no name, and a new name needs no record.
    const isWord = tokens(cell.text).length < 2 && equalsOf(names, 'nominees', cell.text).length === 0;
    const isUnasked = !(cell.key in answers) && (cell.id === 0 || (cell.id === undefined && isWord));
    return [{ ...cell, isOptional: true, id: isUnasked ? notLinked : cell.id }];
  });
}

/** A saved honor as a row. */
export const rowOfHonor = (one: Honor): HonorRow => ({
  award: one.category,
  recipients: one.recipients ?? '',
  film: one.movie ?? '',
  citation: one.citation ?? '',
  note: one.note ?? '',
  class: one.class,
  isAwarded: one.winner,
});

const textOrNull = (text: string): string | null => text.trim() || null;

/** The members of an honor that a row gives. @param kept people who stay linked */
async function bodyOfHonor(
  { row, class: own, category, film, people }: ReadHonor,
  making: Making,
  controlOf: (column: string) => string,
  kept: readonly number[] = [],
) {
  const ids: unknown[] = [...kept];
  for (const cell of people) {
    if (cell.id === notLinked) continue;
    const id = await idOfCell(cell, controlOf('recipients'), making);
    if (!ids.includes(id)) ids.push(id);
  }
  return {
    class: own,
    winner: row.isAwarded,
    category_id: category?.id ?? null,
    category: row.award.trim(),
    movie_id: film ? await idOfCell(film, controlOf('film'), making) : null,
    recipients: textOrNull(row.recipients),
    nominee_ids: ids,
    citation: textOrNull(row.citation),
    note: textOrNull(row.note),
  };
}

/** Member of an honor → its column. */
const columns: Readonly<Record<string, HonorColumn>> = {
  category: 'award',
  category_id: 'award',
  movie_id: 'film',
  nominee_ids: 'recipients',
};

/** Adds the faults of a row. @returns whether it has none */
function isClear({ faults }: ReadHonor, making: Making, controlOf: (column: string) => string): boolean {
  for (const [column, message] of Object.entries(faults))
    making.faults.push({ control: controlOf(column), message });
  return Object.keys(faults).length === 0;
}

/** Adds the write of a new honor. */
export async function addHonor(
  meant: ReadHonor,
  { ceremony }: Night,
  making: Making,
  controlOf: (column: string) => string,
): Promise<void> {
  if (!isClear(meant, making, controlOf)) return;
  const own = await bodyOfHonor(meant, making, controlOf);
  const body = { id: await making.freeId('honors'), ceremony_id: ceremony, ...own };
  const controlOfMember = (member: string) => controlOf(columns[member] ?? member);
  making.writes.push({ method: 'POST', path: listPath('honors'), body, controlOf: controlOfMember });
}

/** Adds the write of a corrected honor: the members that differ. People whom the text still names stay. */
export async function addHonorCorrection(
  honor: Honor,
  meant: ReadHonor,
  making: Making,
  controlOf: (column: string) => string,
): Promise<void> {
  const before = rowOfHonor(honor);
  const isNew = (column: HonorColumn) => meant.row[column] !== before[column];
  const asked = Object.entries(meant.faults).filter(([column]) => isNew(column as HonorColumn));
  if (!isClear({ ...meant, faults: Object.fromEntries(asked) }, making, controlOf)) return;
  const { describeId } = await loadNames();
  const text = fold(meant.row.recipients);
  const kept = honor.nominee_ids.filter((id) => text.includes(fold(describeId('nominees', id).label)));
  const people = isNew('recipients') ? meant.people : [];
  const ids = isNew('recipients') ? kept : honor.nominee_ids;
  const film = isNew('film') ? meant.film : undefined;
  const whole = await bodyOfHonor({ ...meant, film, people }, making, controlOf, ids);
  if (!isNew('film')) whole.movie_id = honor.movie_id;
  if (!isNew('award') && !isNew('class')) whole.category_id = honor.category_id;
  const stored: Readonly<Record<string, unknown>> = { ...honor };
  const body = Object.fromEntries(
    Object.entries(whole).filter(([member, value]) => !isSame(value, stored[member])),
  );
  await addChange('honors', honor.id, body, making, (member) => controlOf(columns[member] ?? member));
}
