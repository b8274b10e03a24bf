/** A whole night from a spreadsheet: pasted once, shown by category, corrected in place, saved once. */
import { useEffect, useRef } from 'preact/hooks';
import { count } from '../shared/format.ts';
import { addChoices, TieQuestion } from './choices.tsx';
import { focusNextQuestion } from './doubt.tsx';
import { type Making, sendOnce, useAttempt } from './making.ts';
import type { LoadedState } from './night-state.ts';
import { addWrites, type Category, isCopy, type ReadRow, storedCopies } from './rows.ts';
import { columnsOf, type TextColumn, TableHead, TypedRow } from './row-table.tsx';
import { emptyRow, headingIn, isEmpty, readSheet, type Row, type Sheet, takeHeadings } from './sheet-text.ts';
import { noSheet, openTies, savedWords, useMeanings, useSheetDraft } from './typed-rows.ts';
import { type Access, noticeOf, SaveForm, useWork } from './work.tsx';

export function SheetView({ state, access }: { state: LoadedState; access: Access }) {
  const { night, reload } = state;
  const [{ text, sheet }, setDraft] = useSheetDraft();
  const meanings = useMeanings(sheet.rows, night);
  const attempt = useAttempt();
  const working = useWork(access, labelOf);
  const setSheet = (change: (now: Sheet) => Sheet) =>
    setDraft((now) => ({ ...now, sheet: change(now.sheet) }));
  const paste = (pasted: string) => setDraft({ text: pasted, sheet: readSheet(pasted) });
  const forget = () => {
    setDraft(noSheet);
    meanings.forget();
  };
  const filled = sheet.rows.flatMap((row, at) => (isEmpty(row) ? [] : [at]));
  const ties = openTies(meanings.reads, night, meanings.ties);
  const make = async (making: Making) => {
    const reads = await meanings.load();
    for (const [i, read] of reads.entries())
      if (!isCopy(read)) await addWrites(read, night, making, (column) => `${filled[i]}-${column}`);
    for (const { id, category_name } of openTies(reads, night, meanings.ties))
      making.faults.push({ control: `tie-${id}`, message: `${category_name} has two winners: a tie?` });
    const won = new Set(
      reads.filter(({ row }) => row.winner).flatMap((read) => storedCopies(read, night).map(({ id }) => id)),
    );
    const entries = night.entries.filter(({ nominations }) => nominations.some(({ id }) => won.has(id)));
    await addChoices(entries, Object.fromEntries(entries.map(({ key }) => [key, true])), making);
    if (making.writes.length === 0 && making.faults.length === 0)
      making.faults.push({ control: '', message: 'All of these nominations are there already' });
  };
  const save = async () => {
    const reads = await meanings.load();
    const outcome = await sendOnce(attempt, make, working.signature);
    forget();
    await reload();
    return noticeOf(outcome, `Saved: ${savedWords(reads, outcome)}.`);
  };
  if (filled.length === 0)
    return (
      <SaveForm {...{ working, unsaved: '', show: reload }} onSave={() => {}} onDiscard={forget} isBare>
        <PasteField onPaste={paste} />
      </SaveForm>
    );
  const readAt = new Map(filled.map((at, i) => [at, meanings.reads[i]]));
  const change = (at: number, part: Partial<Row>) =>
    setSheet((now) => ({ ...now, rows: now.rows.map((row, i) => (i === at ? { ...row, ...part } : row)) }));
  const rowAt = (columns: readonly TextColumn[]) => (at: number) => (
    <TypedRow
      key={at}
      at={at}
      row={sheet.rows[at]!}
      read={readAt.get(at)}
      columns={columns}
      categories={night.current}
      faultOf={(column) => working.faultsOf(`${at}-${column}`)}
      onChange={(part) => change(at, part)}
      onAnswer={meanings.answer}
      onRemove={() =>
        setSheet((now) => ({ ...now, rows: now.rows.map((row, i) => (i === at ? emptyRow : row)) }))
      }
    />
  );
  const groups = groupsOf(filled, readAt, night.categories);
  return (
    <SaveForm
      working={working}
      unsaved={count(filled.length, 'row')}
      onSave={() => void working.work(save, () => reload().then(() => undefined))}
      onDiscard={forget}
      show={reload}
      buttons={<NextQuestion />}
    >
      <Questions
        sheet={sheet}
        reads={meanings.reads}
        onHeadings={() => setSheet(takeHeadings)}
        onNoHeadings={() => setSheet((now) => ({ ...now, headings: [] }))}
        onNoHeader={() => setDraft({ text, sheet: readSheet(text, false) })}
        onApart={(keys) => meanings.answerAll(Object.fromEntries(keys.map((key) => [key, 'apart' as const])))}
      />
      {groups.map(({ category, rows }) => {
        const isActing = category !== undefined && night.acting.has(category.id);
        const columns = columnsOf(category, isActing);
        const shown: TextColumn[] = category ? columns : ['category', ...columns, 'song'];
        return (
          <section key={category?.id ?? 0} class="sheet-group">
            <h2>
              {category?.category_name ?? 'Which category?'} <small>{count(rows.length, 'row')}</small>
            </h2>
            {ties.some(({ id }) => id === category?.id) && (
              <TieQuestion
                id={category!.id}
                onTie={() => meanings.addTie(category!.id)}
                onOne={() => {
                  const last = rows.findLast((at) => sheet.rows[at]!.winner);
                  for (const at of rows)
                    if (at !== last && sheet.rows[at]!.winner) change(at, { winner: false });
                }}
              />
            )}
            <table class="grid">
              <TableHead columns={shown} />
              <tbody>{rows.map(rowAt(shown))}</tbody>
            </table>
          </section>
        );
      })}
    </SaveForm>
  );
}

