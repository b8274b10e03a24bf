/**
 * The nominations of a ceremony, of all categories or one: their winners, and a grid for new ones. One save
 * is one batch.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { listPath, recordPath } from '../../../api/contract/routes.ts';
import { count } from '../shared/format.ts';
import * as controls from './controls.tsx';
import { type Entries, type Entry, entryOf, fieldsOf, valueFrom, valuesOf } from './fields.ts';
import * as service from './service.ts';

type Props = { ceremony: number; category: number | undefined; access: controls.Access };

const hasWon = ({ nominations }: service.CeremonyEntry): boolean => nominations.some(({ winner }) => winner);

/** The cells of lines copied from a spreadsheet. */
function cellsIn(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
  return lines.map((line) => line.split('\t').map((cell) => cell.trim()));
}

/** @param props.category undefined for all, without the grid */
export function Night({ ceremony, category, access }: Props) {
  const [entries, setEntries] = useState<readonly service.CeremonyEntry[]>([]);
  const [title, setTitle] = useState('');
  const [categories, setCategories] = useState<readonly { id: number; category_name: string }[]>([]);
  /** Entry → whether it is to win. */
  const [choices, setChoices] = useState<Readonly<Record<string, boolean>>>({});
  const [rows, setRows] = useState<readonly Entries[]>([]);
  const attempt = useRef<readonly service.Write[] | undefined>(undefined);
  /** What the last batch was made from: more can be typed before its answer is there. */
  const sent = useRef({ rows, choices, total: 0 });
  const shown = categories.filter(({ id }) => category === undefined || id === category);
  const name = shown[0]?.category_name ?? '';
  const song = /original song\)$/i.test(name) ? 'song_id' : undefined;
  const names = ['movie_id', 'nominee_id', 'credited_as', song];
  const columns = names.flatMap((own) => fieldsOf('nominations').filter((field) => field.name === own));
  const working = controls.useWork(access, (control) => {
    const [row, column] = control.split('-');
    return `Row ${Number(row) + 1}, ${columns.find((own) => own.name === column)?.label ?? column}`;
  });
  const filter = category === undefined ? '' : `&category_ids=${category}`;
  const read = async () => setEntries(await service.entriesOf(ceremony, filter));
  useEffect(() => {
    void working.work(async () => {
      await read();
      setTitle(service.titleOf((await service.load('ceremonies', ceremony)).values));
      setCategories(await service.list('categories'));
      return undefined;
    });
  }, []);
  const won = (entry: service.CeremonyEntry) => choices[entry.key] ?? hasWon(entry);
  const changes = entries.flatMap((entry) =>
    entry.nominations.filter(({ winner }) => entry.key in choices && winner !== won(entry)),
  );
  const isFilled = (row: Entries) => columns.some((own) => valueFrom(own, row[own.name] ?? '') !== null);
  const total = changes.length + rows.filter(isFilled).length;

  const make = async (making: service.Making) => {
    sent.current = { rows, choices, total };
    for (const [i, row] of rows.entries()) {
      if (!isFilled(row)) continue;
      const controlOf = (column: string) => `${i}-${column}`;
      const own = await valuesOf({ fields: columns, entries: row, controlOf }, making);
      for (const column of ['movie_id', 'nominee_id'])
        if (own[column] === null)
          making.faults.push({ control: controlOf(column), message: 'must be filled in' });
      const references = { ceremony_id: ceremony, category_id: category };
      const body = service.bodyOf('nominations', { ...references, ...own });
      const numbered = { id: await making.freeId('nominations'), ...body };
      making.writes.push({ method: 'POST', path: listPath('nominations'), body: numbered, controlOf });
    }
    for (const { id, winner } of changes) {
      const { etag } = await service.load('nominations', id);
      const body = { winner: !winner };
      making.writes.push({ method: 'PATCH', path: recordPath('nominations', id), body, if_match: etag });
    }
  };

  const forgetSent = () => {
    const { rows: saved, choices: made } = sent.current;
    // The others keep their places: the editor may be typing in one.
    const without = (now: typeof rows) => now.map((row, i) => (row === saved[i] ? {} : row));
    setRows((now) => (without(now).some(isFilled) ? without(now) : []));
    setChoices((now) => Object.fromEntries(Object.entries(now).filter(([key, own]) => own !== made[key])));
  };
  /**
   * Reads the night again; the choices stay.
   * @returns a notice if others changed winners, or if all was saved before
   */
  const onStale = async (isRefused = true): Promise<controls.Notice | undefined> => {
    const before = new Map(entries.map((entry) => [entry.key, hasWon(entry)]));
    const now = await service.entriesOf(ceremony, filter);
    const others = now.filter((entry) => hasWon(entry) !== choices[entry.key]);
    const changed = others.filter((entry) => hasWon(entry) !== (before.get(entry.key) ?? false));
    setEntries(now);
    if (changed.length === 0) {
      // A batch whose answer was lost makes its own changes stale when it is sent again.
      const isSaved = now.every((entry) => sent.current.choices[entry.key] !== !hasWon(entry));
      if (!isRefused || !isSaved || sent.current.rows.some(isFilled)) return undefined;
      forgetSent();
      return controls.savedBefore;
    }
    const advice = 'Nothing was saved yet. Your choices are still here; look at these, then save again:';
    const lines = [advice, ...changed.map(({ label }) => label)];
    return { isGood: false, title: 'The record of this night changed meanwhile', lines };
  };
  const save = async () => {
    const early = attempt.current ? undefined : await onStale(false);
    if (early || total === 0) return early;
    const outcome = await service.sendOnce(attempt, make, access.key);
    forgetSent();
    await read();
    return controls.noticeOf(outcome, `${count(sent.current.total, 'nomination')} saved as one batch.`);
  };
  /** Fills cells from a place on, to the right and downwards. */
  const fill = (row: number, column: number, cells: readonly (readonly Entry[])[]) =>
    setRows((now) =>
      Array.from({ length: Math.max(now.length, row + cells.length) }, (_, i) => {
        const line = cells[i - row]?.slice(0, columns.length - column);
        if (!line) return now[i] ?? {};
        return { ...now[i], ...Object.fromEntries(line.map((cell, j) => [columns[column + j]!.name, cell])) };
      }),
    );
  const paste = (event: ClipboardEvent, row: number, column: number) => {
    const cells = cellsIn(event.clipboardData?.getData('text/plain') ?? '');
    if (cells.length < 2 && cells[0]!.length < 2) return;
    event.preventDefault();
    const entryAt = (text: string, j: number) => (columns[column + j]?.collection ? { name: text } : text);
    const entered = cells.map((line) => line.map(entryAt));
    fill(row, column, entered);
  };
  const address = `/edit/ceremonies/${ceremony}`;
  const next = categories.find(({ id }) => category !== undefined && id > category);
  return (
    <>
      <controls.Heading text={`${category === undefined ? 'Winners' : name}, ${title || 'ceremony'}`}>
        <a href={address}>Ceremony</a> <a href={`${address}/winners`}>All categories</a>{' '}
        {next && <a href={`${address}/categories/${next.id}`}>Next: {next.category_name}</a>}
      </controls.Heading>
      <controls.SaveForm
        working={working}
        unsaved={total > 0 ? count(total, 'nomination') : ''}
        onSave={() => void working.work(save, () => onStale())}
        show={read}
      >
        <div class="fields">
          {shown.map(({ id, category_name }) => (
            <fieldset key={id}>
              <legend>
                {category ? 'Winners' : <a href={`${address}/categories/${id}`}>{category_name}</a>}
              </legend>
              {entries
                .filter(({ nominations }) => nominations[0]!.category_id === id)
                .map((entry) => (
                  <label key={entry.key} class="choice">
                    <input
                      type="checkbox"
                      checked={won(entry)}
                      onChange={() => setChoices((now) => ({ ...now, [entry.key]: !won(entry) }))}
                    />
                    {entry.label}
                  </label>
                ))}
            </fieldset>
          ))}
        </div>
        {name !== '' &&
          category !== undefined &&
          Array.from({ length: Math.max(5, rows.length + 1) }, (_, i) => (
            <fieldset key={i} class="row">
              <legend>New nomination, row {i + 1}</legend>
              {columns.map((field, j) => (
                <controls.Control
                  key={field.name}
                  id={`${i}-${field.name}`}
                  field={field}
                  entry={rows[i]?.[field.name] ?? entryOf(field, {})}
                  fault={working.faultsOf(`${i}-${field.name}`)}
                  onEnter={(entry) => fill(i, j, [[entry]])}
                  onPaste={(event) => paste(event, i, j)}
                />
              ))}
            </fieldset>
          ))}
      </controls.SaveForm>
    </>
  );
}
