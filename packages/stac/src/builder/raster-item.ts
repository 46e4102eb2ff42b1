import { copied } from '../json.ts';
import { StacError } from '../errors.ts';
import { MEDIA } from '../media-types.ts';
import type { Asset, Assets, GridProperties, RasterItem, TabularRasterItem } from '../types.ts';
import { asset, commonAssets, type AssetFields } from './assets.ts';
import { classObjects, hasClasses } from './classes.ts';
import { bandObjects } from './bands.ts';
import type { AnyRow } from './columns.ts';
import { checkInput, INPUT_MEMBERS } from './check-input.ts';
import type { AssetInput, RasterContent, RasterGrid, RasterItemInput, TabularRasterItemInput } from './inputs.ts';
import { assembleItem } from './item.ts';
import { tableProperties } from './table.ts';

/**
 * Builds a raster layer's Item. It has the extensions projection, raster, classification (for classes), file and
 * processing, but no table. Its pixels are classes, or values of bands with type, unit and statistics. The bbox is
 * computed from the geometry. The links `collection` and `parent` both lead to the collection of the input. Throws
 * `StacError` naming the field.
 */
export function rasterItem(input: RasterItemInput): RasterItem {
  checkInput(input, INPUT_MEMBERS.raster);
  const assets = rasterAssets(input);
  return assembleItem(input, {
    extensions: ['projection', ...valueExtensions(assets)],
    properties: gridProperties(input.grid),
    assets,
  });
}

/**
 * Builds the Item of a raster with a table of its values (the specification's "unless tabular"). The Item has everything
 * that `rasterItem` writes, and also the table extension with columns and row count, and the asset `table` with the rows.
 * Throws `StacError` naming the field.
 */
export function tabularRasterItem<Row extends object = AnyRow>(input: TabularRasterItemInput<Row>): TabularRasterItem {
  checkInput(input, INPUT_MEMBERS.tabularRaster);
  const { table } = input.assets;
  const { data, ...others } = rasterAssets(input);
  const assets = { data, table: asset('table', table, { type: table.type, roles: ['data'] }), ...others };
  return assembleItem(input, {
    extensions: ['table', 'projection', ...valueExtensions(assets)],
    properties: { ...gridProperties(input.grid), ...tableProperties(input) },
    assets,
  });
}

type AnyRasterInput = RasterItemInput | TabularRasterItemInput;

function rasterAssets({
  content,
  grid,
  assets,
}: Pick<AnyRasterInput, 'content' | 'grid' | 'assets'>): Assets<typeof MEDIA.geotiff> {
  const pixels = pixelFields(content, grid);
  const raster = <const Type extends string>(key: string, given: AssetInput, type: Type): Asset<Type> => ({
    ...asset(key, given, { type, roles: ['data'] }),
    ...copied(pixels),
  });
  const { data, cog } = assets;
  return {
    data: raster('data', data, MEDIA.geotiff),
    ...(cog === undefined ? {} : { cog: raster('cog', cog, MEDIA.cog) }),
    ...commonAssets(assets, (given) => (given.content === undefined ? {} : pixelFields(given.content, grid))),
  };
}

function valueExtensions(assets: Assets): readonly ('raster' | 'classification')[] {
  return Object.values(assets).some(hasClasses) ? ['raster', 'classification'] : ['raster'];
}

function gridProperties({ code, shape, transform, gsd }: RasterGrid): GridProperties {
  if (!/^[A-Za-z][A-Za-z0-9_.-]*:[A-Za-z0-9_.-]+$/.test(code))
    throw new StacError(`grid.code: ${JSON.stringify(code)} is not a CRS code; write e.g. EPSG:4326`);
  if (!shape.every((side) => Number.isInteger(side) && side > 0)) {
    throw new StacError(`grid.shape: [${shape.join(', ')}] must be whole rows and columns above 0`);
  }
  if (!transform.every(Number.isFinite) || transform[0] * transform[4] === transform[1] * transform[3]) {
    throw new StacError(
      `grid.transform: [${transform.join(', ')}] maps pixels to no area; give [pixelWidth, 0, west, 0, -pixelHeight, north]`,
    );
  }
  if (!(gsd > 0 && Number.isFinite(gsd))) throw new StacError(`grid.gsd: ${String(gsd)} must be metres above 0`);
  return { gsd, 'proj:code': code, 'proj:shape': [...shape], 'proj:transform': [...transform] };
}

function pixelFields(content: RasterContent, grid: RasterGrid): AssetFields {
  const raster = { 'raster:sampling': 'area', 'raster:spatial_resolution': grid.gsd } as const;
  if (content.bands !== undefined) return { bands: bandObjects(content.bands), ...raster };
  return {
    data_type: content.dataType,
    ...(content.nodata === undefined ? {} : { nodata: content.nodata }),
    ...raster,
    'classification:classes': classObjects(content.classes),
  };
}