/** "Row 3, Film" for the control `2-film`. */
function labelOf(control: string): string {
  const [, row, column] = /^(\d+)-(.*)$/.exec(control) ?? [];
  return row === undefined ? '' : `Row ${Number(row) + 1}, ${column!.replace('_', ' ')}`;
}

interface Group {
  category: Category | undefined;
  rows: number[];
}

/** The rows of each category, those without one first. */
function groupsOf(
  rows: readonly number[],
  readAt: ReadonlyMap<number, ReadRow | undefined>,
  categories: readonly Category[],
): Group[] {
  const groups = [undefined, ...categories].map((category): Group => {
    const isOf = (at: number) => readAt.get(at) && readAt.get(at)!.category?.id === category?.id;
    return { category, rows: rows.filter(isOf) };
  });
  return groups.filter((group) => group.rows.length > 0);
}

function PasteField({ onPaste }: { onPaste: (text: string) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <div class="paste">
      <label for="paste">Paste the nominations of the whole night</label>
      <textarea
        ref={field}
        id="paste"
        rows={8}
        placeholder={'Category\tFilm\tNominee\tCharacter\tWinner'}
        aria-describedby="paste-hint"
        onPaste={(event) => {
          event.preventDefault();
          onPaste(event.clipboardData?.getData('text/plain') ?? '');
        }}
        onInput={({ currentTarget: { value } }) => {
          if (value.includes('\n')) onPaste(value);
        }}
      />
      <p id="paste-hint" class="soft">
        Copy the cells in your spreadsheet, with their header row: category, film, name, song, character,
        credited as, winner, in any order. Nothing is saved before you have seen what each row means.
      </p>
    </div>
  );
}

/** Moves the focus to the next control that must be looked at. */
function NextQuestion() {
  return (
    <button type="button" data-shortcut="q" onClick={() => focusNextQuestion(document.activeElement)}>
      Next question
    </button>
  );
}

interface QuestionsProps {
  sheet: Sheet;
  reads: readonly ReadRow[];
  onHeadings: () => void;
  onNoHeadings: () => void;
  onNoHeader: () => void;
  onApart: (keys: readonly string[]) => void;
}

function headingQuestion({ rows, headings }: Sheet): string {
  const names = headings.map((at) => `“${headingIn(rows[at]!)}”`);
  return headings.length > 1
    ? `${headings.length} rows have one cell: ${names.join(', ')}. Are they the headings of the rows below?`
    : `Row ${headings[0]! + 1} has only ${names[0]}. Is it the heading of the rows below?`;
}

/** What the program understood of the sheet, and the questions that concern several rows. */
function Questions({ sheet, reads, onHeadings, onNoHeadings, onNoHeader, onApart }: QuestionsProps) {
  const splits = [...new Set(reads.flatMap(({ split }) => (split?.isOpen ? [split.key] : [])))];
  const copies = reads.filter(isCopy).length;
  const open = reads.filter(
    ({ faults, ...read }) => Object.keys(faults).length > 0 && !isCopy({ faults, ...read }),
  );
  const unread = sheet.header?.filter(({ column }) => column === undefined).map((own) => own.text) ?? [];
  return (
    <div class="questions">
      <p role="status">
        <strong>{count(reads.length, 'row')}</strong>
        {open.length > 0 ? `, ${open.length} to be looked at` : ', all clear'}
        {copies > 0 && `, ${copies} there already and left out`}.
      </p>
      {sheet.header && (
        <p>
          The first row is the header:{' '}
          {sheet.header.flatMap(({ text, column }) => (column ? [text] : [])).join(', ')}
          {unread.length > 0 && `; not read: ${unread.join(', ')}`}.{' '}
          <button type="button" class="quiet" onClick={onNoHeader}>
            It is a nomination
          </button>
        </p>
      )}
      {sheet.headings.length > 0 && (
        <p class="question">
          {headingQuestion(sheet)}{' '}
          <button type="button" onClick={onHeadings}>
            {sheet.headings.length > 1 ? 'Yes, their categories' : 'Yes, their category'}
          </button>{' '}
          <button type="button" onClick={onNoHeadings}>
            {sheet.headings.length > 1 ? 'No, nominations' : 'No, a nomination'}
          </button>
        </p>
      )}
      {splits.length > 1 && (
        <p class="question">
          {splits.length} cells name several people that are not known yet.{' '}
          <button type="button" onClick={() => onApart(splits)}>
            All are several people
          </button>
        </p>
      )}
    </div>
  );
}
