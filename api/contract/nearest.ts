/** Messages about unknown names. */
import { shortened } from './problems.ts';
import { editDistance } from './word-edits.ts';

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
  const shown = shortened(name);
  const nearest = nearestName(shown, valid);
  const hint = nearest ? `did you mean "${nearest}"?` : `${listIntroduction} ${valid.join(', ')}`;
  return `unknown ${kind} "${shown}"; ${hint}`;
}

/** The valid name that the fewest edits make of a name, without regard to case; undefined if none is near. */
function nearestName(name: string, valid: readonly string[]): string | undefined {
  const lowerCase = name.toLowerCase();
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const own of valid) {
    // Two edits make any short name of another one.
    const max = Math.min(name.length, own.length) < 5 ? 1 : own.length < 9 ? 2 : 3;
    const edits = editDistance(lowerCase, own.toLowerCase(), max);
    if (edits <= max && edits < fewest) [nearest, fewest] = [own, edits];
  }
  return nearest;
}
