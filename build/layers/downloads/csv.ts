/**
 * CSV lines (RFC 4180). Null is an empty field, an array its JSON text. Values are not protected against formulas in
 * spreadsheets: programs would read a changed text.
 */

/** Values that need quotes: also a space at either end, because some readers trim it. */
const special = /[",\r\n]|^[ \t]|[ \t]$/;

export function csvLine(values: readonly unknown[]): string {
  return `${values.map(fieldOf).join(',')}\r\n`;
}

function fieldOf(value: unknown): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
