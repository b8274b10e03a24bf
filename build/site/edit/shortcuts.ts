/** The keys of the editor, and the list of them. */

const shortcuts: readonly (readonly [keys: string, does: string])[] = [
  ['Ctrl+S', 'Save'],
  ['Ctrl+K or /', 'Find a record to edit'],
  ['Ctrl+Z in a field', 'Take back what you typed'],
  ['Enter in a row', 'To the same column of the next row'],
  ['G then D', 'To the desk'],
  ['N', 'To the next category without nominations'],
  ['Q', 'To the next question of a sheet'],
  ['?', 'This list'],
];

function showShortcuts(): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'shortcuts';
  dialog.setAttribute('aria-label', 'Keyboard shortcuts');
  const heading = Object.assign(document.createElement('h2'), { textContent: 'Keyboard shortcuts' });
  const list = document.createElement('dl');
  for (const [keys, does] of shortcuts)
    list.append(
      Object.assign(document.createElement('dt'), { textContent: keys }),
      Object.assign(document.createElement('dd'), { textContent: does }),
    );
  const form = Object.assign(document.createElement('form'), { method: 'dialog' });
  form.append(Object.assign(document.createElement('button'), { textContent: 'Close' }));
  dialog.append(heading, list, form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Milliseconds within which the second key of two follows. */
const secondKeyMs = 1000;

/** Listens to the keys, on a Mac with Command instead of Ctrl. */
export function startShortcuts(): void {
  let lastG = 0;
  addEventListener('keydown', (event) => {
    if (event.altKey || document.querySelector('dialog[open]')) return;
    const isTyping = document.activeElement?.matches(
      'input:not([type=checkbox], [type=radio]), textarea, select',
    );
    const letter = event.key.toLowerCase();
    const key = (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') + letter;
    const act = actionOf(key, isTyping === true, event.timeStamp - lastG < secondKeyMs);
    lastG = letter === 'g' ? event.timeStamp : 0;
    if (!act) return;
    event.preventDefault();
    act();
  });
  addEventListener('keydown', moveDown);
}

function actionOf(key: string, isTyping: boolean, isSecond: boolean): (() => void) | undefined {
  if (key === 'Ctrl+s')
    return () => document.querySelector<HTMLFormElement>('form[method=post]')?.requestSubmit();
  if (key === 'Ctrl+k') return () => document.getElementById('finder')?.focus();
  if (isTyping) return undefined;
  if (key === '/') return () => document.getElementById('finder')?.focus();
  if (key === '?') return showShortcuts;
  if (key === 'd' && isSecond)
    return () => {
      location.href = '/edit';
    };
  const control = /^[a-z]$/.test(key) && document.querySelector<HTMLElement>(`[data-shortcut=${key}]`);
  return control ? () => control.click() : undefined;
}

/** Enter in a cell of a grid moves down, as in a spreadsheet, and does not save. */
function moveDown(event: KeyboardEvent): void {
  const cell = event.target as HTMLElement;
  if (
    event.key !== 'Enter' ||
    event.ctrlKey ||
    event.metaKey ||
    !cell.matches('table.grid :is(input, textarea)')
  )
    return;
  event.preventDefault();
  const [column, row] = [cell.closest('td')!.cellIndex, cell.closest('tr')!];
  const next = row.nextElementSibling as HTMLTableRowElement | null;
  next?.cells[column]?.querySelector<HTMLElement>('input, textarea')?.focus();
}
