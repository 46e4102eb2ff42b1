import { StacError } from '../errors.ts';
import type { NonEmpty } from '../json.ts';
import { MEDIA } from '../media-types.ts';
import type { Column, VectorItem, VectorProperties } from '../types.ts';
import { asset, commonAssets } from './assets.ts';
import { hasClasses } from './classes.ts';
import type { ColumnInput, VectorItemInput } from './inputs.ts';
import { assembleItem } from './item.ts';
import { filledText } from './links.ts';

/**
 * A vector layer's Item: table extension with one entry per column, row count, file and processing extensions, classification
 * where its preview has a legend.
 * The bbox follows from the geometry; `collection` and `parent` links from the one collection. Throws `StacError` naming the field.
 */
export function vectorItem(input: VectorItemInput): VectorItem {
  const { data, geojson } = input.assets;
  const kind = { type: MEDIA.geojson, roles: ['data'] };
  const assets = {
    data: asset('data', data, kind),
    ...(geojson === undefined ? {} : { geojson: asset('geojson', geojson, kind) }),
    ...commonAssets(input.assets),
  };
  return assembleItem(input, {
    extensions: ['table', ...(Object.values(assets).some(hasClasses) ? (['classification'] as const) : [])],
    properties: tableProperties(input),
    assets,
  });
}

/**
 * Columns keyed by the feature's property type: a property without its column does not type-check.
 * `columnsOf<Row>()({ uid: { type: 'object', description: '..' } })`; order is the order of the keys.
 */
export function columnsOf<Row extends object>() {
  return (spec: { readonly [K in keyof Row & string]-?: Omit<ColumnInput, 'name'> }): NonEmpty<ColumnInput> => {
    const [first, ...rest] = Object.entries<Omit<ColumnInput, 'name'>>(spec).map(([name, column]) => ({
      name,
      ...column,
    }));
    if (first === undefined) throw new StacError('columns: a vector layer needs one column or more');
    return [first, ...rest];
  };
}

type TableProperties = Pick<VectorProperties, 'table:columns' | 'table:row_count' | 'table:primary_geometry'>;

function tableProperties({ columns, rowCount, primaryGeometry }: VectorItemInput): TableProperties {
  const [first, ...rest] = columns;
  const names = new Set(columns.map((column) => column.name));
  if (names.size !== columns.length) throw new StacError('columns: a name is given twice; one entry per column');
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
