import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import type { MapColumn } from '@headwater/core/ports';
import { rampSld, rasterSld, vectorSld, type StyleClass, type VectorStyle } from '@headwater/layer-kit';
import { pointTransform, writeGeoTiff } from '@headwater/raster';
import type { Geometry, Position } from 'geojson';
import { positionsOf, type RasterLayer, type VectorLayer, type WorldFeature } from './map-world.fixture.ts';
import { classAt, DEGREES, STOPS, UTM } from './raster-world.fixture.ts';

const TEXTS = ['plain', "it's", '<b>&"', 'तहसील', 'İstanbul', '100%', 'two\nlines'] as const;

/**
 * Properties of feature number `at`: every type, missing values, and names that are not valid in XML. The column `note`
 * has no value.
 */
const rowOf = (at: number): WorldFeature['properties'] => ({
  uid: `12_${100 + at}`,
  name: at % 5 === 3 ? null : (TEXTS[at % TEXTS.length] ?? null),
  'गाँव का नाम': at % 3 === 1 ? null : `गाँव ${at}`,
  area_in_ha: at % 7 === 2 ? null : 500 + at / 8,
  count: at === 20 ? 5_000_000_000 : at,
  is_wet: at % 5 === 4 ? null : at % 2 === 0,
  '2021-07-01': at % 6 === 0 ? null : at / 4,
  note: null,
});

const COLUMNS: readonly MapColumn[] = [
  { name: 'uid', type: 'string' },
  { name: 'name', type: 'string' },
  { name: 'गाँव का नाम', type: 'string' },
  { name: 'area_in_ha', type: 'number' },
  { name: 'count', type: 'integer' },
  { name: 'is_wet', type: 'boolean' },
  { name: '2021-07-01', type: 'number' },
  { name: 'note', type: 'string' },
];

const ring = ([west = 0, south = 0]: Position, width: number, height = width): Position[] => [
  [west, south],
  [west + width, south],
  [west + width, south + height],
  [west, south + height],
  [west, south],
];

const square = (west: number, south: number, side: number): Position[][] => [
  ring([west, south], side),
  ring([west + side / 4, south + side / 4], side / 4).toReversed(),
];

/** Every third polygon has two parts with holes; the last feature has no geometry. */
const areaAt = (at: number): Geometry | null => {
  const [west, south] = [85 + (at % 5) / 64, 24.5 + Math.floor(at / 5) / 64];
  if (at === 24) return null;
  return at % 3 === 1
    ? { type: 'MultiPolygon', coordinates: [square(west, south, 1 / 256), square(west + 1 / 128, south, 1 / 256)] }
    : { type: 'Polygon', coordinates: square(west, south, 1 / 128) };
};

const many = (count: number, geometryOf: (at: number) => Geometry | null): readonly WorldFeature[] =>
  Array.from({ length: count }, (_, at) => ({ type: 'Feature', geometry: geometryOf(at), properties: rowOf(at) }));

const COLORS = ['#1b9e77', '#d95f02', '#7570b3', '#e7298a'] as const;
const styleOf = (
  geometry: VectorStyle['geometry'],
  attribute = 'count',
  limits: readonly number[] = [],
): VectorStyle => ({
  ...(geometry === undefined ? {} : { geometry }),
  attribute,
  title: 'Count',
  limits: limits.length === 0 ? [0, 5, 10, 15, 6e9] : limits,
  colors: COLORS,
});

/** A vector layer and its style. */
export interface StyledLayer extends VectorLayer {
  readonly style: VectorStyle;
  readonly columns: readonly MapColumn[];
}

const layer = (
  [workspace, name]: readonly [string, string],
  style: VectorStyle,
  features: readonly WorldFeature[],
): StyledLayer => {
  const positions = features.flatMap(({ geometry }) => (geometry === null ? [] : positionsOf(geometry)));
  const [lon, lat] = [positions.map(([x = 0]) => x), positions.map(([, y = 0]) => y)];
  const box = [Math.min(...lon), Math.min(...lat), Math.max(...lon), Math.max(...lat)] as const;
  return {
    workspace,
    name,
    style,
    features,
    sld: vectorSld(name, style),
    columns: COLUMNS,
    box: features.length === 0 ? [85, 24.5, 85.1, 24.6] : box,
  };
};

const AREAS = many(25, areaAt);

/** Vector layers of every geometry, with extreme sizes and with names that are not valid in XML. */
export const VECTORS: readonly StyledLayer[] = [
  layer(
    ['field', 'wells'],
    styleOf('point'),
    many(23, (at) => ({ type: 'Point', coordinates: [85 + (at % 5) / 64, 24.5 + Math.floor(at / 5) / 64] })),
  ),
  layer(
    ['field', 'streams'],
    styleOf('line'),
    many(23, (at) => {
      const [west, south] = [85 + at / 128, 24.5 + at / 256];
      const line = ring([west, south], 1 / 256).slice(0, 4);
      return at % 4 === 1
        ? { type: 'MultiLineString', coordinates: [line, ring([west, south + 1 / 64], 1 / 256).slice(1, 3)] }
        : { type: 'LineString', coordinates: line };
    }),
  ),
  layer(['field', 'areas'], styleOf('polygon'), AREAS),
  layer(['field', 'empty'], styleOf('polygon'), []),
  layer(['field', '2021-07-01'], styleOf('polygon'), AREAS),
  layer(['field', 'जल निकाय'], styleOf('polygon'), AREAS),
  layer(['pond', 'pond'], styleOf('polygon', 'area_in_ha', [0, 500.5, 501, 502, 9e9]), AREAS),
  layer(
    ['field', 'wide'],
    styleOf('polygon'),
    many(20, (at) => ({
      type: 'Polygon',
      coordinates: [
        ring([85 + (at % 5) * 0.140625, 24 + Math.floor(at / 5) * 0.125], 0.140625, 0.125),
        ring([85.03125 + (at % 5) * 0.140625, 24.03125 + Math.floor(at / 5) * 0.125], 0.03125).toReversed(),
      ],
    })),
  ),
];

