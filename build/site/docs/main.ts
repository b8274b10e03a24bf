/** The program of the reference: the description of the service, shown by a library that can also try each request. */
import SwaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { openapiPath } from '../../../api/contract/routes.ts';
import { keepForOffline } from '../shared/offline.ts';
import { makeReadable } from './readable.ts';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';

/** Every address answers these, too; the introduction says so once. */
const methodsLeftOut = ['head', 'options'];

interface Description {
  paths: Record<string, Record<string, unknown>>;
}

/** The description without what would be the same at every address. */
function shortened({ paths, ...rest }: Description): Description {
  const shown = Object.entries(paths).map(([address, item]) => [
    address,
    Object.fromEntries(Object.entries(item).filter(([method]) => !methodsLeftOut.includes(method))),
  ]);
  return { ...rest, paths: Object.fromEntries(shown) as Description['paths'] };
}

async function show(place: HTMLElement): Promise<void> {
  const answer = await fetch(openapiPath);
  if (!answer.ok) throw new Error(`${openapiPath} answers ${answer.status}`);
  SwaggerUi({
    domNode: place,
    spec: shortened((await answer.json()) as Description),
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    docExpansion: 'list',
    // The one whose colours can all be told from their ground.
    syntaxHighlight: { theme: 'obsidian' },
    // It would tell another host of what is shown here.
    validatorUrl: null,
    onComplete: () => makeReadable(place),
  });
}

const heading = document.createElement('header');
heading.className = 'docs-header';
const home = document.createElement('a');
home.href = '/';
home.textContent = 'Film Awards';
const source = document.createElement('a');
source.href = openapiPath;
source.textContent = 'OpenAPI document';
heading.append(home, source);
// The library brings the main landmark.
const place = document.createElement('div');
place.textContent = 'Loading the reference …';
document.getElementById('app')!.replaceChildren(heading, place);

const isDark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', isDark.matches);
isDark.addEventListener('change', followScheme);
followScheme();

show(place).catch((error: unknown) => {
  place.textContent = `The reference cannot be shown: ${error instanceof Error ? error.message : String(error)}. Reload the page to try again.`;
});
keepForOffline();
