/** Reads the tables the project carries with it: tab-separated, the first line names the columns, no quoting. */
import { readFileSync } from 'node:fs';

export type TableRow = Readonly<Record<string, string>>;

/**
 * The rows of a table, each a value per column; an empty value is ''.
 * @throws Error if a row has another number of cells than the first line: the tables are ours, so that is a mistake of ours
 */
export function readTable(file: URL): TableRow[] {
  const [head, ...lines] = readFileSync(file, 'utf8').replace(/\n$/, '').split('\n');
  const columns = head!.split('\t');
  return lines.map((line, index) => {
    const cells = line.split('\t');
    if (cells.length !== columns.length)
      throw new Error(
        `${file.pathname}, line ${index + 2}: ${cells.length} cells, ${columns.length} columns`,
      );
    return Object.fromEntries(columns.map((column, position) => [column, cells[position]!]));
  });
}
