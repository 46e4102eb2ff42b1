import { SubFileType, Tiff, TiffTag, type Source, type TiffImage } from '@cogeotiff/core';
import { isDomainError } from '@headwater/core/errors';
import { badFile, unreadableHeaders } from './bad-file.ts';
import { type ByteSource, HeaderBytes, LIMITS } from './header-bytes.ts';
import { readGrid } from './georeference.ts';
import type { TiffLayout, TiffLevel, TiffMask } from './layout.ts';
import { LevelReader, type LevelSample } from './read-level.ts';
import { readSamples, type Samples } from './read-samples.ts';
import { readNodata, readScaling } from './read-tags.ts';
import { checkSideFile } from './side-file.ts';

/**
 * Parses headers, tile tables and georeference. Throws `input_data` with file, problem and remedy. Reads no more than
 * `LIMITS` allows, because headers may be hostile.
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

/** Tags of a file: colour table, GDAL's metadata, and number of samples. */
export interface FileTags {
  /**
   * Colour table: 256 reds, 256 greens, then 256 blues of 16 bits. Null if there is none, or if the samples are not
   * uint8.
   */
  readonly colors: Uint16Array | null;
  /** GDAL's metadata as XML, or null. */
  readonly metadata: string | null;
  readonly samples: number;
}

/** Reads the tags of a file that `readLayout` accepts. */
export async function readTags(source: ByteSource): Promise<FileTags> {
  const { first } = await imagesOf(source);
  const [colors, metadata, samples]: readonly unknown[] = await Promise.all([
    first.fetch(TiffTag.ColorMap),
    first.fetch(TiffTag.GdalMetadata),
    first.fetch(TiffTag.SamplesPerPixel),
  ]);
  const isTable = (Array.isArray(colors) || ArrayBuffer.isView(colors)) && 'length' in colors && colors.length === 768;
  return {
    colors: isTable ? Uint16Array.from(colors as ArrayLike<number>, Number) : null,
    metadata: typeof metadata === 'string' ? metadata.replaceAll('\0', '') : null,
    samples: typeof samples === 'number' ? samples : 1,
  };
}

async function imagesOf(source: ByteSource): Promise<{ tiff: Tiff; first: TiffImage; others: readonly TiffImage[] }> {
  const bytes = new HeaderBytes(source);
  await checkDirectories(bytes);
  const tiff = await Tiff.create(asTiffSource(bytes));
  const [first, ...others] = tiff.images;
  if (first === undefined) throw badFile(source.href, 'it has no image; it must be a GeoTIFF');
  return { tiff, first, others };
}

async function parse(source: ByteSource, band: number | undefined): Promise<TiffLayout> {
  const { href, size, version } = source;
  const { tiff, first, others } = await imagesOf(source);
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
    ...(version && { version }),
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

/** Sizes in bytes of the file header, the number of entries, an entry, and the offset of the next directory. */
const CLASSIC = { head: 8, count: 2, entry: 12, next: 4 } as const;
const BIG = { head: 16, count: 8, entry: 20, next: 8 } as const;

/**
 * Type of 16-bit numbers. GeoKeys of another type are refused, because with a large float a loop of the TIFF library
 * would not end.
 */
const SHORT = 3;
const GEO_KEYS: number = TiffTag.GeoKeyDirectory;

/**
 * Checks the chain of directories, because the TIFF library does not. Throws `input_data` for too many directories,
 * or a chain that does not end.
 */
async function checkDirectories(bytes: HeaderBytes): Promise<void> {
  const chain = await chainOf(bytes);
  const seen = new Set<number>();
  for (let at = await chain.first(); at !== 0; at = await chain.after(at)) {
    if (seen.has(at)) throw unreadableHeaders(bytes.source, `the chain of directories returns to byte ${at}`);
    if (seen.size === LIMITS.directories)
      throw unreadableHeaders(bytes.source, `they have more than ${LIMITS.directories} directories`);
    seen.add(at);
  }
}

/** Functions for the offsets of the first and the next directory; 0 means none. */
interface Chain {
  first(): Promise<number>;
  after(directory: number): Promise<number>;
}

async function chainOf(bytes: HeaderBytes): Promise<Chain> {
  const head = await bytes.read(0, 4);
  const little = head[0] === 0x49;
  const isBig = new DataView(head.buffer, head.byteOffset, head.length).getUint16(2, little) === 43;
  const size = isBig ? BIG : CLASSIC;
  const numberAt = async (at: number, width: 2 | 4 | 8): Promise<number> => {
    const part = await bytes.read(at, width);
    if (part.length < width) throw unreadableHeaders(bytes.source, `they refer to byte ${at + width}`);
    const view = new DataView(part.buffer, part.byteOffset, width);
    if (width === 2) return view.getUint16(0, little);
    return width === 4 ? view.getUint32(0, little) : Number(view.getBigUint64(0, little));
  };
  return {
    first: () => numberAt(size.head - size.next, size.next),
    async after(directory) {
      const entries = await numberAt(directory, size.count);
      if (entries > LIMITS.entries)
        throw unreadableHeaders(bytes.source, `the directory at byte ${directory} has ${entries} entries`);
      for (
        let entry = directory + size.count;
        entry < directory + size.count + entries * size.entry;
        entry += size.entry
      )
        if ((await numberAt(entry, 2)) === GEO_KEYS && (await numberAt(entry + 2, 2)) !== SHORT)
          throw unreadableHeaders(bytes.source, 'their GeoKeys are not 16-bit numbers');
      return numberAt(directory + size.count + entries * size.entry, size.next);
    },
  };
}

interface MaskSearch {
  readonly href: string;
  readonly reader: LevelReader;
  readonly samples: Samples;
  /** The image at full resolution, then its overviews. */
  readonly images: readonly TiffImage[];
  readonly levels: readonly TiffLevel[];
  readonly others: readonly TiffImage[];
  readonly nodata: number | null;
}

/**
 * Reads which pixels have data. As in GDAL, the internal mask is used; without it, the nodata value; without both,
 * the alpha band. Levels without a mask of their size are left out. Throws `input_data` for an unreadable mask.
 */
async function readMask(search: MaskSearch): Promise<Pick<TiffLayout, 'levels' | 'mask' | 'nodata' | 'sparse'>> {
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

/** True for an internal mask. Other bits of the tag `SubFileType` are ignored. */
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

/**
 * Reads the alpha band as mask. Null without an alpha band, or if it is the band to read. Null with a nodata value,
 * which has priority (as in GDAL).
 */
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
