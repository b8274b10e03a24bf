/** Compares answers of the service with the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { downloadFormats } from '../../api/contract/layers.ts';
import { openapiDocument } from '../../build/openapi/document.ts';
import { problemsOfResponse } from '../../build/openapi/responses.ts';
import type { JsonObject } from '../../api/contract/value-schemas.ts';
import { problemTypePrefix } from '../../api/contract/problems.ts';
import { addressPattern } from '../../api/contract/routes.ts';

export interface Answered {
  status: number;
  /** Names in any case. */
  headers: Iterable<readonly [string, string]>;
  body: Uint8Array;
}

/** Headers that the document does not describe: of the connection and the server, and the one described by `content`. */
const undescribedHeaders = ['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-type'];

const documentName = 'openapi';
const document = openapiDocument();
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, documentName);
const compiled = new Map<string, ValidateFunction>();

/** The part of the document at a JSON pointer, and its pointer after following references. */
function partAt(pointer: string): { pointer: string; part: JsonObject } | undefined {
  let part: unknown = document;
  for (const step of pointer.split('/').slice(1))
    part = (part as JsonObject | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  if (part === undefined) return undefined;
  const { $ref } = part as { $ref?: string };
  return $ref === undefined ? { pointer, part: part as JsonObject } : partAt($ref.slice(1));
}

/**
 * The faults of a value by the schema at a JSON pointer.
 * @param selected JSON pointers of objects that may lack members
 */
export function faultsBySchema(pointer: string, value: unknown, selected?: RegExp): string[] {
  const validate =
    compiled.get(pointer) ?? ajv.compile({ $ref: `${documentName}#${pointer.replaceAll('%', '%25')}` });
  compiled.set(pointer, validate);
  if (validate(value)) return [];
  return validate
    .errors!.filter(({ keyword, instancePath }) => keyword !== 'required' || !selected?.test(instancePath))
    .map((error) => ajv.errorsText([error]));
}

const escapeStep = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The response object for a request and a status; undefined if the document has none. */
function responseAt(method: string, target: string, status: number) {
  const address = addressPattern(target.split('?', 1)[0]!);
  if (address === undefined)
    return status === 404 ? partAt('/components/responses/UnknownAddress') : undefined;
  // The text of the document says that HEAD has the headers of GET.
  const described = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = partAt(`/paths/${escapeStep(address)}/${described}`);
  if (operation === undefined)
    return status === 405 ? partAt('/components/responses/MethodNotAllowed') : undefined;
  return partAt(`${operation.pointer}/responses/${status}`);
}

/** All differences between an answer and the document, one line each. Its text describes what OPTIONS answers. */
export function undescribed(method: string, target: string, answer: Answered): string[] {
  if (method === 'OPTIONS' && answer.status === 204) return preflightFaults(answer);
  const response = responseAt(method, target, answer.status);
  const told = (what: string) => `${method} ${target} ${answer.status}: ${what}`;
  if (response === undefined) return [told('the status is not described')];
  return [
    ...headerFaults(response.pointer, response.part, answer),
    ...bodyFaults(method, target, response, answer),
  ].map(told);
}

function preflightFaults({ headers, body }: Answered): string[] {
  const names = new Set([...headers].map(([name]) => name.toLowerCase()));
  const needed = ['allow', 'access-control-allow-origin', 'access-control-allow-methods'];
  const missing = needed.filter((name) => !names.has(name)).map((name) => `OPTIONS: there is no ${name}`);
  return body.length === 0 ? missing : [...missing, 'OPTIONS: there is a body'];
}

function headerFaults(pointer: string, part: JsonObject, { headers }: Answered): string[] {
  const described = (part.headers ?? {}) as JsonObject;
  const got = new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]));
  const faults: string[] = [];
  for (const name of Object.keys(described)) {
    const header = partAt(`${pointer}/headers/${escapeStep(name)}`)!;
    const value = got.get(name.toLowerCase());
    got.delete(name.toLowerCase());
    const isWhole = (header.part.schema as JsonObject).type === 'integer';
    if (value === undefined) {
      if (header.part.required === true) faults.push(`there is no ${name}`);
    } else
      faults.push(
        ...faultsBySchema(`${header.pointer}/schema`, isWhole ? Number(value) : value).map(
          (fault) => `${name} is ${value}: ${fault}`,
        ),
      );
  }
  const more = [...got.keys()].filter((name) => !undescribedHeaders.includes(name));
  return [...faults, ...more.map((name) => `${name} is not described`)];
}

function bodyFaults(
  method: string,
  target: string,
  { pointer, part }: { pointer: string; part: JsonObject },
  { status, headers, body }: Answered,
): string[] {
  if (part.content === undefined || method === 'HEAD')
    return body.length === 0 ? [] : ['there is a body that is not described'];
  const type = new Map([...headers].map(([name, value]) => [name.toLowerCase(), value])).get('content-type');
  const query = new URLSearchParams(target.split('?')[1]);
  // The descriptions of these two parameters say what they change in an answer.
  const format = query.get('format');
  if (status === 200 && (format === 'csv' || format === 'ndjson'))
    return type === downloadFormats[format] ? [] : [`${type} is not the type of ${format}`];
  const isRecord = addressPattern(target.split('?', 1)[0]!)?.endsWith('{id}');
  const selected = query.has('fields') ? (isRecord ? /^$/ : /^\/data\/\d+$/) : undefined;
  const described = type?.split(';', 1)[0] ?? '';
  if (!Object.hasOwn(part.content as JsonObject, described)) return [`a ${type} is not described`];
  const text = new TextDecoder().decode(body);
  const value: unknown = described === 'application/json' ? JSON.parse(text) : text;
  const faults = faultsBySchema(`${pointer}/content/${escapeStep(described)}/schema`, value, selected);
  if (status < 400) return faults;
  const problem = String((value as JsonObject).type);
  const code = problemsOfResponse(pointer.split('/').at(-1)!).find(
    (own) => problem === problemTypePrefix + own,
  );
  const isNamed = code !== undefined && String(part.description).includes(`(\`${code}\`)`);
  return isNamed ? faults : [...faults, `the description does not name ${problem}`];
}
