import { Compression, PlanarConfiguration, SampleFormat, TiffTag } from '@cogeotiff/core';
import type { TiffImage } from '@cogeotiff/core';
import { isDtype } from '../pixels/pixel-array.ts';
import type { Dtype } from '../pixels/pixel-array.ts';
import { badFile } from './bad-file.ts';
import type { CompressionName } from './layout.ts';

/** A map, since a tag may hold a text instead, such as `constructor`. */
const COMPRESSIONS: ReadonlyMap<unknown, CompressionName> = new Map([
  [Compression.None, 'none'],
  [Compression.Lzw, 'lzw'],
  [Compression.DeflateOther, 'deflate'],
  [Compression.Deflate, 'deflate'],
  [Compression.Zstd, 'zstd'],
]);

/** How the tiles are compressed; throws `input_data` for a scheme that cannot be undone here. */
export async function readCompression(image: TiffImage, href: string): Promise<CompressionName> {
  const code = (await image.fetch(TiffTag.Compression)) ?? Compression.None;
  const name = COMPRESSIONS.get(code);
  if (name === undefined) {
    throw badFile(
      href,
      `its compression (TIFF code ${code}) is not supported; rewrite it with \`gdal_translate -of COG -co COMPRESS=DEFLATE\``,
    );
  }
  return name;
}

/** TIFF predictor: 1 none, 2 horizontal, 3 floating point; throws `input_data` for any other. */
export async function readPredictor(image: TiffImage, href: string): Promise<1 | 2 | 3> {
  const code: number = (await image.fetch(TiffTag.Predictor)) ?? 1;
  if (code === 1 || code === 2 || code === 3) return code;
  throw badFile(href, `its predictor ${code} is not supported; rewrite it with \`gdal_translate -of COG\``);
}

/** Sample type of a single-band image; throws `input_data` for bands pixel by pixel and for types that are not read. */
export async function readDtype(image: TiffImage, href: string): Promise<Dtype> {
  const [bitsTag, formatTag, samples, planar] = await Promise.all([
    image.fetch(TiffTag.BitsPerSample),
    image.fetch(TiffTag.SampleFormat),
    image.fetch(TiffTag.SamplesPerPixel),
    image.fetch(TiffTag.PlanarConfiguration),
  ]);
  if ((samples ?? 1) > 1 && planar !== PlanarConfiguration.Separate) {
    throw badFile(
      href,
      `it holds ${samples} bands pixel by pixel; one band per file is needed (\`gdal_translate -b 1\`)`,
    );
  }
  const bits = bitsTag?.[0] ?? 1;
  const format = formatTag?.[0] ?? SampleFormat.Uint;
  const prefix = format === SampleFormat.Float ? 'float' : format === SampleFormat.Int ? 'int' : 'uint';
  const dtype = `${prefix}${bits}`;
  if (!isDtype(dtype))
    throw badFile(
      href,
      `its ${bits} bit ${prefix} samples are not supported; rewrite it with \`gdal_translate -ot UInt16\``,
    );
  return dtype;
}

/** GDAL's nodata value, NaN where it says so; null where there is none or it is not a number. */
export async function readNodata(image: TiffImage): Promise<number | null> {
  const text = await image.fetch(TiffTag.GdalNoData);
  if (typeof text !== 'string') return null;
  const trimmed = text.replace(/\0/g, '').trim();
  if (trimmed.toLowerCase() === 'nan') return Number.NaN;
  const value = Number(trimmed);
  return trimmed === '' || Number.isNaN(value) ? null : value;
}
