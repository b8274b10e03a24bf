/**
 * Compares ETags with If-None-Match and If-Match (RFC 9110 section 13.1), and derives those of encoded forms.
 * The resolver makes them: api/read/resolve.ts.
 */

/** The encodings of answers and files, in order of preference. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** The ETag of an encoded form: each form has other bytes, so each has its own strong ETag. */
export const encodedETag = (etag: string, encoding: Encoding): string => `${etag.slice(0, -1)}-${encoding}"`;

const encodedSuffix = new RegExp(`-(?:${encodings.join('|')})"$`);

/**
 * The ETag of the plain form, from that of any form. A proxy that compresses by itself makes the ETag of the
 * form weak.
 */
export const plainETag = (etag: string): string => etag.replace(/^W\//, '').replace(encodedSuffix, '"');

/** The ETags of a document in all its forms, the plain one first. */
const formsOf = (etag: string): string[] => [
  etag,
  ...encodings.map((encoding) => encodedETag(etag, encoding)),
];

/**
 * One ETag of a list and the commas before it. Members of the list may be empty; a tag may contain commas.
 */
const member = /[ \t,]*(W\/)?("[!\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/gy;
const afterLast = /^[ \t,]*$/;
const anyTag = /^[ \t]*\*[ \t]*$/;

/**
 * If-None-Match: the ETag of the client's copy, plain or encoded, if the header lists it, weak or strong. The
 * plain one for `*`; undefined if the client's copy is another version, or the header is malformed.
 */
export function knownETag(header: string | null | undefined, etag: string): string | undefined {
  if (!header) return undefined;
  // Fast path: most clients send the one ETag they received.
  if (header === etag || anyTag.test(header)) return etag;
  const tags = listedTags(header).map(([, , tag]) => tag);
  return formsOf(etag).find((form) => tags.includes(form.replace(/^W\//, '')));
}

/**
 * If-Match: whether the header lists the ETag of the document or of an encoded form as a strong one, or is
 * `*`. False for a malformed header.
 */
export function matchesStrongly(header: string, etag: string): boolean {
  const forms = formsOf(etag);
  return (
    anyTag.test(header) ||
    listedTags(header).some(([, weak, tag = '']) => weak === undefined && forms.includes(tag))
  );
}

/** The tags of a header, each as [match, `W/` or undefined, tag]; none if the header is malformed. */
function listedTags(header: string): RegExpExecArray[] {
  const tags = [...header.matchAll(member)];
  const last = tags.at(-1);
  return afterLast.test(header.slice(last ? last.index + last[0].length : 0)) ? tags : [];
}
