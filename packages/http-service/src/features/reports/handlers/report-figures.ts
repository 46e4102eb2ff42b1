import type { TableColumn, TableRow } from '@headwater/core';
import type { UidSeries } from '@headwater/core/ports';
import type { ShownSource } from '../page/sections.ts';

/** A sheet's figures of what a report is of. */
export interface SheetFigures {
  readonly columns: readonly TableColumn[];
  /** What its rows tell together. */
  readonly row: TableRow;
  /** All of them; none where the report is of many micro-watersheds. */
  readonly rows: readonly TableRow[];
  readonly source: ShownSource;
}

/** Everything that sections are made of. */
export interface ReportFigures {
  readonly sheets: ReadonlyMap<string, SheetFigures>;
  readonly series: readonly (UidSeries & { readonly source: ShownSource })[];
  readonly bodies: { readonly rows: readonly TableRow[]; readonly source: ShownSource } | undefined;
}
