/** What the document says in sentences: the rules that hold at every address, with the numbers that the service counts by. */
import { bodyTypes } from '../bodies.ts';
import {
  maxBodyBytes,
  readsPerMinute,
  receiptsPerPage,
  writesPerMinute,
  wrongKeysPerMinute,
} from '../limits.ts';
import { isWritable, resourceNames } from '../names.ts';
import { defaultLimit, maximumIds, maximumLimit, maximumTextLength } from '../parameters.ts';
import { maxFaults, type ProblemCode, problems, problemTypePrefix } from '../problems.ts';
import type { JsonObject } from './model.ts';
import { pascalCase } from './schemas.ts';

const reading = `
## Reading

Everything can be read without a key, from any site. Lists come in pages of ${defaultLimit} records, or of as many as \`limit\` says, up to ${maximumLimit}; a page past the end is empty. Ceremonies and categories come all at once. Filters combine with AND. Texts are compared without regard to case and accents; a part of the text is enough, save where a parameter says otherwise. A text may have ${maximumTextLength} characters, a list of ids ${maximumIds} ids.

What is not known is \`null\`, or an empty list. Every answer comes from one snapshot of the record.`;

const errors = `
## Errors

Every refusal is a JSON document with the members of RFC 9457: \`type\`, \`title\`, \`status\`, \`detail\`, and for a query string or a body \`errors\`, with every fault at once (${maxFaults} at most). \`type\` is what a program should look at. An unknown parameter or field is an error too, and the answer names the nearest one that there is.

| type | status | means |
| --- | --- | --- |
${(Object.keys(problems) as ProblemCode[])
  .map((code) => `| \`${problemTypePrefix}${code}\` | ${problems[code].status} | ${problems[code].title} |`)
  .join('\n')}

A method that an address does not have is answered with 405 and \`Allow\`, an address that there is not with 404.`;

const caching = `
## Caching

Every document that can be read has a strong \`ETag\` made from its bytes. Keep it, and send it as \`If-None-Match\`: as long as the document is the same, the answer is 304 without a body. \`Cache-Control\` says that an answer may be kept and must be asked for again before it is used. Errors, answers to writes and receipts are never kept.`;

const limits = `
## Limits

| what | how many |
| --- | --- |
| requests to read, a minute and client | ${readsPerMinute} |
| writes, a minute and key | ${writesPerMinute} |
| wrong keys, a minute and client | ${wrongKeysPerMinute} |
| bytes of a body | ${maxBodyBytes} |

Whoever runs the service may have set other numbers; \`RateLimit-Policy\` tells them and \`RateLimit\` what is left. Past a limit the answer is 429, and \`Retry-After\` says in how many seconds to try again. A client is an IP address, or the /64 of an IPv6 one.`;

const writing = `
## Writing

POST adds a record, PATCH changes one by a JSON merge patch; both need a key in the header \`x-api-key\`. The body is ${bodyTypes.POST.join(' or ')}, for PATCH also ${bodyTypes.PATCH.at(-1)}. A write is answered when it is on the disk and every GET shows it: in pages, lists, rankings and search. Fields that follow from other records (\`movie\`, \`category\`, \`is_song\` …) may be sent as they are, not changed.

\`If-Match\` with the ETag of the record’s page, or of the last write, makes sure that nobody else changed it meanwhile; if somebody did, the answer is 412 and nothing is changed.

Every write that changes something leaves a receipt: who, when, the fields before and after, and the files that were rewritten. A list of receipts has ${receiptsPerPage} of them. Where a site only reads, POST and PATCH are answered with 405, and there are no receipts.`;

/** The description of the service, in CommonMark. */
export const description = [
  'A century of film awards: nominations, nominees, films, ceremonies, categories and songs, with filters, full-text search and two rankings.',
  reading,
  errors,
  caching,
  limits,
  writing,
].join('\n');

const tagTexts: Record<string, string> = {
  nominations: 'Who or what was nominated, for which film, in which category, at which ceremony.',
  ceremonies: 'The ceremonies, newest first.',
  movies: 'The films.',
  nominees: 'People, and companies and countries that were nominated.',
  categories: 'What is awarded. Categories can only be read.',
  songs: 'The songs that were nominated.',
};

/** The groups of operations, in the order in which they are shown. */
export const tags: readonly JsonObject[] = [
  ...resourceNames.map((resource) => ({
    name: pascalCase(resource),
    description: `${tagTexts[resource]}${isWritable(resource) ? ' Editors add and change them.' : ''}`,
  })),
  { name: 'Search', description: 'Full-text search over nominations.' },
  { name: 'Rankings', description: 'Films and people with the most nominations or wins.' },
  { name: 'Receipts', description: 'What was written, by whom, and what came of it.' },
  { name: 'Downloads', description: 'The whole record as files.' },
  { name: 'Description', description: 'The service, described for programs.' },
];
