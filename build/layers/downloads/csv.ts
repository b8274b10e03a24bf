/**
 * Lines of CSV as RFC 4180 has them. Null is an empty field, which no text of the record is; an array is its JSON text. No
 * value is changed to keep a spreadsheet from taking it for a formula: programs would read another text than the record has.
 */

/** What must stand in quotes; and a space at either end, which some readers would take away. */
const special = /[",\r\n]|^[ \t]|[ \t]$/;

export function csvLine(values: readonly unknown[]): string {
  return `${values.map(fieldOf).join(',')}\r\n`;
}

function fieldOf(value: unknown): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
