/** Gives what the library shows the names and roles that it leaves out, for those who do not see the page. */

/** Puts right what is there, and whatever the library adds later. */
export function makeReadable(place: HTMLElement): void {
  putRight(place);
  new MutationObserver(() => putRight(place)).observe(place, { childList: true, subtree: true });
}

/** Controls without a name → the name. */
const unnamed: readonly (readonly [selector: string, name: string])[] = [
  ['select[id$="_select"]', 'Value'],
  ['.content-type', 'Media type'],
  ['.examples-select-element', 'Example'],
  ['textarea.body-param__text', 'Body of the request'],
  ['.parameters-col_description input', 'Value'],
  ['.parameters-col_description select', 'Value'],
];

function putRight(place: HTMLElement): void {
  for (const table of place.querySelectorAll('table[role="region"]:not([aria-label])'))
    table.setAttribute(
      'aria-label',
      `Answers to ${table.id.replace(/_responses$/, '').replaceAll('_', ' ')}`,
    );
  for (const [selector, name] of unnamed)
    for (const control of place.querySelectorAll(`${selector}:not([aria-label])`))
      control.setAttribute('aria-label', nameOfParameter(control) ?? name);
  // A link within a button: the button does the same, and says where it is in the address.
  for (const link of place.querySelectorAll('button a[href]')) link.removeAttribute('href');
  // What scrolls must be reachable by keyboard.
  for (const block of place.querySelectorAll(
    'pre:not([tabindex]):not(.version), .opblock-body:not([tabindex])',
  ))
    block.setAttribute('tabindex', '0');
}

/** The name of the parameter in whose row a control stands. */
function nameOfParameter(control: Element): string | undefined {
  return control.closest('tr')?.dataset.paramName;
}
