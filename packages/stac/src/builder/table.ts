import { StacError } from '../errors.ts';
import type { NonEmpty } from '../json.ts';
import type { Column, TableProperties } from '../types.ts';
import type { ColumnInput, Columns, ColumnSpec } from './columns.ts';
import { filledText } from './links.ts';

/**
 * Checks columns against `Row`: `columnsOf<Row>()({ uid: { type: 'object', description: '..' } })`. A missing or wrong
 * column is a compiler error.
 */
export function columnsOf<Row extends object>() {
  return (spec: ColumnSpec<Row>): Columns<Row> => {
    const columns = Object.entries<Omit<ColumnInput, 'name'>>(spec).map(([name, column]) => ({ name, ...column }));
    if (!isNonEmpty<Row>(columns)) throw new StacError('columns: a table needs one column or more');
    return columns;
  };
}

/** Checks only that there is a column, because `ColumnSpec<Row>` already ensures that no column is missing. */
function isNonEmpty<Row extends object>(columns: readonly ColumnInput[]): columns is Columns<Row> {
  return columns.length > 0;
}

interface Table {
  readonly columns: NonEmpty<ColumnInput>;
  readonly rowCount: number;
  readonly primaryGeometry?: string;
}

/** Fields of the table extension. Throws `StacError` with the invalid field. */
export function tableProperties({ columns, rowCount, primaryGeometry }: Table): TableProperties {
  const [first, ...rest] = columns;
  const names = new Set(columns.map((column) => column.name));
  if (names.size !== columns.length) throw new StacError('columns: a name is repeated; keep one entry per column');
  if (!Number.isSafeInteger(rowCount) || rowCount < 0)
    throw new StacError(`rowCount: ${String(rowCount)} must be the number of features`);
  if (primaryGeometry !== undefined && !names.has(primaryGeometry)) {
    throw new StacError(`primaryGeometry: ${JSON.stringify(primaryGeometry)} is not among the columns; list it there`);
  }
  return {
    'table:columns': [column(first), ...rest.map(column)],
    'table:row_count': rowCount,
    ...(primaryGeometry === undefined ? {} : { 'table:primary_geometry': primaryGeometry }),
  };
}

function column({ name, type, description }: ColumnInput): Column {
  return {
    name: filledText(name, 'columns.name'),
    type,
    description: filledText(description, `columns.${name}.description`),
  };
}
