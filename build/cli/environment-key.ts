/** The key in AWARDS_API_KEY. */

/** Shorter keys can be guessed. */
const minLength = 20;

/** Why the key cannot be used; undefined if it can. */
export function environmentKeyFault(key: string): string | undefined {
  // It must fit into a header.
  if (!/^[\x21-\x7e]+$/.test(key))
    return 'AWARDS_API_KEY must be printable ASCII without spaces, as it is sent in a header';
  return key.length < minLength
    ? `AWARDS_API_KEY has ${key.length} characters; it needs at least ${minLength}`
    : undefined;
}
