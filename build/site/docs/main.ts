/** The reference page: the OpenAPI document in Swagger UI. */
import SwaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { openapiPath } from '../../../api/contract/routes.ts';
import { enableOffline } from '../shared/offline.ts';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';

/** The same at every address, so only the introduction describes them. */
const hiddenMethods = ['head', 'options'];

interface Description {
  paths: Record<string, Record<string, unknown>>;
}

function withoutHiddenMethods({ paths, ...rest }: Description): Description {
  const shown = Object.entries(paths).map(([address, item]) => [
    address,
    Object.fromEntries(Object.entries(item).filter(([method]) => !hiddenMethods.includes(method))),
  ]);
  return { ...rest, paths: Object.fromEntries(shown) as Description['paths'] };
}

async function show(place: HTMLElement): Promise<void> {
  const response = await fetch(openapiPath);
  if (!response.ok) throw new Error(`${openapiPath} answers ${response.status}`);
  SwaggerUi({
    domNode: place,
    spec: withoutHiddenMethods((await response.json()) as Description),
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    docExpansion: 'list',
    // The only theme with enough contrast.
    syntaxHighlight: { theme: 'obsidian' },
    // The default validator sends the document to another host.
    validatorUrl: null,
    onComplete: () => {
      labelControls(place);
      new MutationObserver(() => labelControls(place)).observe(place, { childList: true, subtree: true });
    },
  });
}

/** Controls that Swagger UI leaves without an accessible name. */
const controlNames: readonly (readonly [selector: string, name: string])[] = [
  ['select[id$="_select"]', 'Value'],
  ['.content-type', 'Media type'],
  ['.examples-select-element', 'Example'],
  ['textarea.body-param__text', 'Body of the request'],
  ['.parameters-col_description input', 'Value'],
  ['.parameters-col_description select', 'Value'],
];

/** Adds the names and roles that Swagger UI leaves out. */
function labelControls(place: HTMLElement): void {
  for (const table of place.querySelectorAll('table[role="region"]:not([aria-label])'))
    table.setAttribute(
      'aria-label',
      `Answers to ${table.id.replace(/_responses$/, '').replaceAll('_', ' ')}`,
    );
  for (const [selector, name] of controlNames)
    for (const control of place.querySelectorAll(`${selector}:not([aria-label])`))
      control.setAttribute('aria-label', control.closest('tr')?.dataset.paramName ?? name);
  // A button must not contain a link; the button does the same.
  for (const link of place.querySelectorAll('button a[href]')) link.removeAttribute('href');
  // Scrollable blocks must be reachable by keyboard.
  const scrollable = 'pre:not([tabindex]):not(.version), .opblock-body:not([tabindex])';
  for (const block of place.querySelectorAll(scrollable)) block.setAttribute('tabindex', '0');
}

const linkTo = (href: string, text: string): HTMLElement =>
  Object.assign(document.createElement('a'), { href, textContent: text });

const header = Object.assign(document.createElement('header'), { className: 'docs-header' });
header.append(linkTo('/', 'Film Awards'), linkTo(openapiPath, 'OpenAPI document'));
// Swagger UI has a main landmark of its own.
const place = Object.assign(document.createElement('div'), { textContent: 'Loading the reference …' });
document.getElementById('app')!.replaceChildren(header, place);

const isDark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', isDark.matches);
isDark.addEventListener('change', followScheme);
followScheme();

show(place).catch((error: unknown) => {
  place.textContent = `The reference cannot be shown: ${error instanceof Error ? error.message : String(error)}. Reload the page to try again.`;
});
enableOffline();
