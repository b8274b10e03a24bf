/** Comparison of an ETag with the headers If-None-Match and If-Match (RFC 9110 section 13.1). */

/** One ETag of a list and the commas before it. Members of the list may be empty; a tag may contain commas. */
const member = /[ \t,]*(W\/)?("[!\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/gy;
const afterLast = /^[ \t,]*$/;
const anyTag = /^[ \t]*\*[ \t]*$/;

/** If-None-Match: whether the header lists the ETag, weak or strong, or is `*`. False for a malformed header. */
export function matchesWeakly(header: string | null | undefined, etag: string): boolean {
  if (!header) return false;
  // Fast path: most clients send the one ETag they received.
  if (header === etag) return true;
  const opaque = etag.startsWith('W/') ? etag.slice(2) : etag;
  return anyTag.test(header) || listedTags(header).some(([, , tag]) => tag === opaque);
}

/** If-Match: whether the header lists the ETag as a strong one, or is `*`. False for a malformed header. */
export function matchesStrongly(header: string, etag: string): boolean {
  return (
    anyTag.test(header) || listedTags(header).some(([, weak, tag]) => weak === undefined && tag === etag)
  );
}

/** The tags of a header, each as [match, `W/` or undefined, tag]; none if the header is malformed. */
function listedTags(header: string): RegExpExecArray[] {
  const tags = [...header.matchAll(member)];
  const last = tags.at(-1);
  return afterLast.test(header.slice(last ? last.index + last[0].length : 0)) ? tags : [];
}

/** The ETags of the page of a record. */
export interface PageETags {
  plain: string;
  /** With `include=details`; undefined for what has no details. */
  withDetails: string | undefined;
}
