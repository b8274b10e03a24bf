/**
 * The two forms of results of Wikidata's query service: SPARQL JSON results, and the array of objects that the download button
 * of its page gives.
 */
import { UserError } from '../../build/system/user-error.ts';
import { addText, type FactsById, isEntityId, variables } from './facts.ts';
import { shownNameOf } from './input.ts';
import { brief } from './report.ts';
import { resourceOf } from './wanted.ts';

/** Notes a part that is not used. */
export type Skip = (what: string, reason: string) => void;

/** A value; in the array only its text. */
type Cell = string | { type?: unknown; value?: unknown; 'xml:lang'?: unknown } | null;
type Row = Readonly<Record<string, Cell | undefined>>;

/**
 * Adds what a file says about the wanted ids.
 * @param text its content
 * @throws UserError if it has no results, or is cut off
 */
export function readResults(
  name: string,
  text: string,
  wanted: ReadonlySet<string>,
  facts: FactsById,
  skip: Skip,
): void {
  const shownName = shownNameOf(name);
  for (const [index, row] of rowsOf(shownName, text.trim()).entries()) {
    const fault = addRow(row, wanted, facts);
    if (fault !== undefined) skip(`${shownName} row ${index + 1}`, fault);
  }
}

function rowsOf(shownName: string, text: string): readonly unknown[] {
  if (text === '') throw new UserError(`${shownName} is empty`);
  const neither = new UserError(
    `${shownName} has no SPARQL JSON results: neither those of the query service nor the array of its download button; it begins with ${brief(text.slice(0, 40))}`,
  );
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    if (!/^(\{\s*"(head|results)"\s*:|\[\s*\{)/.test(text)) throw neither;
    throw new UserError(
      `${shownName} is cut off after row ${wholeRows(text)}: the query ran out of time, or its result was not fetched to the end; ask for fewer ids at once`,
    );
  }
  const rows = Array.isArray(parsed)
    ? parsed
    : (parsed as { results?: { bindings?: unknown } } | null)?.results?.bindings;
  const isArrayOfOthers = Array.isArray(parsed) && parsed.length > 0 && !parsed.some(hasId);
  if (!Array.isArray(rows) || isArrayOfOthers) throw neither;
  return rows;
}

const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null;
const hasId = (row: unknown) => isRow(row) && row.imdb !== undefined;

/** The number of rows that end in a text that is cut off. */
function wholeRows(text: string): number {
  // { "results": { "bindings": [ { row } ] } } or [ { row } ].
  const around = text.startsWith('[') ? 1 : 3;
  let [rows, depth] = [0, 0];
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '\\') at += 1;
    else if (character === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (character === '}' && depth === around) rows += 1;
    }
  }
  return rows;
}

/** @returns why the row is not used; undefined if it is, or is about another record */
function addRow(row: unknown, wanted: ReadonlySet<string>, facts: FactsById): string | undefined {
  if (!isRow(row)) return 'is no row';
  const { imdb, item, ...values } = row;
  const id = textOf(imdb).text;
  if (id === undefined) return 'has no "imdb"';
  const entity = /Q[0-9]+$/.exec(textOf(item).text ?? '')?.[0];
  if (entity === undefined || !isEntityId(entity)) return 'has no "item"';
  const resource = resourceOf(id);
  const own = resource && wanted.has(id) ? facts.add(id, entity) : undefined;
  for (const variable of own ? variables[resource!] : []) {
    const { text, isValue, isNeutral } = textOf(values[variable]);
    if (text !== undefined && isValue) addText(own!, variable, text, isNeutral);
  }
  return undefined;
}

/** Address or blank node: each stands for an unknown value. */
const unknownValue = /^(https?:\/\/|_:)/;

function textOf(cell: Cell | undefined) {
  const { type, value, 'xml:lang': language } = typeof cell === 'string' ? { value: cell } : (cell ?? {});
  return {
    text: typeof value === 'string' ? value : undefined,
    isValue: type !== 'uri' && type !== 'bnode' && !unknownValue.test(String(value)),
    /** "mul" is the language of labels for all languages. */
    isNeutral: language === 'mul',
  };
}
