/** The code of a request in each language. */
import type { Example } from '../../../api/contract/openapi/examples.ts';
import { parameters } from '../../../api/contract/parameters.ts';
import { batchPath, receiptsPath } from '../../../api/contract/routes.ts';
import { splitTarget } from '../../../api/contract/target.ts';

/** Stands for the origin of the service until the page knows its own. */
export const exampleOrigin = 'https://awards.example';

export type Language = 'curl' | 'fetch' | 'client' | 'python';
export const languageNames: Readonly<Record<Language, string>> = {
  curl: 'curl',
  fetch: 'JavaScript',
  client: 'Client',
  python: 'Python',
};

export type SampleRequest = Pick<Example, 'method' | 'target' | 'headers' | 'body' | 'withoutKey'>;

export const isSecured = ({ method, target, withoutKey }: SampleRequest): boolean =>
  !withoutKey && (method !== 'GET' || target.startsWith(receiptsPath));

/** Whether the answer is JSON: everything but files of other formats, and an answer without a body. */
const isJson = ({ target, headers = {} }: SampleRequest): boolean =>
  !/\.(?!json)\w+$/.test(target) && !('If-None-Match' in headers);

/** The headers of a request but the key. */
const headersOf = ({ body, headers = {} }: SampleRequest): Record<string, string> => ({
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
  ...headers,
});

export const textOf = (body: SampleRequest['body']): string =>
  typeof body === 'string' ? body : JSON.stringify(body, undefined, 2);

/** The code of a request. No code for the client where it has no such operation. */
export function samplesOf(request: SampleRequest): Partial<Record<Language, string>> {
  const client = clientSample(request);
  return {
    curl: curlSample(request),
    fetch: fetchSample(request),
    ...(client !== undefined && { client }),
    python: pythonSample(request),
  };
}

const quotedForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curlSample(request: SampleRequest): string {
  const { method, target, body } = request;
  const address = exampleOrigin + target;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${/[?&]/.test(address) ? quotedForShell(address) : address}`,
    ...(isSecured(request) ? ['-H "x-api-key: $KEY"'] : []),
    ...Object.entries(headersOf(request)).map(([name, value]) => `-H ${quotedForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quotedForShell(textOf(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

/** A value as JavaScript that people write: names without quotes where they need none, strings in single quotes. */
function inJavaScript(value: unknown, indent = ''): string {
  const deeper = `${indent}  `;
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) {
    const items = value.map((item) => inJavaScript(item, deeper));
    return inLines(`[${items.join(', ')}]`, items, indent, deeper);
  }
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([name, own]) =>
      `${/^[A-Za-z_]\w*$/.test(name) ? name : inJavaScript(name)}: ${inJavaScript(own, deeper)}`,
  );
  if (members.length === 0) return '{}';
  return inLines(`{ ${members.join(', ')} }`, members, indent, deeper);
}

/** A list or an object: on one line if that is short, else with a part on each line. */
function inLines(line: string, parts: readonly string[], indent: string, deeper: string): string {
  if (line.length <= 60) return line;
  return `${line[0]}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${line.at(-1)}`;
}

function fetchSample(request: SampleRequest): string {
  const { method, target, body } = request;
  const headers = [
    ...(isSecured(request) ? [`'x-api-key': process.env.KEY`] : []),
    ...Object.entries(headersOf(request)).map(
      ([name, value]) => `${inJavaScript(name)}: ${inJavaScript(value)}`,
    ),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined
      ? []
      : [
          `  body: ${typeof body === 'string' ? inJavaScript(body) : `JSON.stringify(${inJavaScript(body, '  ')})`},`,
        ]),
  ];
  const address = `'${exampleOrigin}${target}'`;
  const call = options.length === 0 ? address : `${address}, {\n${options.join('\n')}\n}`;
  return `const response = await fetch(${call});\nconsole.log(response.status, await response.${isJson(request) ? 'json' : 'text'}());`;
}

function pythonSample(request: SampleRequest): string {
  const { method, target, body } = request;
  const { path, queryString } = splitTarget(target);
  const values = [...new URLSearchParams(queryString)].map(
    ([name, value]) => `${inPython(name)}: ${inPython(value)}`,
  );
  const isPlain = typeof body === 'object' && Object.keys(request.headers ?? {}).length === 0;
  const own = Object.entries(isPlain ? {} : headersOf(request)).map(
    ([name, value]) => `${inPython(name)}: ${inPython(value)}`,
  );
  const headers = [...(isSecured(request) ? [`'x-api-key': os.environ['KEY']`] : []), ...own];
  const lines = [
    inPython(exampleOrigin + path),
    ...(values.length > 0 ? [`params={${values.join(', ')}}`] : []),
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
    ...(body === undefined
      ? []
      : [
          typeof body === 'string'
            ? `data=${inPython(body)}`
            : isPlain
              ? `json=${inPython(body, '    ')}`
              : `data=json.dumps(${inPython(body, '    ')})`,
        ]),
  ];
  const needs = [...(isSecured(request) ? ['os'] : []), ...(body === undefined || isPlain ? [] : ['json'])];
  const imports = [...needs.sort().map((name) => `import ${name}\n`), 'import requests\n'].join('');
  const call = lines.length === 1 ? lines[0] : `\n${lines.map((line) => `    ${line},\n`).join('')}`;
  return `${imports}\nresponse = requests.${method.toLowerCase()}(${call})\nprint(response.status_code, response.${isJson(request) ? 'json()' : 'text'})`;
}

/** A value as Python that people write. */
function inPython(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const deeper = `${indent}    `;
  if (Array.isArray(value)) {
    const items = value.map((item) => inPython(item, deeper));
    return inLines(`[${items.join(', ')}]`, items, indent, deeper);
  }
  if (typeof value !== 'object') return inJavaScript(value);
  const members = Object.entries(value).map(([name, own]) => `${inPython(name)}: ${inPython(own, deeper)}`);
  return inLines(`{${members.join(', ')}}`, members, indent, deeper);
}

/** The query string as the client takes it: numbers, lists and truth values by the kind of the parameter. */
function queryOf(query: string): Record<string, unknown> {
  const kinds: Readonly<Record<string, { kind: string }>> = parameters;
  const valueIn = (name: string, text: string): unknown => {
    switch (kinds[name]?.kind) {
      case 'integer':
      case 'id':
        return Number(text);
      case 'boolean':
        return text === 'true';
      case 'ids':
        return text.split(',').map(Number);
      case 'texts':
      case 'keys':
      case 'fields':
        return text.split(',');
      default:
        return text;
    }
  };
  return Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, text]) => [name, valueIn(name, text)]),
  );
}

/** Undefined for what the client has no call for: a wrong body, a file of another format, and headers that it sets itself. */
function clientSample(request: SampleRequest): string | undefined {
  const { method, target, body, headers = {} } = request;
  const { path, queryString } = splitTarget(target);
  if (Object.keys(headers).some((name) => name !== 'If-Match') || typeof body === 'string') return undefined;
  if (!isJson(request)) return undefined;
  const ifMatch = headers['If-Match'];
  const values = [
    ...(path === batchPath ? [] : [path]),
    ...(queryString === '' ? [] : [queryOf(queryString)]),
    ...(body === undefined ? [] : [body]),
    ...(ifMatch === undefined ? [] : [{ ifMatch }]),
  ];
  const name = path === batchPath ? 'batch' : method.toLowerCase();
  const key = isSecured(request) ? ', key: process.env.KEY' : '';
  return `import { createClient } from 'film-awards/client';

const awards = createClient({ baseUrl: '${exampleOrigin}'${key} });
console.log(await awards.${name}(${values.map((value) => inJavaScript(value)).join(', ')}));`;
}
