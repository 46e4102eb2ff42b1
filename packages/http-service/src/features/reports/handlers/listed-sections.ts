import type { TableCell, TableRow, TableColumn } from '@headwater/core';
import type { UidSeries } from '@headwater/core/ports';
import { WATER_BODIES_SHEET } from '../../public-data/schemas/kyl-record.ts';
import type { RowsSection, ShownSource } from '../page/sections.ts';
import { LISTED_SHEETS, type ListedSheet, HEADER_COLUMNS, UNSHOWN_SHEETS, VILLAGES } from '../schemas/listed-sheets.ts';

/** Figures of a sheet about the micro-watershed or tehsil of a report. */
export interface SheetFigures {
  readonly columns: readonly TableColumn[];
  /** The combined row (`rowOfAll`), or a tehsil's totals. */
  readonly row: TableRow;
  /** Rows of the micro-watershed or tehsil. In reports of a tehsil, empty for sheets whose rows are not listed. */
  readonly rows: readonly TableRow[];
  readonly source: ShownSource;
}

/** All data for the sections of a report. */
export interface ReportFigures {
  readonly sheets: ReadonlyMap<string, SheetFigures>;
  readonly series: readonly (UidSeries & { readonly source: ShownSource })[];
  readonly bodies: { readonly rows: readonly TableRow[]; readonly source: ShownSource } | undefined;
}

type Figures = ReadonlyMap<string, SheetFigures>;

const MOST_ROWS = 50;

/** Sections with lists, and a section for each sheet that has no section elsewhere. */
export function listedSections(
  sheets: Figures,
  sheetsWithSection: readonly string[],
): readonly (RowsSection | undefined)[] {
  const known = new Set([
    ...sheetsWithSection,
    ...UNSHOWN_SHEETS,
    ...LISTED_SHEETS.map(({ sheet }) => sheet),
    VILLAGES.sheet,
    WATER_BODIES_SHEET,
  ]);
  const others = [...sheets].filter(([sheet]) => !known.has(sheet));
  return [
    ...LISTED_SHEETS.map((sheet) => listedSection(sheet, sheets.get(sheet.sheet))),
    villagesSection(sheets.get(VILLAGES.sheet)),
    ...others.map(([sheet, figures]) => otherSection(sheet, figures)),
  ];
}

/** Value of a cell as shown. A list becomes one line, and a long text is cut. */
function shownCell(cell: TableCell | undefined): string | number | null {
  if (cell === undefined || cell === null || typeof cell === 'number') return cell ?? null;
  const text = typeof cell === 'object' ? cell.map(String).join(', ') : String(cell);
  return text.length > 500 ? `${text.slice(0, 500).toWellFormed()} ...` : text;
}

const isKnown = (cell: string | number | null): boolean => cell !== null && cell !== '';

function listedSection({ title, columns }: ListedSheet, figures: SheetFigures | undefined): RowsSection | undefined {
  const rows = (figures?.rows ?? [])
    .map((row) => Object.keys(columns).map((column) => shownCell(row[column])))
    .filter((cells) => cells.some(isKnown));
  return rowsSection({ title, heads: Object.values(columns) }, rows, figures);
}

function villagesSection(figures: SheetFigures | undefined): RowsSection | undefined {
  const ids = figures?.row[VILLAGES.column];
  const rows = typeof ids === 'object' && ids !== null ? ids.map((id) => [String(id)]) : [];
  return rowsSection({ title: 'villages', heads: ['villageId'] }, rows, figures);
}

function otherSection(sheet: string, figures: SheetFigures): RowsSection | undefined {
  const rows = figures.rows.flatMap((row) => cellsByName(row, figures)).filter(([, cell]) => isKnown(cell));
  return rowsSection({ title: 'otherFigures', titleParts: { sheet }, heads: ['measure', 'value'] }, rows, figures);
}

const cellsByName = (row: TableRow, { columns }: SheetFigures): readonly [string, string | number | null][] =>
  columns.flatMap(({ name }): [string, string | number | null][] =>
    HEADER_COLUMNS.has(name.trim().toLowerCase()) ? [] : [[name.replaceAll('_', ' '), shownCell(row[name])]],
  );

function rowsSection(
  head: Pick<RowsSection, 'title' | 'titleParts' | 'heads'>,
  rows: RowsSection['rows'],
  figures: SheetFigures | undefined,
): RowsSection | undefined {
  if (figures === undefined || rows.length === 0) return undefined;
  const more = Math.max(0, rows.length - MOST_ROWS);
  return { kind: 'rows', ...head, rows: rows.slice(0, MOST_ROWS), more, sources: [figures.source] };
}
