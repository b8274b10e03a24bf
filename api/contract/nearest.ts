/** Messages about unknown names. */
import { closest, distance } from 'fastest-levenshtein';

/** Longer unknown names are cut before they are compared and shown. */
const maxShownLength = 60;

/**
 * The message about an unknown name. It suggests the nearest valid name, or lists all valid names if none is near.
 * @param kind such as `parameter`
 * @param listIntroduction text before the list, such as `this address takes`
 */
export function unknownName(
  kind: string,
  name: string,
  valid: readonly string[],
  listIntroduction: string,
): string {
  const shown = name.length > maxShownLength ? `${name.slice(0, maxShownLength)}…` : name;
  const nearest = closest(shown, valid);
  const hint =
    distance(shown.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, Math.floor(nearest.length / 3))
      ? `did you mean "${nearest}"?`
      : `${listIntroduction} ${valid.join(', ')}`;
  return `unknown ${kind} "${shown}"; ${hint}`;
}
