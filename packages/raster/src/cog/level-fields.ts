import type { Rgba } from '@headwater/core';
import { gdalMetadata } from './gdal-metadata.ts';
import { georeference } from './geo-keys.ts';
import type { CogFormat, PixelKind } from './cog-image.ts';
import type { Level } from './levels.ts';
import { numberField, textField } from './tiff-values.ts';
import type { Field } from './tiff-values.ts';

const ADOBE_DEFLATE = 8;
const REDUCED_IMAGE = 1;
const PHOTOMETRIC = { blackIsZero: 1, palette: 3 } as const;

/** Tags of one level (0 = full resolution) but its tile offsets and sizes; nodata and palette stand in every level. */
export function levelFields(
  { format, kind }: { format: CogFormat; kind: PixelKind },
  level: Level,
  index: number,
): Field[] {
  const { palette, nodata, predictor, tileSize } = format;
  const fields = [
    numberField(254, 'long', [index === 0 ? 0 : REDUCED_IMAGE]),
    numberField(256, 'long', [level.cols]),
    numberField(257, 'long', [level.rows]),
    numberField(258, 'short', [kind.bytes * 8]),
    numberField(259, 'short', [ADOBE_DEFLATE]),
    numberField(262, 'short', [palette == null ? PHOTOMETRIC.blackIsZero : PHOTOMETRIC.palette]),
    numberField(277, 'short', [1]),
    numberField(284, 'short', [1]),
    numberField(317, 'short', [predictor]),
    numberField(322, 'short', [tileSize]),
    numberField(323, 'short', [tileSize]),
    numberField(339, 'short', [kind.sampleFormat]),
  ];
  if (palette != null) fields.push(numberField(320, 'short', colorMap(palette)));
  if (nodata != null) fields.push(textField(42113, nodataText(nodata)));
  return index === 0 ? [...fields, ...georeference(format.grid), ...metadataFields(format)] : fields;
}

function metadataFields(format: CogFormat): Field[] {
  const xml = gdalMetadata(format);
  return xml == null ? [] : [textField(42112, xml)];
}

/** 256 reds, then greens, then blues, of 16 bits each: 255 becomes 65535. */
function colorMap(palette: Readonly<Record<number, Rgba>>): Uint16Array {
  const map = new Uint16Array(3 * 256);
  for (const [value, color] of Object.entries(palette)) {
    for (let channel = 0; channel < 3; channel += 1) map[channel * 256 + Number(value)] = (color[channel] ?? 0) * 257;
  }
  return map;
}

/** GDAL parses this with strtod and wants `nan` in lower case. */
function nodataText(nodata: number): string {
  return Number.isNaN(nodata) ? 'nan' : String(nodata);
}
