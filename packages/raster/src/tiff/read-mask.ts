import { SubFileType, TiffTag } from '@cogeotiff/core';
import type { TiffImage } from '@cogeotiff/core';
import { badFile } from './bad-file.ts';
import type { TiffLayout, TiffLevel, TiffMask } from './layout.ts';
import type { LevelReader, LevelSample } from './read-level.ts';
import { readSamples } from './read-samples.ts';
import type { Samples } from './read-samples.ts';

/** Parts of a file in which its mask is searched. */
interface MaskSearch {
  readonly href: string;
  readonly reader: LevelReader;
  readonly samples: Samples;
  /** The image at full resolution, then its overviews. */
  readonly images: readonly TiffImage[];
  readonly levels: readonly TiffLevel[];
  /** Every directory after the first. */
  readonly others: readonly TiffImage[];
  readonly nodata: number | null;
}

/**
 * Reads the definition of pixels with data, with GDAL's priority: the internal mask, otherwise the nodata value, otherwise the alpha band. With a
 * mask, the nodata value is an ordinary sample, and levels without a mask of their size are left out.
 * Throws `input_data` for an unreadable mask.
 */
export async function readMask(search: MaskSearch): Promise<Pick<TiffLayout, 'levels' | 'mask' | 'nodata' | 'sparse'>> {
  const { levels, nodata } = search;
  const sparse = nodata ?? 0;
  const masks = await internalMask(search);
  const pairs = levels.flatMap((level) => {
    const own = masks.find(({ cols, rows }) => cols === level.cols && rows === level.rows);
    return own === undefined ? [] : [{ level, own }];
  });
  if (pairs[0] === undefined || pairs[0].level !== levels[0])
    return { levels, mask: await alphaMask(search), nodata, sparse };
  const mask: TiffMask = { kind: 'internal mask', dtype: 'uint8', levels: pairs.map(({ own }) => own) };
  return { levels: pairs.map(({ level }) => level), mask, nodata: null, sparse };
}

/** True for a mask at any resolution. Other bits may be set too, which the library's type does not allow. */
function isMask(image: TiffImage): boolean {
  const kind: number = image.value(TiffTag.SubFileType) ?? 0;
  return (kind & MASK) !== 0;
}
const MASK: number = SubFileType.Mask;

async function internalMask({ href, reader, others }: MaskSearch): Promise<readonly TiffLevel[]> {
  const levels: TiffLevel[] = [];
  for (const image of others) if (isMask(image)) levels.push(await reader.read(image, await maskSample(image, href)));
  return levels;
}

async function maskSample(image: TiffImage, href: string): Promise<LevelSample> {
  const bits = await image.fetch(TiffTag.BitsPerSample);
  const samples = (await image.fetch(TiffTag.SamplesPerPixel)) ?? 1;
  if (samples === 1 && (bits?.[0] ?? 1) === 1)
    return { dtype: 'uint8', count: 1, separate: false, sample: 0, packed: true };
  const { dtype, count, separate, band } = await readSamples(image, href, 1);
  if (dtype === 'uint8' && count === 1) return { dtype, count, separate, sample: band };
  throw badFile(
    href,
    'its internal mask does not have one bit or one byte for each pixel; rewrite it with `gdal_translate -of COG`',
  );
}

/** The alpha band; null if there is a nodata value, which has priority in GDAL too. */
async function alphaMask({ reader, samples, images, levels, nodata }: MaskSearch): Promise<TiffMask | null> {
  const { alpha, band, dtype, separate } = samples;
  if (alpha === null || alpha === band || nodata !== null) return null;
  const own: TiffLevel[] = [];
  for (const [index, image] of images.entries()) {
    const level = levels[index];
    if (level !== undefined && !separate) own.push({ ...level, sample: alpha });
    else own.push(await reader.read(image, { ...samples, sample: alpha }));
  }
  return { kind: 'alpha band', dtype, levels: own };
}
