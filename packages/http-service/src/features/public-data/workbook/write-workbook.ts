import type { TableCell } from '@headwater/core';
import { ZIP_MEMORY } from '@headwater/core/values';
import type * as Fflate from 'fflate';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PARTS_BEFORE, partsAfter, rowText, SHEET_END, SHEET_START, sheetPath } from './workbook-parts.ts';

/**
 * Time of all files in the archive: the earliest time that the format can store. With a fixed time, equal files give equal bytes.
 */
const EARLIEST = new Date(1980, 0, 1);

/** A zip archive that is written file by file. The bytes written so far can be taken at any time. */
interface ZipPieces {
  /** Begins a file; the previous file must have ended. */
  begin(path: string): void;
  /** Appends to the file. */
  write(text: string): void;
  /** Ends the file. */
  end(): void;
  /** Ends the archive. */
  close(): void;
  /** Bytes since the last call; empty while the compressor still buffers all bytes. */
  take(): readonly Uint8Array[];
}

/** Creates an archive of deflated files. It has no backpressure: the writer itself must pause until the taken bytes are sent. */
function createZipPieces({ Zip, ZipDeflate }: typeof Fflate): ZipPieces {
  let pieces: Uint8Array[] = [];
  let file: Fflate.ZipDeflate | undefined;
  const encoder = new TextEncoder();
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    if (piece.byteLength > 0) pieces.push(piece);
  });
  return {
    begin: (path) => {
      file = new ZipDeflate(path, { mem: ZIP_MEMORY });
      file.mtime = EARLIEST;
      zip.add(file);
    },
    write: (text) => file?.push(encoder.encode(text)),
    end: () => file?.push(new Uint8Array(), true),
    close: () => zip.end(),
    take: () => {
      const taken = pieces;
      pieces = [];
      return taken;
    },
  };
}

/** Maximum number of characters of a sheet's name (Excel specifications and limits). */
const MOST_CHARACTERS = 31;
/** Characters that spreadsheet programs refuse in a sheet's name, and an apostrophe at its start or end. */
const REFUSED = /[[\]:*?/\\]|^'|'$/g;

/**
 * Creates a function that returns the sheet name of a table: the table's name, changed if it is not unique or if
 * spreadsheet programs refuse it.
 */
function sheetNamer(): (table: string) => string {
  // Excel ignores case when it compares names, and reserves `History`.
  const used = new Set(['history']);
  return (table) => {
    const name = table.replaceAll(REFUSED, '_').slice(0, MOST_CHARACTERS) || '_';
    let unique = name;
    for (let count = 2; used.has(unique.toLowerCase()); count += 1) {
      unique = `${name.slice(0, MOST_CHARACTERS - 1 - String(count).length)}~${count}`;
    }
    used.add(unique.toLowerCase());
    return unique;
  };
}

/** A sheet of a workbook: header row, and rows with cells in the same order. */
export interface WorkbookSheet {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly TableCell[]>;
}

/**
 * Number of rows that are written before a pause for other work. It is small, because a row of a sheet with yearly
 * columns has a hundred cells.
 */
const ROWS_PER_TURN = 50;

/**
 * Streams an .xlsx file of sheets; equal sheets give equal bytes. A text that begins like a formula stays a text. A
 * list is written as JSON, and an unknown value as an empty cell. The next sheet is requested only after the reader
 * has taken the previous sheet. If the source of the sheets throws, the stream ends with this error.
 */
export function workbookStream(sheets: AsyncIterable<WorkbookSheet>): ReadableStream<Uint8Array> {
  const pieces = workbookPieces(sheets);
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Bytes of a whole .xlsx file of these sheets. */
export async function workbookBytes(sheets: readonly WorkbookSheet[]): Promise<Uint8Array> {
  const each = async function* (): AsyncGenerator<WorkbookSheet> {
    yield* sheets;
  };
  return new Uint8Array(await new Response(workbookStream(each())).arrayBuffer());
}

async function* workbookPieces(sheets: AsyncIterable<WorkbookSheet>): AsyncGenerator<Uint8Array, void> {
  // Loaded when the first workbook is written, so that the service starts faster.
  const zip = createZipPieces(await import('fflate'));
  const [nameOf, names]: [(table: string) => string, string[]] = [sheetNamer(), []];
  for (const [path, text] of PARTS_BEFORE) addWhole(zip, path, text);
  for await (const { name, columns, rows } of sheets) {
    names.push(nameOf(name));
    zip.begin(sheetPath(names.length));
    for (const text of sheetTexts(columns, rows)) {
      zip.write(text);
      yield* zip.take();
      await nextTurn();
    }
    zip.end();
    yield* zip.take();
  }
  for (const [path, text] of partsAfter(names)) addWhole(zip, path, text);
  zip.close();
  yield* zip.take();
}

/** Yields the text of a sheet, in pieces of some rows. */
function* sheetTexts(columns: readonly string[], rows: Iterable<readonly TableCell[]>): Generator<string> {
  let [text, number] = [SHEET_START + rowText(1, columns), 1];
  for (const row of rows) {
    number += 1;
    text += rowText(number, row);
    if (number % ROWS_PER_TURN !== 0) continue;
    yield text;
    text = '';
  }
  yield text + SHEET_END;
}

function addWhole(zip: ZipPieces, path: string, text: string): void {
  zip.begin(path);
  zip.write(text);
  zip.end();
}
