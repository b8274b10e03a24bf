/** A strict reader of CSV, written from the grammar of RFC 4180. */

/** @throws Error if the text does not match the grammar */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const row: string[] = [];
    for (;;) {
      const { field, end } = text[at] === '"' ? quoted(text, at) : plain(text, at);
      row.push(field);
      at = end;
      if (text[at] !== ',') break;
      at += 1;
    }
    if (!text.startsWith('\r\n', at)) throw new Error(`no line break at ${at}: ${text.slice(at, at + 20)}`);
    at += 2;
    rows.push(row);
  }
  return rows;
}

function quoted(text: string, start: number): { field: string; end: number } {
  const [whole] = /"(?:[^"]|"")*"/y.exec(text.slice(start)) ?? [];
  if (whole === undefined) throw new Error(`an open quote at ${start}`);
  return { field: whole.slice(1, -1).replaceAll('""', '"'), end: start + whole.length };
}

function plain(text: string, start: number): { field: string; end: number } {
  const [field] = /[^",\r\n]*/y.exec(text.slice(start))!;
  return { field, end: start + field.length };
}
