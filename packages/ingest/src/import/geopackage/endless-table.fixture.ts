import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Positions in a SQLite header, and values of an interior B-tree page (sqlite.org/fileformat2.html). */
const [PAGE_SIZE_AT, PAGES_AT] = [16, 28] as const;
const [INNER_PAGE, PAGE_HEAD, CELL_BYTES, POINTER_BYTES] = [0x05, 12, 5, 2] as const;
/** Levels of pages between the root page and the rows, and links per page. */
const [LEVELS, WAYS] = [9, 200] as const;

/**
 * Makes a table practically endless. Each level has one valid page, which links 200 times to the page of the next
 * level.
 */
export function makeEndless(path: string, table: string): void {
  const database = new DatabaseSync(path);
  const root = Number(database.prepare('select rootpage from sqlite_schema where name = ?').get(table)?.['rootpage']);
  database.close();
  const file = readFileSync(path);
  const size = file.readUInt16BE(PAGE_SIZE_AT);
  const pages = file.length / size;
  const first = file.subarray((root - 1) * size, root * size);
  const rows = Buffer.from(first);
  innerPage(size, pages + 1).copy(first);
  const added = Array.from({ length: LEVELS }, (_, level) => innerPage(size, pages + level + 2));
  file.writeUInt32BE(pages + LEVELS + 1, PAGES_AT);
  writeFileSync(path, Buffer.concat([file, ...added, rows]));
}

function innerPage(size: number, next: number): Buffer {
  const page = Buffer.alloc(size);
  const content = size - WAYS * CELL_BYTES;
  page.writeUInt8(INNER_PAGE, 0);
  page.writeUInt16BE(WAYS, 3);
  page.writeUInt16BE(content, 5);
  page.writeUInt32BE(next, 8);
  for (let way = 0; way < WAYS; way += 1) {
    const cell = content + way * CELL_BYTES;
    page.writeUInt16BE(cell, PAGE_HEAD + way * POINTER_BYTES);
    page.writeUInt32BE(next, cell);
    page.writeUInt8(1, cell + 4);
  }
  return page;
}
