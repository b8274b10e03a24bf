/** Members of JSON objects, added and selected without parsing more than needed. */

/** A JSON object with one more member at its end. @param value as JSON */
export const withMember = (object: string, name: string, value: string): string =>
  `${opened(object)}"${name}":${value}}`;

/** A JSON object without its last brace, ready for another member. */
export const opened = (object: string): string => (object === '{}' ? '{' : `${object.slice(0, -1)},`);

/** Some members of an object, in its order. */
export const selected = (
  object: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => fields.includes(name)));

/** Some members of a JSON object, in its order; the whole object without `fields`. */
export const selectedText = (object: string, fields: readonly string[] | undefined): string =>
  fields === undefined
    ? object
    : JSON.stringify(selected(JSON.parse(object) as Record<string, unknown>, fields));
