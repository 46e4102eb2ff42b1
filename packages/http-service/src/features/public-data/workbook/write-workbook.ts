import type { TableCell } from '@headwater/core';
import { ZIP_MEMORY } from '@headwater/core/values';
import type * as Fflate from 'fflate';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PARTS_BEFORE, partsAfter, rowText, SHEET_END, SHEET_START, sheetPath } from './workbook-parts.ts';

/**
 * Time of each file in the archive, the earliest that the format has. A fixed time makes archives of equal sheets
 * equal.
 */
const EARLIEST = new Date(1980, 0, 1);

interface ZipPieces {
  begin(path: string): void;
  write(text: string): void;
  end(): void;
  close(): void;
  take(): readonly Uint8Array[];
}

/**
 * Creates an archive whose bytes are taken piece by piece. It has no backpressure, so the writer must pause until the
 * taken bytes are sent.
 */
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

const MOST_CHARACTERS = 31;
const REFUSED = /[[\]:*?/\\]|^'|'$/g;

function sheetNamer(): (table: string) => string {
  // The names are in lower case, because Excel ignores case. Excel reserves `History`.
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

/** A sheet of a workbook. The cells have the order of the header row. */
export interface WorkbookSheet {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly TableCell[]>;
}

/** Number of rows before a pause. A row with yearly columns has a hundred cells. */
const ROWS_PER_TURN = 50;

/**
 * Streams an .xlsx file; equal sheets give equal bytes. Requests each sheet only after the rows of the previous sheet
 * are written.
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
  // `fflate` is loaded on first use, so that the service starts faster.
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
