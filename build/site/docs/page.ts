/** The reference: one page made from the OpenAPI document. answers.ts completes it with a snapshot. */
import { Marked } from 'marked';
import { examples } from '../../openapi/examples.ts';
import { guides, introduction } from '../../openapi/guides.ts';
import { problemsOfResponse } from '../../openapi/responses.ts';
import { openapiPath } from '../../../api/contract/routes.ts';
import { siteHeaderHtml } from '../explorer/frame.tsx';
import { escapedHtml } from '../shared/hosting.ts';
import { sampleTargets, shortened } from './answers.ts';
import {
  components,
  curlOf,
  exampleOf,
  exampleOrigin,
  javascriptOf,
  objectIn,
  objectOf,
  type Operation,
  operations,
  outlineOf,
  type Part,
  resolved,
  type SampleRequest,
  tags,
  textOf,
  typeInWords,
} from './openapi.ts';

const marked = new Marked({ gfm: true });
const inline = (text: string): string => marked.parseInline(text) as string;
const each = <T>(items: readonly T[], html: (item: T) => string): string => items.map(html).join('');
const link = (id: string, text = id): string => `<a href="#${id}">${text}</a>`;
const folded = (title: string, content: string): string =>
  `<details><summary>${title}</summary>${content}</details>`;
/** @param name what the script calls the block where it offers a copy */
const codeBlock = (name: string, code: string): string =>
  `<pre data-copied="${escapedHtml(name)}">${escapedHtml(code)}</pre>`;

const operationsOf = (tag: string) => operations.filter(({ tags: [own] }) => own === tag);

/** The body of the page, with the marks of answers.ts. @param errors the text of docs/errors.md */
export const referenceHtml = (errors: string): string => `${siteHeaderHtml('/docs')}<div class="reference">
<nav aria-label="Contents"><ul>
<li><a href="${openapiPath}">OpenAPI document</a></li>
${each(guides, ({ id, title }) => `<li>${link(id, title)}</li>`)}
${each(tags, ({ name }) => {
  const entries = each(
    operationsOf(name),
    ({ operationId, summary }) => `<li>${link(operationId, summary)}</li>`,
  );
  return `<li>${link(`group-${name}`, name)}<ul>${entries}</ul></li>\n`;
})}<li>${link('objects', 'Objects')}</li><li>${link('headers', 'Headers')}</li>
</ul></nav>
<main id="content">
<h1>API reference</h1>
<p><strong>{{notice}}</strong></p>
<p>Sources of the record: {{sources}}</p>
<p>${introduction}</p>
${codeBlock('Three requests', firstRequests)}
${each(guides, ({ id, title, text }) => {
  const html = marked.parse(text) as string;
  return `<section id="${id}"><h2>${title}</h2>${html}${id === 'errors' ? problemsHtml(errors) : ''}</section>\n`;
})}
${each(tags, ({ name, description }) => {
  const heading = `<h2 id="group-${name}">${name}</h2><p>${description}</p>`;
  return `<section>${heading}${each(operationsOf(name), operationHtml)}</section>\n`;
})}
<section id="objects"><h2>Objects</h2>
<p>What bodies and answers consist of. A field that is “optional” can be missing.</p>
${each(Object.entries(components.schemas!), ([name, schema]) =>
  folded(name, `${inline(textOf(schema))}<dl id="${name}">${fieldsHtml(`${name}-`, '', schema)}</dl>\n`),
)}</section>
<section id="headers"><h2>Headers</h2>
<dl>${each(Object.entries(components.headers!), ([name, { description }]) =>
  itemHtml(`header-${name}`, name.split('.', 1)[0]!, '', description),
)}</dl>
</section></main></div>`;

const firstRequests = `# a film with its nominations
curl '${exampleOrigin}/api/movies/{{movie_id}}'
# all nominations of the films with a title
curl '${exampleOrigin}/api/nominations?movie={{movie+}}'
# a search in names, titles and categories
curl '${exampleOrigin}/api/search?q={{movie+}}'`;

/** A section of docs/errors.md. */
const errorSections = /^## (.+)\n\n\*\*(\d+)\*\* .+\n\n- When: (.+)\n- Next step: (.+)$/gm;

function problemsHtml(errors: string): string {
  const { summary, method, target, status, answer } = examples.wrongParameters!;
  return `${samplesHtml(summary, { method, target, isSecured: false })}
${folded(`Answer <b>${status}</b>`, codeBlock(`${summary}, answer`, shortened(answer)))}
${folded(
  'All errors: when they occur, and what to do',
  `<dl>${each([...errors.matchAll(errorSections)], ([, code = '', status = '', when, next]) =>
    itemHtml(`problem-${code}`, code, status, `${when} ${next}`),
  )}</dl>`,
)}`;
}

const itemHtml = (id: string, name: string, facts: string, text = ''): string =>
  `<div id="${id}"><dt><code>${name}</code> <small>${facts}</small></dt><dd>${inline(text)}</dd></div>`;

