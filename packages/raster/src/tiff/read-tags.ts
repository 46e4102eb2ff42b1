import { Compression, TiffTag } from '@cogeotiff/core';
import type { TiffImage } from '@cogeotiff/core';
import { messageOf } from '@headwater/core/errors';
import { heldNodata } from '../pixels/nodata.ts';
import type { Dtype } from '../pixels/pixel-array.ts';
import { badFile } from './bad-file.ts';
import type { CompressionName, Scaling } from './layout.ts';
import { loadLerc } from './lerc.ts';

/**
 * Supported compressions by the value of their tag. This is a Map, because a hostile tag may be a text such as
 * `constructor`.
 */
const COMPRESSIONS: ReadonlyMap<unknown, CompressionName> = new Map([
  [Compression.None, 'none'],
  [Compression.Lzw, 'lzw'],
  [Compression.DeflateOther, 'deflate'],
  [Compression.Deflate, 'deflate'],
  [Compression.PackBits, 'packbits'],
  [Compression.Zstd, 'zstd'],
]);

const INSIDE_LERC: readonly CompressionName[] = ['none', 'deflate', 'zstd'];

/**
 * Reads the compression of the tiles; for LERC, also loads the decoder. Throws `input_data` for an unsupported scheme
 * or a missing decoder.
 */
export async function readCompression(
  image: TiffImage,
  href: string,
): Promise<{ compression: CompressionName; lerc: boolean }> {
  const code: unknown = (await image.fetch(TiffTag.Compression)) ?? Compression.None;
  if (code === Compression.Lerc) return { compression: await insideLerc(image, href), lerc: true };
  const name = COMPRESSIONS.get(code);
  if (name === undefined) {
    throw badFile(
      href,
      `its compression (TIFF code ${String(code)}) is not supported; rewrite it with \`gdal_translate -of COG -co COMPRESS=DEFLATE\``,
    );
  }
  return { compression: name, lerc: false };
}

async function insideLerc(image: TiffImage, href: string): Promise<CompressionName> {
  try {
    await loadLerc();
  } catch (cause) {
    throw badFile(href, messageOf(cause), cause);
  }
  // The second parameter is the compression of the blobs. Without parameters, blobs are not compressed.
  const code = (await image.fetch(TiffTag.LercParameters))?.[1] ?? 0;
  const name = INSIDE_LERC[code];
  if (name !== undefined) return name;
  throw badFile(
    href,
    `its LERC has the additional compression ${code}, which is not supported; rewrite it with \`gdal_translate -of COG\``,
  );
}

/** Reads the TIFF predictor: 1 none, 2 horizontal, 3 floating point. Throws `input_data` for any other predictor. */
export async function readPredictor(image: TiffImage, href: string): Promise<1 | 2 | 3> {
  const code: number = (await image.fetch(TiffTag.Predictor)) ?? 1;
  if (code === 1 || code === 2 || code === 3) return code;
  throw badFile(href, `its predictor ${code} is not supported; rewrite it with \`gdal_translate -of COG\``);
}

/**
 * Reads GDAL's nodata value, which may be NaN. Null if there is none, or if no sample of an integer type can have it.
 */
export async function readNodata(image: TiffImage, type: Dtype): Promise<number | null> {
  const text = await image.fetch(TiffTag.GdalNoData);
  return typeof text === 'string' ? parseNodata(text, type) : null;
}

/** Parses the text of GDAL's nodata value. */
export function parseNodata(text: string, type: Dtype): number | null {
  const trimmed = text.replace(/\0/g, '').trim();
  if (trimmed.toLowerCase() === 'nan') return heldNodata(Number.NaN, type);
  // GDAL writes `inf`, but `Number` accepts only `Infinity`.
  const value = Number(trimmed.replace(/^([+-]?)inf(inity)?$/i, '$1Infinity'));
  return trimmed === '' || Number.isNaN(value) ? null : heldNodata(value, type);
}

/**
 * Reads GDAL's scale and offset of a band (from 0); null if the samples are the values. Throws `input_data` for a scale
 * of 0, and for a text that is not a number.
 */
export async function readScaling(image: TiffImage, band: number, href: string): Promise<Scaling | null> {
  const text = await image.fetch(TiffTag.GdalMetadata);
  if (typeof text !== 'string') return null;
  const items = new Map<string, string>();
  for (const [, attributes = '', value = ''] of text.matchAll(/<Item\b([^<>]*)>([^<>]*)<\/Item>/g))
    if (attributeOf(attributes, 'sample') === String(band))
      items.set(attributeOf(attributes, 'role') ?? '', value.trim());
  const [scale, offset] = [Number(items.get('scale') || 1), Number(items.get('offset') || 0)];
  if (!(Number.isFinite(scale) && Number.isFinite(offset) && scale !== 0))
    throw badFile(
      href,
      `its scale (${items.get('scale')}) and offset (${items.get('offset')}) are invalid; correct them with \`gdal_edit.py -scale S -offset O\``,
    );
  return scale === 1 && offset === 0 ? null : { scale, offset };
}

/** Value of an attribute in the text of an opening tag. */
export function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1];
}
