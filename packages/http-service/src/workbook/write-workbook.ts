import { EventEmitter, on } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isObject, type TableCell } from '@headwater/core';
import { sheetNamer } from './sheet-names.ts';

/** A sheet of a workbook: its first row, and those below it in the same order. */
export interface WorkbookSheet {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly TableCell[]>;
}

/** Most characters that a spreadsheet program takes in one cell (Excel specifications and limits). */
const MOST_CHARACTERS = 32_767;
/** Rows after which others get their turn: a row of a sheet of years has a hundred cells. */
const ROWS_PER_TURN = 50;
/** No characters of XML 1.0; exceljs leaves out the control characters, and not these. */
const NO_XML = /[\ufffe\uffff]/g;

/**
 * An .xlsx of these sheets. A text stays a text, also one that begins like a formula; a list is JSON, an unknown value an empty cell.
 * The next sheet is asked for when the one before has been taken by the reader, so that one sheet at most is held.
 * The stream ends with the error of whoever tells the sheets.
 */
export function workbookStream(sheets: AsyncIterable<WorkbookSheet>): ReadableStream<Uint8Array> {
  const out = new PassThrough();
  const gone = new AbortController();
  out.once('close', () => gone.abort());
  write(sheets, out, gone.signal).catch((error: unknown) => {
    out.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  return webStream(out, gone);
}

/** The same, whole, of sheets that are ready. */
export async function workbookBytes(sheets: readonly WorkbookSheet[]): Promise<Uint8Array> {
  const each = async function* (): AsyncGenerator<WorkbookSheet> {
    yield* sheets;
  };
  return new Uint8Array(await new Response(workbookStream(each())).arrayBuffer());
}

/** Not `Readable.toWeb`: its types are another module's, and it would read ahead of the reader. */
function webStream(out: PassThrough, gone: AbortController): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = out[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => {
        gone.abort();
        out.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

async function write(sheets: AsyncIterable<WorkbookSheet>, out: PassThrough, signal: AbortSignal): Promise<void> {
  // When it is needed: it has a hundred modules, which a start would wait for.
  const { default: exceljs } = await import('exceljs');
  const book = new exceljs.stream.xlsx.WorkbookWriter({ stream: out, useSharedStrings: false, useStyles: false });
  const archive = archiveOf(book);
  archive.on('error', (error: Error) => out.destroy(error));
  const nameOf = sheetNamer();
  let count = 0;
  for await (const { name, columns, rows } of sheets) {
    count += 1;
    const taken = entryTaken(archive, `xl/worksheets/sheet${count}.xml`, signal);
    // It is looked at below; until then the reader may go.
    taken.catch(() => undefined);
    const sheet = book.addWorksheet(nameOf(name), { views: [{ state: 'frozen', ySplit: 1 }] });
    sheet.addRow(columns.map(cellValue)).commit();
    let sinceTurn = 0;
    for (const row of rows) {
      sheet.addRow(row.map(cellValue)).commit();
      sinceTurn = (sinceTurn + 1) % ROWS_PER_TURN;
      if (sinceTurn === 0) await nextTurn(undefined, { signal });
    }
    sheet.commit();
    await taken;
  }
  await book.commit();
}

/** The archive that a workbook is written as, which alone tells what its reader has taken: exceljs buffers whatever it is given. */
function archiveOf(book: object): EventEmitter {
  const archive: unknown = Reflect.get(book, 'zip');
  if (archive instanceof EventEmitter) return archive;
  throw new Error('exceljs: its workbooks have no archive; look how this version of it tells what was written');
}

/** Settles when this entry is in the archive. */
async function entryTaken(archive: EventEmitter, name: string, signal: AbortSignal): Promise<void> {
  for await (const [entry] of on(archive, 'entry', { signal })) {
    if (isObject(entry) && entry['name'] === name) return;
  }
}

function cellValue(cell: TableCell): string | number | boolean | null {
  if (typeof cell === 'string') return cellText(cell);
  return typeof cell === 'object' && cell !== null ? cellText(JSON.stringify(cell)) : cell;
}

/** What XML cannot hold, and what no program opens, is left out; the tables as JSON have the whole text. */
function cellText(text: string): string {
  return text.slice(0, MOST_CHARACTERS).toWellFormed().replaceAll(NO_XML, '');
}
