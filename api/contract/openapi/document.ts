/** The OpenAPI 3.1 document of the service, generated from the tables of the contract. */
import { bodyTypes } from '../bodies.ts';
import {
  maxBatchWrites,
  maxBodyBytes,
  readsPerMinute,
  receiptsPerPage,
  writesPerMinute,
  wrongKeysPerMinute,
} from '../limits.ts';
import { isWritable, resourceNames } from '../names.ts';
import { defaultLimit, maxIds, maxLimit, maxTextLength } from '../parameters.ts';
import { maxFaults, type ProblemCode, problems, problemTypePrefix } from '../problems.ts';
import { exampleComponents, examplesOfProblem } from './examples.ts';
import { paths } from './operations.ts';
import { parameterComponents } from './parameters.ts';
import { headerComponents, responseComponents } from './responses.ts';
import { type JsonObject, pascalCase, schemaComponents } from './schemas.ts';

const problemRows = (Object.keys(problems) as ProblemCode[]).map(
  (code) => `| \`${problemTypePrefix}${code}\` | ${problems[code].status} | ${problems[code].title} |`,
);

/** CommonMark. */
const description = `A century of film awards: nominations, nominees, films, ceremonies, categories and songs, with filters, full-text search, two rankings and counts.

## Reading

Reading needs no key and works from any site. A list has pages of ${defaultLimit} records; \`limit\` sets another size, up to ${maxLimit}. A page past the end is empty. The lists of ceremonies and categories have no pages. A record must match all filters. Text filters ignore case and accents, and match a part of the text unless the parameter says otherwise. A text can have ${maxTextLength} characters, a list of ids ${maxIds} ids.

\`include\` adds details, nominations and counts to records, \`sort\` orders a list by one key, \`fields\` selects members. \`format=csv\` and \`format=ndjson\` answer with all records that match, as a file without pages: \`/api/nominations?category=cinematography&winner=true&format=csv\`. The ETag of a file changes with every snapshot. If the connection breaks off, the file is incomplete: an answer in chunks has no length.

An unknown value is \`null\` or an empty list. Each answer comes from one snapshot of the record.

## Errors

Every error is a JSON document with the members of RFC 9457: \`type\`, \`title\`, \`status\` and \`detail\`. For a query string or a body, \`errors\` lists all faults, up to ${maxFaults}. Programs should use \`type\`. Its last part is the name of the section in \`docs/errors.md\` that explains the error and the next step. An unknown parameter or field is an error; the message suggests the nearest valid name.

| type | status | meaning |
| --- | --- | --- |
${problemRows.join('\n')}

Every address that answers GET also answers HEAD, with the headers of GET alone. Every address answers OPTIONS with 204: \`Allow\` has its methods, and the \`Access-Control\` headers answer the preflight request of a browser. These two have no operation in this document, so that generated clients have no functions for them. Any other method is answered with 405 and \`Allow\`, an unknown address with 404.

## Caching

Every document has a strong \`ETag\`, a hash of its bytes. Send it as \`If-None-Match\`: if the document has not changed, the answer is 304 without a body. An answer of a kilobyte or more comes compressed if \`Accept-Encoding\` has br or gzip. Each form has its own ETag; all of them are valid for \`If-None-Match\` and \`If-Match\`. A cache can store answers, but must revalidate them before each use. Errors, receipts and answers to writes are never cached.

## Limits

| limit | number |
| --- | --- |
| read requests per minute and client | ${readsPerMinute} |
| writes per minute and key | ${writesPerMinute} |
| wrong keys per minute and client | ${wrongKeysPerMinute} |
| bytes of a body | ${maxBodyBytes} |
| writes of a batch | ${maxBatchWrites} |

The operator of a service can change these numbers. \`RateLimit-Policy\` states the limit, and \`RateLimit\` the remaining requests. Above the limit the answer is 429; \`Retry-After\` is the number of seconds to wait. A client is an IPv4 address or the /64 prefix of an IPv6 address.

## Writing

POST adds a record. PATCH changes a record by a JSON merge patch. Both need a key in the header \`x-api-key\`. The body is ${bodyTypes.POST.join(' or ')}, for PATCH also ${bodyTypes.PATCH.at(-1)}. The answer is sent when the write is durable and every GET shows it: in pages, lists, rankings and search. Derived fields (\`movie\`, \`category\`, \`is_song\` …) are optional in a body, and must equal the derived values.

Send the ETag of the record’s page or of the last write as \`If-Match\`. If the record has changed since, the answer is 412 and the record stays as it is.

A POST to \`/api/batch\` takes several writes and carries out all of them or none.

Every write that changes a record creates a receipt: the key, the time, the fields before and after, and the changed files. The list of receipts has ${receiptsPerPage} receipts per answer, and can be searched by record, key, time and batch. A read-only service answers POST and PATCH with 405, and has no receipts.`;

const tagTexts: Record<string, string> = {
  nominations: 'A nominee, film and category at a ceremony.',
  ceremonies: 'The ceremonies, newest first.',
  movies: 'The films.',
  nominees: 'The nominated people, companies and countries.',
  categories: 'The award categories. They are read-only.',
  songs: 'The nominated songs.',
  honors: 'Honorary, scientific and technical awards. They are read-only.',
};

const tags: readonly JsonObject[] = [
  ...resourceNames.map((resource) => ({
    name: pascalCase(resource),
    description: `${tagTexts[resource]}${isWritable(resource) ? ' Editors add and change them.' : ''}`,
  })),
  { name: 'Search', description: 'Full-text search over nominations.' },
  { name: 'Rankings', description: 'Films and people with the most nominations or wins.' },
  { name: 'Counts', description: 'Totals of nominations in groups.' },
  { name: 'Batches', description: 'Several writes at once, all or none.' },
  { name: 'Receipts', description: 'A log of all writes and their effects.' },
  { name: 'Downloads', description: 'The whole record as files.' },
  { name: 'Lists', description: 'Films for media tools, as plain files.' },
  { name: 'Description', description: 'The OpenAPI document.' },
];

export function openapiDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Film Awards',
      version: '1.0.0',
      summary: 'A century of film awards',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The host of this document.' }],
    security: [],
    tags,
    paths: paths(),
    components: {
      schemas: schemaComponents(),
      responses: responseComponents(examplesOfProblem),
      parameters: parameterComponents(),
      headers: headerComponents,
      examples: exampleComponents(),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'An API key for writes and receipts. `awards keys create NAME` makes one.',
        },
      },
    },
  };
}

/** The bytes of the document, as text. */
export const openapiText = (): string => `${JSON.stringify(openapiDocument())}\n`;
