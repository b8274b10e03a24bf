/** Conditional requests: whether the entity tags of an If-None-Match or If-Match header name a document (RFC 9110 section 13.1). */

/** One entity tag of a list, with the commas before it: members may be empty, and a comma may stand within a tag. */
const member = /[ \t,]*(W\/)?("[!\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/gy;
const afterLast = /^[ \t,]*$/;
const anything = /^[ \t]*\*[ \t]*$/;

/**
 * If-None-Match: whether any tag listed is this one, weak or strong alike, or the header is `*`. A header that is no list
 * of tags names none.
 */
export function matchesWeakly(header: string | null | undefined, etag: string): boolean {
  if (!header) return false;
  // What nearly every client sends back: the one tag it was given.
  if (header === etag) return true;
  const opaque = etag.startsWith('W/') ? etag.slice(2) : etag;
  return anything.test(header) || listed(header).some(([, , tag]) => tag === opaque);
}

/** If-Match: whether a strong tag listed is this one, or the header is `*`. A header that is no list of tags names none. */
export function matchesStrongly(header: string, etag: string): boolean {
  return anything.test(header) || listed(header).some(([, weak, tag]) => weak === undefined && tag === etag);
}

/** The tags of a header, each as [all, `W/` or undefined, tag]; none if any of it is malformed. */
function listed(header: string): RegExpExecArray[] {
  const tags = [...header.matchAll(member)];
  const last = tags.at(-1);
  return afterLast.test(header.slice(last ? last.index + last[0].length : 0)) ? tags : [];
}
