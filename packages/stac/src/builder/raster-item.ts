import { copied } from '../json.ts';
import { StacError } from '../errors.ts';
import { MEDIA, mayHold } from '../media-types.ts';
import type { Asset, Assets, GridProperties, RasterItem, TabularRasterItem, Band, Statistics } from '../types.ts';
import { asset, commonAssets, type AssetFields } from './assets.ts';
import { classObjects, hasClasses } from './classes.ts';
import type { AnyRow } from './columns.ts';
import { checkInput, INPUT_MEMBERS } from './check-input.ts';
import type {
  AssetInput,
  RasterContent,
  RasterGrid,
  RasterItemInput,
  TabularRasterItemInput,
  NumericBandInput,
  StatisticsInput,
} from './inputs.ts';
import { assembleItem } from './item.ts';
import { tableProperties } from './table.ts';
import { filledText } from './links.ts';

/** Builds the Item of a raster without a table. Throws `StacError` with the invalid field. */
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
 * Builds the Item of a raster with a table (extension `table`, asset `table`). Throws `StacError` with the invalid
 * field.
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

/**
 * Bands of a raster. Throws `StacError` for a repeated name, an impossible no-data value or contradictory statistics.
 */
function bandObjects(bands: readonly NumericBandInput[]): Band[] {
  const seen = new Set<string>();
  return bands.map((input) => {
    if (seen.has(input.name)) throw new StacError(`bands: ${JSON.stringify(input.name)} is repeated; keep one`);
    seen.add(input.name);
    return bandObject(input);
  });
}

function bandObject({ name, description, dataType, nodata, unit, statistics }: NumericBandInput): Band {
  const where = `bands[${name}]`;
  if (nodata !== undefined && !mayHold(dataType, nodata))
    throw new StacError(
      `${where}.nodata: ${String(nodata)} is not a value of ${dataType}; give the no-data value of the pixels`,
    );
  return {
    name: filledText(name, 'bands.name'),
    ...(description === undefined ? {} : { description: filledText(description, `${where}.description`) }),
    data_type: dataType,
    ...(nodata === undefined ? {} : { nodata: nodataOf(nodata) }),
    ...(unit === undefined ? {} : { unit: filledText(unit, `${where}.unit`) }),
    ...(statistics === undefined ? {} : { statistics: statisticsOf(statistics, where) }),
  };
}

/** JSON has no numbers for NaN and infinities, so texts are written. */
function nodataOf(nodata: number): NonNullable<Band['nodata']> {
  if (Number.isNaN(nodata)) return 'nan';
  if (Number.isFinite(nodata)) return nodata;
  return nodata > 0 ? 'inf' : '-inf';
}

function statisticsOf(
  { minimum, maximum, mean, stddev, count, validPercent }: StatisticsInput,
  where: string,
): Statistics {
  const optional = Object.entries({ mean, stddev, count, validPercent }).filter(([, value]) => value !== undefined);
  for (const [key, value] of [...Object.entries({ minimum, maximum }), ...optional]) {
    if (!Number.isFinite(value))
      throw new StacError(
        `${where}.statistics.${key}: ${String(value)} is not a finite number; leave statistics out if no pixel has data`,
      );
  }
  if (minimum > maximum)
    throw new StacError(`${where}.statistics: minimum ${minimum} is above maximum ${maximum}; exchange them`);
  return {
    minimum,
    maximum,
    ...(mean === undefined ? {} : { mean }),
    ...(stddev === undefined ? {} : { stddev }),
    ...(count === undefined ? {} : { count }),
    ...(validPercent === undefined ? {} : { valid_percent: validPercent }),
  };
}
