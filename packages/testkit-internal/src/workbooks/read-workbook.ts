import { strFromU8, unzipSync } from 'fflate';

/** Value of a cell; null if empty. */
export type CellValue = string | number | boolean | null;

/** Rows by sheet name, in the order of the tabs. */
export type WorkbookSheets = ReadonlyMap<string, readonly (readonly CellValue[])[]>;

/** Reads a workbook of this service. Throws for a formula, because the service never writes formulas. */
export function readWorkbook(bytes: ArrayBuffer): WorkbookSheets {
  const files = unzipSync(new Uint8Array(bytes));
  const text = (path: string): string => strFromU8(files[path] ?? new Uint8Array());
  const names = [...text('xl/workbook.xml').matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => plain(name));
  return new Map(names.map((name, at) => [name, rowsOf(text(`xl/worksheets/sheet${at + 1}.xml`))]));
}

function rowsOf(sheet: string): CellValue[][] {
  if (sheet.includes('<f>')) throw new Error('the workbook has a formula');
  return [...sheet.matchAll(/<row r="\d+">(.*?)<\/row>/gs)].map(([, row]) => {
    const cells: CellValue[] = [];
    for (const [, letters, type, body] of (row ?? '').matchAll(/<c r="([A-Z]+)\d+"(?: t="(\w+)")?>(.*?)<\/c>/gs)) {
      const column = [...(letters ?? '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      while (cells.length < column) cells.push(null);
      cells[column] = valueOf(type, body?.replaceAll(/<[^>]*>/g, ''));
    }
    return cells;
  });
}

function valueOf(type: string | undefined, text: string | undefined): CellValue {
  if (type === undefined) return Number(text);
  return type === 'b' ? text === '1' : plain(text);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const plain = (text = ''): string => text.replaceAll(/&(\w+);/g, (_whole, name: string) => ENTITIES[name] ?? '');
