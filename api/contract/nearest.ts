/** What a request is told that uses a name nobody knows: the nearest one, or all there are. */
import { closest, distance } from 'fastest-levenshtein';

/** Characters of an unknown name that are repeated and compared. */
const maxShownMs = 60;

/**
 * The message about an unknown name.
 * @param kind what the name should have been the name of, such as `parameter`
 * @param valid the names there are
 * @param otherwise what introduces all of them, where none is near
 */
export function unknownName(kind: string, name: string, valid: readonly string[], otherwise: string): string {
  const shown = name.length > maxShownMs ? `${name.slice(0, maxShownMs)}…` : name;
  const nearest = closest(shown, valid);
  const hint =
    distance(shown.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, Math.floor(nearest.length / 3))
      ? `did you mean "${nearest}"?`
      : `${otherwise} ${valid.join(', ')}`;
  return `unknown ${kind} "${shown}"; ${hint}`;
}