/** The fields of an object; those of a part that has no name of its own follow it as `part.field`. */
function fieldsHtml(id: string, prefix: string, part: Part): string {
  const { properties = {}, required = [] } = objectIn(part);
  return each(Object.entries(properties), ([field, member]) => {
    const [own, object, name] = [resolved(member), objectOf(member), prefix + field];
    const type = object === undefined ? typeInWords(own) : `${own.items ? 'array of ' : ''}${link(object)}`;
    const facts = (required as readonly string[]).includes(field) ? type : `${type}, optional`;
    const below = object === undefined ? fieldsHtml(id, `${name}${own.items ? '[]' : ''}.`, own) : '';
    return itemHtml(id + name, name, facts, textOf(own)) + below;
  });
}

const samplesHtml = (name: string, request: SampleRequest): string =>
  codeBlock(`${name}, curl`, curlOf(request)) +
  folded('JavaScript', codeBlock(`${name}, JavaScript`, javascriptOf(request)));

function operationHtml(operation: Operation): string {
  const { operationId: id, method, path, summary, security, parameters = [], requestBody } = operation;
  const { body, target: exampleTarget } = exampleOf(operation) ?? {};
  const target = sampleTargets[id] ?? exampleTarget ?? fileTargets[path] ?? path;
  const isSecured = security !== undefined;
  const isTried = method === 'GET' && !isSecured;
  const listed = each(parameters, (own) =>
    parameterHtml(id, own, isTried ? valueIn(own, path, target) : undefined),
  );
  const object = objectOf(requestBody?.content?.['application/json']?.schema);
  const content = `${parameters.length > 0 ? folded(`Parameters: ${parameters.length}`, listed) : ''}
${object ? `<p>Body: ${link(object)} in JSON.</p>` : ''}
${samplesHtml(summary, { method, target, isSecured, ...(body !== undefined && { body }) })}
${answersHtml(operation)}`;
  return `<section id="${id}"><h3>${summary}</h3>
<p><b>${method}</b> <code>${path}</code></p>
<p>${inline(operation.description)}${isSecured ? ' Needs a key.' : ''}</p>
${
  isTried
    ? `<form action="${target.split('?', 1)[0]}" data-path="${path}">${content}
<button aria-label="Try it: ${summary}">Try it</button></form>`
    : content
}</section>`;
}

/** Addresses of files that every record has. */
const fileTargets: Readonly<Record<string, string>> = {
  '/downloads/{name}': '/downloads/movies.csv',
  '/lists/{name}/{file}': '/lists/best-picture/winners.json',
  '/by-imdb/{imdb_id}.json': '/by-imdb/tt0120338.json',
};

/** The value that a sample request has for a parameter; undefined for a header. */
function valueIn({ name, in: place }: Part, path: string, target: string): string | undefined {
  const [address = '', query = ''] = target.split('?');
  if (place === 'path') {
    const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    return pattern.exec(address)?.groups?.[name!];
  }
  const pair = query.split('&').find((own) => own.startsWith(`${name}=`)) ?? '';
  return place === 'query' ? pair.slice(name!.length + 1).replace('+}}', '}}') : undefined;
}

/**
 * A parameter, with a field to try it. Without the script, only the parameters of the sample request take
 * part: the address has its id, and an empty value would be an error.
 */
function parameterHtml(operation: string, parameter: Part, value: string | undefined): string {
  const { name = '', in: place, required, schema = {} } = parameter;
  const type = schema.items ? 'list with commas' : typeInWords(schema);
  const facts = [...(place === 'query' ? [] : [place]), ...(required ? ['required'] : []), type].join(', ');
  const heading = `<code>${name}</code> <small>${facts}</small>`;
  const off = place === 'path' || value === '' ? ' disabled' : '';
  return `<div id="${operation}-${name}">${
    value === undefined
      ? `${heading}<br>`
      : `<label>${heading}<input name="${name}" value="${value}"${off}></label>`
  } ${inline(textOf(schema, parameter.description))}</div>`;
}

/** The answer of success, of the record or else of the document, and all other answers. */
function answersHtml(operation: Operation): string {
  const { operationId: id, summary, responses } = operation;
  const [[first, success] = [], ...others] = Object.entries(responses);
  const { description = '', content = {} } = resolved(success!);
  const { schema } = content['application/json'] ?? {};
  const object = objectOf(schema);
  const example = exampleOf(operation)?.answer ?? (object && outlineOf(schema!));
  const shown = id in sampleTargets ? `{{answer ${id}}}` : example && shortened(example);
  const types = Object.keys(content).join(', ');
  return folded(
    `Answer <b>${first}</b>`,
    `<p>${description} ${object ? `${link(object)} as` : 'As'} <code>${types}</code>.</p>
${shown ? codeBlock(`${summary}, answer`, shown) : ''}
<ul>${each(others, ([status, part]) => {
      const text = resolved(part).description!;
      const codes = problemsOfResponse(part.$ref?.split('/').at(-1) ?? '');
      const problems = each(codes, (code) => ` ${link(`problem-${code}`, code)}`);
      return `<li><b>${status}</b> ${problems || text}</li>`;
    })}</ul>`,
  );
}