const WIDE: PixelGrid = { ...DEGREES, cols: 700, rows: 400 };
const CLASSES: readonly StyleClass[] = [
  { value: 1, label: 'water & wetland', color: '#0000ff', alpha: 255 },
  { value: 2, label: 'crop', color: '#00ff00', alpha: 255 },
  { value: 3, label: 'built-up', color: '#ff0000', alpha: 255 },
];
/** Height of a pixel, m; equal in a block of 20 x 20 pixels. */
const heightAt = (col: number, row: number): number =>
  100 + ((Math.floor(col / 20) * 20 + 2 * Math.floor(row / 20) * 20) % 200) + 0.25;

/** A raster layer, its samples and the kind of its style. */
export interface StoredRaster extends RasterLayer {
  readonly grid: PixelGrid;
  readonly bands: readonly (Uint8Array | Int16Array | Float32Array)[];
  readonly nodata: number | undefined;
  /** Kind of the layer's style; `grey` if the layer has no style. */
  readonly paint: 'classes' | 'ramp' | 'grey';
}

interface Pixels extends Pick<StoredRaster, 'grid' | 'paint'> {
  readonly data: StoredRaster['bands'][number];
  readonly nodata?: number;
  readonly palette?: typeof PALETTE;
}

const each = ({ cols, rows }: PixelGrid, value: (col: number, row: number) => number): number[] =>
  Array.from({ length: cols * rows }, (_, i) => value(i % cols, Math.floor(i / cols)));

function boxOf({ crs, west, north, cols, rows, pixelWidth, pixelHeight }: PixelGrid): RasterLayer['box'] {
  const toDegrees = pointTransform(crs, 'EPSG:4326');
  const corners = [0, cols].flatMap((col) =>
    [0, rows].map((row) => toDegrees(west + col * pixelWidth, north - row * pixelHeight)),
  );
  const [lon, lat] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...lon), Math.min(...lat), Math.max(...lon), Math.max(...lat)];
}

const PALETTE = { 1: [0, 0, 255, 255], 2: [0, 255, 0, 255], 3: [255, 0, 0, 255] } as const;

/** Creates raster layers: classes with and without style or nodata, whole and floating-point numbers, a wide area. */
export async function storedRasters(): Promise<readonly StoredRaster[]> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-rasters-'));
  let files = 0;
  const styles = { classes: rasterSld('classes', 'Land', CLASSES), ramp: rampSld('ramp', 'Height', STOPS) };
  const written = async (
    [workspace, name]: readonly [string, string],
    { grid, data, nodata, paint, palette }: Pixels,
  ): Promise<StoredRaster> => {
    const path = join(folder, `${(files += 1)}.tif`);
    const predictor = data instanceof Float32Array ? 3 : 1;
    await writeGeoTiff(path, {
      grid,
      data,
      predictor,
      overviews: 'mode',
      tileSize: 128,
      ...(nodata === undefined ? {} : { nodata }),
      ...(palette === undefined ? {} : { palette }),
    });
    return {
      workspace,
      name,
      grid,
      nodata,
      paint,
      bands: [data],
      tif: readFileSync(path),
      ...(paint === 'grey' ? {} : { sld: styles[paint] }),
      box: boxOf(grid),
    };
  };
  const classes = Uint8Array.from(each(DEGREES, classAt));
  const heights = Float32Array.from(each(UTM, heightAt));
  heights[0] = -9999;
  const depths = Int16Array.from(each(DEGREES, (col, row) => Math.floor(heightAt(col, row))));
  depths.fill(-32_768, 0, 100);
  const slopes = Float32Array.from(each(DEGREES, heightAt));
  slopes.fill(Number.NaN, 0, 100);
  const land: Pixels = { grid: DEGREES, data: classes, nodata: 0, paint: 'classes' };
  try {
    return [
      await written(['lulc', 'classes'], { ...land, palette: PALETTE }),
      await written(['lulc', 'lulc'], { grid: DEGREES, data: classes, paint: 'grey' }),
      await written(['lulc', '2021-07-01'], land),
      await written(['lulc', 'भूमि आवरण'], land),
      await written(['lulc', 'wide'], { ...land, grid: WIDE, data: Uint8Array.from(each(WIDE, classAt)) }),
      await written(['dem', 'heights'], { grid: UTM, data: heights, nodata: -9999, paint: 'ramp' }),
      await written(['dem', 'depths'], { grid: DEGREES, data: depths, nodata: -32_768, paint: 'ramp' }),
      await written(['dem', 'slopes'], { grid: DEGREES, data: slopes, nodata: Number.NaN, paint: 'ramp' }),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
