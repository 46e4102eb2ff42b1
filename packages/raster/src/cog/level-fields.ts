import type { Rgba, PixelGrid } from '@headwater/core';
import type { ValueStatistics } from '@headwater/core/ports';
import { escapeXml } from '@headwater/core/xml';
import { sampleBytes } from '../pixels/pixel-array.ts';
import { knownCrs } from '../warp/crs.ts';
import type { CogFormat, PixelType } from './cog-image.ts';
import type { Level } from './levels.ts';
import { type Field, numberField, textField } from './tiff-values.ts';

/** GeoTIFF 1.1 key ids and values (OGC 19-008r4). */
const KEY = {
  modelType: 1024,
  rasterType: 1025,
  geographicCrs: 2048,
  angularUnits: 2054,
  projectedCrs: 3072,
  linearUnits: 3076,
} as const;
const PIXEL_IS_AREA = 1;
const DEGREE = 9102;
const METRE = 9001;

/**
 * Tags of a north-up grid: pixel scale, tie point of the upper left corner, GeoKeys. Throws `input_data` for a CRS that
 * `knownCrs` does not support.
 */
function georeference(grid: PixelGrid): Field[] {
  const { epsg, geographic } = knownCrs(grid.crs);
  const keys: [number, number][] = geographic
    ? [
        [KEY.modelType, 2],
        [KEY.rasterType, PIXEL_IS_AREA],
        [KEY.geographicCrs, epsg],
        [KEY.angularUnits, DEGREE],
      ]
    : [
        [KEY.modelType, 1],
        [KEY.rasterType, PIXEL_IS_AREA],
        [KEY.projectedCrs, epsg],
        [KEY.linearUnits, METRE],
      ];
  const directory = [1, 1, 1, keys.length, ...keys.flatMap(([id, value]) => [id, 0, 1, value])];
  return [
    numberField(33550, 'double', [grid.pixelWidth, grid.pixelHeight, 0]),
    numberField(33922, 'double', [0, 0, 0, grid.west, grid.north, 0]),
    numberField(34735, 'short', directory),
  ];
}

const ADOBE_DEFLATE = 8;
const REDUCED_IMAGE = 1;
/** Values of the tag SampleFormat: 1 unsigned, 2 signed, 3 IEEE float. */
const SAMPLE_FORMAT = {
  uint8: 1,
  int8: 2,
  uint16: 1,
  int16: 2,
  uint32: 1,
  int32: 2,
  float32: 3,
  float64: 3,
} as const satisfies Record<PixelType, number>;
const PHOTOMETRIC = { blackIsZero: 1, palette: 3 } as const;

/** Tags of one level, except the offsets and sizes of tiles. `index`: 0 for the full resolution. */
export function levelFields(
  { format, type }: { format: CogFormat; type: PixelType },
  level: Level,
  index: number,
): Field[] {
  const { palette, nodata, predictor, tileSize } = format;
  const fields = [
    numberField(254, 'long', [index === 0 ? 0 : REDUCED_IMAGE]),
    numberField(256, 'long', [level.cols]),
    numberField(257, 'long', [level.rows]),
    numberField(258, 'short', [sampleBytes(type) * 8]),
    numberField(259, 'short', [ADOBE_DEFLATE]),
    numberField(262, 'short', [palette === undefined ? PHOTOMETRIC.blackIsZero : PHOTOMETRIC.palette]),
    numberField(277, 'short', [1]),
    numberField(284, 'short', [1]),
    numberField(317, 'short', [predictor]),
    numberField(322, 'short', [tileSize]),
    numberField(323, 'short', [tileSize]),
    numberField(339, 'short', [SAMPLE_FORMAT[type]]),
  ];
  if (palette !== undefined) fields.push(numberField(320, 'short', colorMap(palette)));
  if (nodata !== undefined) fields.push(textField(42113, nodataText(nodata)));
  return index === 0 ? [...fields, ...georeference(format.grid), ...metadataFields(format)] : fields;
}

function metadataFields(format: CogFormat): Field[] {
  const xml = format.metadata ?? gdalMetadata(format);
  return xml === undefined ? [] : [textField(42112, xml)];
}

/** Colour table: 256 reds, then 256 greens, then 256 blues of 16 bits each. 255 becomes 65535. */
function colorMap(palette: Readonly<Record<number, Rgba>>): Uint16Array {
  const map = new Uint16Array(3 * 256);
  for (const [value, color] of Object.entries(palette)) {
    for (let channel = 0; channel < 3; channel += 1) map[channel * 256 + Number(value)] = (color[channel] ?? 0) * 257;
  }
  return map;
}

/** Text of a nodata value. GDAL parses it with strtod and requires `nan` in lower case. */
function nodataText(nodata: number): string {
  return Number.isNaN(nodata) ? 'nan' : String(nodata);
}

/** XML with description, `CATEGORY_{value}` and statistics; undefined if it would be empty. */
function gdalMetadata({ description, names, statistics }: CogFormat): string | undefined {
  const items = Object.entries(names ?? {}).map(([value, name]) => item(`CATEGORY_${value}`, name));
  const found = statistics?.();
  if (found !== undefined) items.push(...statisticsItems(found));
  if (description !== undefined) items.push(item('DESCRIPTION', description, ' role="description"'));
  return items.length === 0 ? undefined : `<GDALMetadata>\n${items.join('\n')}\n</GDALMetadata>`;
}

/** Metadata items of the statistics, with the names of `gdalinfo -stats`. */
function statisticsItems({ minimum, maximum, mean, stddev, validPercent }: ValueStatistics): string[] {
  const values = { MINIMUM: minimum, MAXIMUM: maximum, MEAN: mean, STDDEV: stddev, VALID_PERCENT: validPercent };
  return Object.entries(values).map(([name, value]) => item(`STATISTICS_${name}`, String(value)));
}

/** A metadata item. Its text is escaped twice, because GDAL unescapes twice and would cut the text at the first `&`. */
function item(name: string, text: string, role = ''): string {
  return `  <Item name="${escapeXml(oneLine(name))}" sample="0"${role}>${escapeXml(escapeXml(oneLine(text)))}</Item>`;
}

/** Replaces control characters by spaces, because XML forbids control characters. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
