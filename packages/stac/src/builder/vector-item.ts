import { MEDIA } from '../media-types.ts';
import type { VectorItem } from '../types.ts';
import { asset, commonAssets } from './assets.ts';
import { hasClasses } from './classes.ts';
import type { AnyRow } from './columns.ts';
import { checkGiven, NEEDED } from './given.ts';
import type { VectorItemInput } from './inputs.ts';
import { assembleItem } from './item.ts';
import { tableProperties } from './table.ts';

/**
 * A vector layer's Item: table extension with one entry per column, row count, file and processing extensions, classification
 * where its preview has a legend. `vectorItem<Row>` demands the columns of that very row, from `columnsOf<Row>`.
 * The bbox follows from the geometry; `collection` and `parent` links from the one collection. Throws `StacError` naming the field.
 */
export function vectorItem<Row extends object = AnyRow>(input: VectorItemInput<Row>): VectorItem {
  checkGiven(input, NEEDED.vector);
  const { data, geojson, geoparquet } = input.assets;
  const roles = ['data'] as const;
  const kind = { type: MEDIA.geojson, roles } as const;
  const assets = {
    data: asset('data', data, kind),
    ...(geojson === undefined ? {} : { geojson: asset('geojson', geojson, kind) }),
    ...(geoparquet === undefined
      ? {}
      : { geoparquet: asset('geoparquet', geoparquet, { type: MEDIA.parquet, roles }) }),
    ...commonAssets(input.assets, () => ({})),
  };
  return assembleItem(input, {
    extensions: ['table', ...(Object.values(assets).some(hasClasses) ? (['classification'] as const) : [])],
    properties: tableProperties(input),
    assets,
  });
}
