/** The two formats of files of Wikidata, told apart by their beginning. */
import { UserError } from '../user-error.ts';
import { forEachLine, forEachRow, maxPartBytes } from './cutting.ts';
import { addEntity, type Entity, filmindexProperty, isEntity } from './entities.ts';
import { addText, type FactsById, isEntityId, variables } from './facts.ts';
import { beginning, shownNameOf } from './input.ts';
import { brief } from './report.ts';
import { resourceOf } from './wanted.ts';

/** "results": SPARQL JSON results. "entities": a JSON dump, or one entity a line. */
type WikidataFormat = 'results' | 'entities';

/** Notes a part that is not used. */
export type Skip = (what: string, reason: string) => void;

/**
 * Reads a file, and adds what it says about the wanted ids.
 * @throws UserError if it is of neither format, or results that are cut off
 */
export async function readWikidataFile(
  name: string,
  pieces: AsyncGenerator<Buffer>,
  wanted: ReadonlySet<string>,
  facts: FactsById,
  skip: Skip,
): Promise<WikidataFormat> {
  // trim() removes a byte order mark, too.
  const { start, all } = await beginning(pieces, (own) => own.toString().trim().length >= 100);
  const text = start.toString().trimStart();
  if (text === '') throw new UserError(`${shownNameOf(name)} is empty`);
  if (/^\{\s*"(head|results)"\s*:/.test(text)) {
    await readResults(name, all, wanted, facts, skip);
    return 'results';
  }
  if (!/^[[{]/.test(text)) throw neither(name, text);
  await forEachEntity(name, all, { onEntity: (entity) => addEntity(entity, wanted, facts), skip });
  return 'entities';
}

const neither = (name: string, text: string) =>
  new UserError(
    `${shownNameOf(name)} is neither SPARQL JSON results nor a dump of Wikidata with one entity per line; it begins with ${brief(text.slice(0, 40))}`,
  );

type Row = Readonly<Record<string, { type?: unknown; value?: unknown } | undefined>>;

async function readResults(
  name: string,
  pieces: AsyncGenerator<Buffer>,
  wanted: ReadonlySet<string>,
  facts: FactsById,
  skip: Skip,
): Promise<void> {
  let number = 0;
  const isWhole = await forEachRow(pieces, (text) => {
    number += 1;
    const fault = text === undefined ? tooLarge : addRow(parse(text), wanted, facts);
    if (fault !== undefined) skip(`${shownNameOf(name)} row ${number}`, fault);
  });
  if (!isWhole)
    throw new UserError(
      `${shownNameOf(name)} is cut off after row ${number}: the query ran out of time, or its result was not fetched to the end; ask for fewer ids at once`,
    );
}

const tooLarge = `is larger than ${maxPartBytes / 1024 / 1024} MB`;

/** The value of a JSON text; undefined if it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @returns why the row is not used; undefined if it is, or is about another record */
function addRow(row: unknown, wanted: ReadonlySet<string>, facts: FactsById): string | undefined {
  if (typeof row !== 'object' || row === null) return 'is not JSON';
  const { imdb, item, ...values } = row as Row;
  const id = imdb?.value;
  if (typeof id !== 'string') return 'has no "imdb"';
  const entity = /Q[0-9]+$/.exec(String(item?.value))?.[0];
  if (entity === undefined || !isEntityId(entity)) return 'has no "item"';
  const resource = resourceOf(id);
  const own = resource && wanted.has(id) ? facts.add(id, entity) : undefined;
  for (const variable of own ? variables[resource!] : []) {
    const { type, value } = values[variable] ?? {};
    // An address or a blank node stands for an unknown value.
    if (typeof value === 'string' && type !== 'uri' && type !== 'bnode') addText(own!, variable, value);
  }
  return undefined;
}

interface EntityReader {
  /** Without it, only entities with an id in the film index are wanted. */
  isWanted?: (id: string) => boolean;
  onEntity: (entity: Entity) => void;
  skip: Skip;
}

/** A file that begins with more lines without an entity is refused. */
const maxForeignLines = 100;

/**
 * Reads the wanted entities of a dump. To be fast, the other lines are not parsed.
 * @throws UserError if nothing in the file is an entity
 */
export async function forEachEntity(
  name: string,
  pieces: AsyncIterable<Buffer>,
  { isWanted, onEntity, skip }: EntityReader,
): Promise<void> {
  let entities = 0;
  const foreign: [number, string][] = [];
  const refuse = () => neither(name, foreign[0]![1]);
  await forEachLine(pieces, (line, number) => {
    const bytes = line && withoutBrackets(line);
    if (bytes?.length === 0) return;
    if (bytes && entities > 0 && isPassedOver(bytes, isWanted)) return;
    const parsed = bytes && parse(`[${bytes}]`);
    const found = Array.isArray(parsed) ? parsed.filter(isEntity) : [];
    entities += found.length;
    for (const entity of found) if (isWanted?.(entity.id) ?? true) onEntity(entity);
    if (Array.isArray(parsed) && found.length === parsed.length) return;
    const reason = parsed === undefined ? 'is not JSON' : 'is no entity';
    if (entities > 0) skip(`${shownNameOf(name)} line ${number}`, bytes ? reason : tooLarge);
    else foreign.push([number, bytes?.toString('utf8', 0, 200) ?? '']);
    if (foreign.length > maxForeignLines) throw refuse();
  });
  if (entities === 0 && foreign.length > 0) throw refuse();
  for (const [number] of foreign) skip(`${shownNameOf(name)} line ${number}`, 'is no entity');
}

const property = Buffer.from(`"${filmindexProperty}"`);
const idMember = Buffer.from('"id"');

/** Whether a line looks like an entity that is not wanted. */
function isPassedOver(line: Buffer, isWanted: EntityReader['isWanted']): boolean {
  const isWhole = line[0] === openBrace && line.at(-1) === closeBrace && line.includes(idMember);
  if (!isWhole) return false;
  if (isWanted === undefined) return !line.includes(property);
  // The beginning of an entity in a dump.
  const id = /^\{"type":"\w+","id":"(\w+)"/.exec(line.toString('latin1', 0, 80))?.[1];
  return id !== undefined && !isWanted(id);
}

const [openBrace, closeBrace] = [0x7b, 0x7d];
/** The characters around the entities of an array, and white space. */
const around = new Set([...' \t\r\n,[]\ufeff'].flatMap((character) => [...Buffer.from(character)]));

/** A line without the brackets of the array around the entities, commas, and white space. */
function withoutBrackets(line: Buffer): Buffer {
  let [start, end] = [0, line.length];
  while (start < end && around.has(line[start]!)) start += 1;
  while (start < end && around.has(line[end - 1]!)) end -= 1;
  return line.subarray(start, end);
}
