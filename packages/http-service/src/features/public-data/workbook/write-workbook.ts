import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TableCell } from '@headwater/core';
import { sheetNamer } from './sheet-names.ts';
import { PARTS_BEFORE, partsAfter, rowText, SHEET_END, SHEET_START, sheetPath } from './workbook-parts.ts';
import { createZipPieces, type ZipPieces } from './zip-pieces.ts';

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
