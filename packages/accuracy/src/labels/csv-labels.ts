import { shown } from '../legend/parse-legend.ts';
import {
  badLabels,
  checkedLabel,
  checkedPosition,
  checkedYear,
  fault,
  Faults,
  MOST_LABELS,
  type ReferenceLabel,
} from './labels.ts';
import type { LabelProperties } from './geojson-labels.ts';

const LON = ['lon', 'longitude', 'lng', 'long'];
const LAT = ['lat', 'latitude'];

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Parses labels from CSV (RFC 4180): `lon`, `lat`, `label`, optionally `year`. Throws `validation` with the invalid
 * lines.
 */
export function csvLabels(text: string, properties: LabelProperties = {}): readonly ReferenceLabel[] {
  const [heading, ...rows] = rowsOf(text.replace(/^\uFEFF/, ''));
  const columns = columnsOf(heading?.cells ?? [], properties);
  if (rows.length === 0) throw badLabels('it has no line below its heading; it needs at least one label');
  if (rows.length > MOST_LABELS) throw badLabels(`it has more than ${MOST_LABELS} lines; split it`);
  const faults = new Faults();
  const labels = rows.flatMap((row) => faults.at(`line ${row.line}`, () => [labelOf(row, columns)]) ?? []);
  faults.throwIfAny();
  return labels;
}

interface Columns {
  readonly lon: number;
  readonly lat: number;
  readonly label: number;
  /** Index of the column with years; -1 without years. */
  readonly year: number;
  readonly count: number;
  readonly names: { readonly label: string; readonly year: string };
}

function columnsOf(heading: readonly string[], { label = 'label', year = 'year' }: LabelProperties): Columns {
  const names = heading.map((name) => name.trim().toLowerCase());
  const find = (wanted: readonly string[]): number => names.findIndex((name) => wanted.includes(name));
  const need = (wanted: readonly string[]): number => {
    const column = find(wanted.map((name) => name.toLowerCase()));
    if (column >= 0) return column;
    throw badLabels(
      `line 1: the heading has no column ${shown(wanted[0] ?? '')}; it must have lon, lat and ${label}, separated by commas; it is ${shown(heading.join(','))}`,
    );
  };
  return {
    lon: need(LON),
    lat: need(LAT),
    label: need([label]),
    year: find([year.toLowerCase()]),
    count: heading.length,
    names: { label, year },
  };
}

function labelOf({ line, cells }: Row, columns: Columns): ReferenceLabel {
  if (cells.length !== columns.count)
    throw fault(
      `the number of columns is ${cells.length}, but the heading has ${columns.count}; write all columns, and put texts with commas in quotes`,
    );
  const [lon, lat] = checkedPosition(numberOf(cells[columns.lon], 'lon'), numberOf(cells[columns.lat], 'lat'));
  return {
    label: checkedLabel(cells[columns.label], columns.names.label),
    year: checkedYear(cells[columns.year], columns.names.year),
    geometry: { type: 'Point', coordinates: [lon, lat] },
    where: `line ${line}`,
  };
}

function numberOf(cell = '', name: string): number {
  const text = cell.trim();
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  throw fault(`${name} ${shown(text)} is not a number such as 78.5`);
}

function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  let [cells, line]: [string[], number] = [[], 1];
  let begun = 1;
  // A quoted field, or a field up to the next comma or line break, with its separator.
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const [all, quoted, plain = '', end] = field.exec(text) ?? [];
    if (all === undefined)
      throw badLabels(
        `line ${line}: a quotation mark in the middle of a field, or without a second one (remove or close it): ${shown(text.slice(at, at + 30))}`,
      );
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += all.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === ',' && field.lastIndex < text.length) continue;
    if (end === ',') cells.push('');
    if (cells.length > 1 || cells[0]?.trim() !== '') rows.push({ line: begun, cells });
    [cells, begun] = [[], line];
  }
  return rows;
}
