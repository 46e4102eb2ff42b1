import type { TableCell } from '@headwater/core';
import { Zip, ZipDeflate } from 'fflate';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PARTS_BEFORE, partsAfter, rowText, SHEET_END, SHEET_START, sheetPath } from './workbook-parts.ts';

/** The earliest time that an archive can tell: the same files are the same bytes whenever they are written. */
const EARLIEST = new Date(1980, 0, 1);

/** An archive that is written file after file; its bytes are taken as they come. */
interface ZipPieces {
  /** Begins a file; the one before has ended. */
  begin(path: string): void;
  /** Goes on with the file. */
  write(text: string): void;
  /** Ends the file. */
  end(): void;
  /** Ends the archive. */
  close(): void;
  /** The bytes since they were last taken; none where the compressor has kept all of it. */
  take(): readonly Uint8Array[];
}

/** An archive of deflated files. Nothing is asked of a reader here: whoever writes stops while what was taken waits. */
function createZipPieces(): ZipPieces {
  let pieces: Uint8Array[] = [];
  let file: ZipDeflate | undefined;
  const encoder = new TextEncoder();
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    if (piece.byteLength > 0) pieces.push(piece);
  });
  return {
    begin: (path) => {
      file = new ZipDeflate(path);
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

/** Most characters of a sheet's name (Excel specifications and limits). */
const MOST_CHARACTERS = 31;
/** Characters that no sheet's name may have; nor may it begin or end with an apostrophe. */
const REFUSED = /[[\]:*?/\\]|^'|'$/g;

/** Gives each table of a workbook the name of its sheet: its own where a spreadsheet program takes it, and no two alike. */
function sheetNamer(): (table: string) => string {
  // Excel compares without case, and keeps `History` for itself.
  const used = new Set(['history']);
  return (table) => {
    const name = table.replaceAll(REFUSED, '_').slice(0, MOST_CHARACTERS) || '_';
    let given = name;
    for (let count = 2; used.has(given.toLowerCase()); count += 1) {
      given = `${name.slice(0, MOST_CHARACTERS - 1 - String(count).length)}~${count}`;
    }
    used.add(given.toLowerCase());
    return given;
  };
}

/** A sheet of a workbook: its first row, and those below it in the same order. */
export interface WorkbookSheet {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly TableCell[]>;
}

/** Rows after which others get their turn: a row of a sheet of years has a hundred cells. */
const ROWS_PER_TURN = 50;

/**
 * An .xlsx of these sheets; the same sheets are the same bytes. A text stays a text, also one that begins like a formula; a list is JSON,
 * an unknown value an empty cell. It is written as it is read: the next sheet is asked for when the one before has been taken. The
 * stream ends with the error of whoever tells the sheets.
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

/** The same, whole, of sheets that are ready. */
export async function workbookBytes(sheets: readonly WorkbookSheet[]): Promise<Uint8Array> {
  const each = async function* (): AsyncGenerator<WorkbookSheet> {
    yield* sheets;
  };
  return new Uint8Array(await new Response(workbookStream(each())).arrayBuffer());
}

async function* workbookPieces(sheets: AsyncIterable<WorkbookSheet>): AsyncGenerator<Uint8Array, void> {
  const zip = createZipPieces();
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

/** A sheet's text in pieces of some rows. */
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
