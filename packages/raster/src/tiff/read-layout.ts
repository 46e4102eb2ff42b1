import { SubFileType, Tiff, TiffTag } from '@cogeotiff/core';
import type { Source, TiffImage } from '@cogeotiff/core';
import { isDomainError } from '@headwater/core/errors';
import { badFile, unreadableHeaders } from './bad-file.ts';
import type { ByteSource } from './header-bytes.ts';
import { checkDirectories } from './check-directories.ts';
import { readGrid } from './georeference.ts';
import { HeaderBytes } from './header-bytes.ts';
import type { TiffLayout } from './layout.ts';
import { LevelReader } from './read-level.ts';
import { readMask } from './read-mask.ts';
import { readSamples } from './read-samples.ts';
import { readNodata, readScaling } from './read-tags.ts';
import { checkSideFile } from './side-file.ts';

/**
 * Parses headers, tile tables and georeference; throws `input_data` that names the file, the problem and the remedy. The bytes
 * that are read are limited by the file's size and by `LIMITS`, independent of the claims of the headers.
 */
export async function readLayout(source: ByteSource, band?: number): Promise<TiffLayout> {
  const head = await source.read(0, 4);
  if (!isTiff(head))
    throw badFile(source.href, 'it is not a TIFF (no II/MM signature); it must be a Cloud Optimized GeoTIFF');
  try {
    return await parse(source, band);
  } catch (cause) {
    if (isDomainError(cause)) throw cause;
    throw unreadableHeaders(source, 'they contradict themselves', cause);
  }
}

async function parse(source: ByteSource, band: number | undefined): Promise<TiffLayout> {
  const { href, size } = source;
  const bytes = new HeaderBytes(source);
  await checkDirectories(bytes);
  const tiff = await Tiff.create(asTiffSource(bytes));
  const [first, ...others] = tiff.images;
  if (first === undefined) throw badFile(href, 'it has no image; it must be a GeoTIFF');
  const samples = await readSamples(first, href, band);
  const reader = new LevelReader(source);
  const base = await reader.read(first, { ...samples, sample: samples.band });
  const images = [first, ...others.filter((image) => isOverview(image, base.cols))];
  const levels = [base];
  for (const image of images.slice(1)) levels.push(await reader.read(image, { ...samples, sample: samples.band }));
  const nodata = await readNodata(first, samples.dtype);
  const layout: TiffLayout = {
    href,
    size,
    grid: readGrid(first, href),
    dtype: samples.dtype,
    scaling: await readScaling(first, samples.band, href),
    littleEndian: tiff.isLittleEndian,
    ...(await readMask({ href, reader, samples, images, levels, others, nodata })),
  };
  checkSideFile(source, layout, samples.band);
  return layout;
}

function isOverview(image: TiffImage, cols: number): boolean {
  const kind = image.value(TiffTag.SubFileType) ?? 0;
  const width = image.value(TiffTag.ImageWidth);
  return kind === SubFileType.ReducedImage && width !== null && width < cols;
}

function isTiff(head: Uint8Array): boolean {
  const order = String.fromCharCode(head[0] ?? 0, head[1] ?? 0);
  return head.byteLength >= 4 && (order === 'II' || order === 'MM');
}

function asTiffSource(bytes: HeaderBytes): Source {
  const { href, size } = bytes.source;
  return {
    url: /^[a-z]+:\/\//i.test(href) ? new URL(href) : new URL(`file://${encodeURI(href)}`),
    metadata: size === null ? {} : { size },
    async fetch(offset, length = 16 * 1024) {
      return new Uint8Array(await bytes.read(offset, length)).buffer;
    },
  };
}
