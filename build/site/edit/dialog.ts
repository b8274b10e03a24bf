/** A question before something is done that many records feel. */

interface Question {
  title: string;
  /** What is done, a line each. */
  lines: readonly string[];
  /** The name of the button that does it. */
  button: string;
}

/** Asks in a dialog. @returns whether the editor confirms */
export function isConfirmed({ title, lines, button }: Question): Promise<boolean> {
  const dialog = document.createElement('dialog');
  const element = (name: string, text = '') =>
    Object.assign(document.createElement(name), { textContent: text });
  const heading = Object.assign(element('h2', title), { id: 'question' });
  dialog.setAttribute('aria-labelledby', heading.id);
  const list = element('ul');
  list.tabIndex = 0;
  list.append(...lines.map((line) => element('li', line)));
  const yes = Object.assign(element('button', button), { value: 'yes', className: 'primary' });
  const form = Object.assign(element('form') as HTMLFormElement, { method: 'dialog' });
  form.append(yes, element('button', 'Cancel'));
  dialog.append(heading, ...(lines.length > 0 ? [list] : []), form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    dialog.showModal();
    yes.focus();
  });
}
