import { MEDIA } from '../media-types.ts';
import type { VectorItem } from '../types.ts';
import { asset, commonAssets } from './assets.ts';
import { hasClasses } from './classes.ts';
import type { AnyRow } from './columns.ts';
import { checkInput, INPUT_MEMBERS } from './check-input.ts';
import type { VectorItemInput } from './inputs.ts';
import { assembleItem } from './item.ts';
import { tableProperties } from './table.ts';

/**
 * Builds the Item of a vector layer. `vectorItem<Row>` requires columns from `columnsOf<Row>`. Throws `StacError` with
 * the invalid field.
 */
export function vectorItem<Row extends object = AnyRow>(input: VectorItemInput<Row>): VectorItem {
  checkInput(input, INPUT_MEMBERS.vector);
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
