/**
 * The guides: how the service works, in the order in which people need it. They are the description of the
 * OpenAPI document.
 */
import { bodyTypes } from '../../api/contract/bodies.ts';
import {
  batchWritesPerWrite,
  maxBatchBytes,
  maxBatchWrites,
  maxBodyBytes,
  maxSearchWords,
  readsPerExport,
  readsPerMinute,
  receiptsPerPage,
  writesPerMinute,
  wrongKeysPerMinute,
} from '../../api/contract/limits.ts';
import { defaultLimit, maxIds, maxLimit, maxTextLength } from '../../api/contract/parameters.ts';
import { maxFaults } from '../../api/contract/problems.ts';

interface Guide {
  /** Part of an address: lower case, with dashes. */
  id: string;
  title: string;
  /** CommonMark without headings. */
  text: string;
}

export const introduction =
  'A century of film awards: nominations, nominees, films, ceremonies, categories and songs, with filters, full-text search, two rankings and counts.';

export const guides: readonly Guide[] = [
  {
    id: 'first-request',
    title: 'First request',
    text: `All addresses begin with the host of this document; \`/api\` lists them. Every answer is a JSON document. An unknown value is \`null\` or an empty list. Each answer comes from one snapshot of the record.

Every address that answers GET also answers HEAD, with the headers of GET alone. Every address answers OPTIONS with 204: \`Allow\` has its methods, and the \`Access-Control\` headers answer the preflight request of a browser. These two have no operation in this document, so that generated clients have no functions for them. Any other method is answered with 405 and \`Allow\`, an unknown address with 404.

Assistants ask \`/mcp\`, which speaks the Model Context Protocol and describes its tools itself.`,
  },
  {
    id: 'key',
    title: 'Key',
    text: 'Reading needs no key and works from any site. Writing and reading receipts need a key in the header `x-api-key`. `awards keys create NAME` makes one.',
  },
  {
    id: 'paging',
    title: 'Pages of a list',
    text: `A list has pages of ${defaultLimit} records; \`limit\` sets another size, up to ${maxLimit}. \`pagination\` in the answer has the totals, and the header \`Link\` has the addresses of the first, previous, next and last page. A page past the end is empty. The lists of ceremonies and categories have no pages.`,
  },
  {
    id: 'filters',
    title: 'Filters',
    text: `A record must match all filters. Text filters ignore case and accents, and match a part of the text unless the parameter says otherwise. A text can have ${maxTextLength} characters, a list of ids ${maxIds} ids, a search ${maxSearchWords} different words.

Items of a list are separated by commas; the parameter can also be sent once for each item: \`ids=1&ids=2\` is \`ids=1,2\`.

An unknown parameter is an error; the message suggests the name that is meant.`,
  },
  {
    id: 'shape',
    title: 'Order, details and formats',
    text: `\`include\` adds details, nominations, counts and film years to records, \`sort\` orders a list by one key, with a minus sign in descending order, and \`fields\` selects members.

\`format=csv\` and \`format=ndjson\` answer with all records that match, as a file without pages: \`/api/nominations?category=cinematography&winner=true&format=csv\`.`,
  },
  {
    id: 'errors',
    title: 'Errors',
    text: `Every error is a JSON document with the members of RFC 9457: \`type\`, \`title\`, \`status\` and \`detail\`. For a query string or a body, \`errors\` lists all faults, up to ${maxFaults}. Programs should use \`type\`: a relative address, which opens the section of the reference that explains the error and the next step.`,
  },
  {
    id: 'caching',
    title: 'ETags and caching',
    text: `Every document has a strong \`ETag\`, a hash of its bytes. Send it as \`If-None-Match\`: if the document has not changed, the answer is 304 without a body. An answer of a kilobyte or more comes compressed if \`Accept-Encoding\` has br or gzip. Each form has its own ETag; all of them are valid for \`If-None-Match\` and \`If-Match\`.

A cache can store answers, but must revalidate them before each use. Errors, receipts and answers to writes are never cached.`,
  },
  {
    id: 'limits',
    title: 'Limits',
    text: `| limit | number |
| --- | --- |
| read requests per minute and client | ${readsPerMinute} |
| reads that an export (\`format=csv\`, \`format=ndjson\`) counts as | ${readsPerExport} |
| writes per minute and key | ${writesPerMinute} |
| wrong keys per minute and client | ${wrongKeysPerMinute} |
| bytes of a body | ${maxBodyBytes} |
| bytes of a batch | ${maxBatchBytes} |
| writes of a batch | ${maxBatchWrites} |
| writes of a batch that count as one write | ${batchWritesPerWrite} |

The operator of a service can change these numbers. \`RateLimit-Policy\` states the limit, and \`RateLimit\` the remaining requests. Above the limit the answer is 429; \`Retry-After\` is the number of seconds to wait. A client is an IPv4 address or the /64 prefix of an IPv6 address.`,
  },
  {
    id: 'writing',
    title: 'Writing',
    text: `POST adds a record. PATCH changes a record by a JSON merge patch. DELETE deletes a record that no other refers to. The body is ${bodyTypes.POST.join(' or ')}, for PATCH also ${bodyTypes.PATCH.at(-1)}. The answer is sent when the write is durable and every GET shows it: in pages, lists, rankings and search. Derived fields (\`movie\`, \`category\`, \`is_song\` …) are optional in a body, and must equal the derived values.

Send the ETag of the record’s page or of the last write as \`If-Match\`. If the record has changed since, the answer is 412 and the record stays as it is.

The editor at \`/edit\` is part of the service (\`npm start\`), and writes by the same requests. A read-only service answers writes with 405.`,
  },
  {
    id: 'batches',
    title: 'Several writes at once',
    text: `A POST to \`/api/batch\` takes several writes and carries out all of them or none: the answer names the position and the faults of the first write that is refused. Up to ${maxBatchWrites} writes are one batch and one group of receipts. The rate limit counts ${batchWritesPerWrite} of them as one write; it admits a batch as long as one is left. The member \`note\` of a write says why, such as the source of a value: its receipt has it.`,
  },
  {
    id: 'receipts',
    title: 'The log of writes',
    text: `Every write that changes a record creates a receipt: the key, the time, the fields before and after, and the changed files. The list of receipts has ${receiptsPerPage} receipts per answer, and can be searched by record, key, time and batch; its member \`editor\` is the name of your key. A read-only service has no receipts.`,
  },
];
