import { badFile, type ImportRequest } from '../shared/import-deps.ts';
import { isoOfSerial, type RawCell, type SheetRow, type ShownTime } from './raw-cell.ts';
import { readXml, unescapedText, type XmlReader } from './xml-elements.ts';

/** Maximum number of columns in Excel (up to XFD). */
const MOST_COLUMNS = 16_384;

/** Parts (files) of the workbook to which cells refer. */
export interface CellContext {
  readonly strings: readonly string[];
  readonly dateStyles: readonly (ShownTime | undefined)[];
  readonly calendar: 'from1900' | 'from1904';
}

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  hasFormula: boolean;
  value: string | undefined;
  inline: string;
}

/** Reads the rows in the order of the file. Throws `validation` for a row with more than `MOST_COLUMNS` cells. */
export async function* readSheetRows(
  chunks: AsyncIterable<Uint8Array>,
  context: CellContext,
  request: ImportRequest,
): AsyncGenerator<SheetRow> {
  const found: SheetRow[] = [];
  const pieces = readXml(chunks, rowReader(context, { request, take: (row) => void found.push(row) }), request);
  while ((await pieces.next()).done !== true) yield* found.splice(0);
}

interface RowConsumer {
  readonly request: ImportRequest;
  readonly take: (row: SheetRow) => void;
}

function rowReader(context: CellContext, { request, take }: RowConsumer): XmlReader {
  let [number, column, count] = [0, -1, 0];
  let cells = new Map<number, RawCell>();
  let cell: OpenCell | undefined;
  return {
    open: (name, attributes) => {
      if (name === 'row') {
        number = wholeOf(attributes.get('r')) ?? number + 1;
        [column, count, cells] = [-1, 0, new Map()];
      } else if (name === 'c') {
        column = columnOf(attributes.get('r')) ?? column + 1;
        count += 1;
        // Cells are counted too, because a hostile row may repeat a column.
        if (Math.max(column + 1, count) > MOST_COLUMNS)
          throw badFile(
            request,
            `row ${number} of a sheet has more than ${MOST_COLUMNS} cells; save the workbook again.`,
          );
        const [type, style] = [attributes.get('t') ?? 'n', wholeOf(attributes.get('s')) ?? 0];
        cell = { column, type, style, hasFormula: false, value: undefined, inline: '' };
      } else if (name === 'f' && cell !== undefined) cell.hasFormula = true;
    },
    close: (name, text) => {
      if (name === 'v' && cell !== undefined) cell.value = text;
      else if (name === 't' && cell !== undefined) cell.inline += unescapedText(text);
      else if (name === 'c' && cell !== undefined) {
        const raw = rawCell(cell, context);
        if (raw !== undefined) cells.set(cell.column, raw);
        cell = undefined;
      } else if (name === 'row' && cells.size > 0) take({ number, cells });
    },
  };
}

const LETTERS = /^([A-Z]{1,3})\d+$/;

function columnOf(reference: string | undefined): number | undefined {
  const letters = LETTERS.exec(reference ?? '')?.[1];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function wholeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : undefined;
}

function rawCell({ type, style, hasFormula, value, inline }: OpenCell, context: CellContext): RawCell | undefined {
  if (hasFormula) return { kind: 'formula' };
  if (type === 'inlineStr') return { kind: 'value', value: inline };
  if (value === undefined) return undefined;
  if (type === 's') {
    const text = context.strings[wholeOf(value.trim()) ?? -1];
    return text === undefined
      ? { kind: 'error', text: 'a text that is missing in the workbook' }
      : { kind: 'value', value: text };
  }
  if (type === 'str' || type === 'd') return { kind: 'value', value: unescapedText(value) };
  if (type === 'e') return { kind: 'error', text: value.slice(0, 40) };
  if (type === 'b') return { kind: 'value', value: value.trim() === '1' };
  return numberCell(value.trim(), style, context);
}

function numberCell(text: string, style: number, { dateStyles, calendar }: CellContext): RawCell | undefined {
  if (text === '') return undefined;
  const value = Number(text);
  const shown = dateStyles[style];
  const iso = shown !== undefined && Number.isFinite(value) ? isoOfSerial(value, calendar, shown) : undefined;
  return iso === undefined ? { kind: 'value', value } : { kind: 'date', value, iso };
}
