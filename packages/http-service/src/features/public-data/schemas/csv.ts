import type { TableCell } from '@headwater/core';

/** First characters of a spreadsheet formula (OWASP, "CSV Injection"). */
const FORMULA = /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;
const TO_QUOTE = /[",\r\n]|^\s|\s$/;

/** Writes a table as CSV (RFC 4180). Lists become JSON. A leading apostrophe keeps a text from running as a formula. */
export function csvText(names: readonly string[], rows: Iterable<readonly TableCell[]>): string {
  const lines = [csvLine(names)];
  for (const row of rows) lines.push(csvLine(row));
  return lines.join('');
}

function csvLine(cells: readonly TableCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: TableCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return TO_QUOTE.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
