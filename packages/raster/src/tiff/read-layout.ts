import { SubFileType, Tiff, TiffTag } from '@cogeotiff/core';
import type { Source, TiffImage } from '@cogeotiff/core';
import { isDomainError } from '@headwater/core/errors';
import { badFile } from './bad-file.ts';
import type { ByteSource } from './byte-source.ts';
import { readGrid } from './georeference.ts';
import type { TiffLayout, TiffLevel } from './layout.ts';
import { readCompression, readDtype, readNodata, readPredictor } from './read-tags.ts';

/** Parses headers, tile tables and georeference; throws `input_data` that names the file, the problem and the remedy. */
export async function readLayout(source: ByteSource): Promise<TiffLayout> {
  const tiff = await parse(source);
  const [first, ...others] = tiff.images;
  if (first === undefined) throw badFile(source.href, 'it holds no image; it must be a GeoTIFF');
  const base = await readLevel(first, source);
  const levels = [base];
  for (const image of others) {
    const kind = image.value(TiffTag.SubFileType) ?? 0;
    if (kind === SubFileType.ReducedImage && image.size.width < base.cols) levels.push(await readLevel(image, source));
  }
  return {
    href: source.href,
    size: source.size,
    grid: readGrid(first, source.href),
    dtype: await readDtype(first, source.href),
    nodata: await readNodata(first),
    littleEndian: tiff.isLittleEndian,
    levels,
  };
}

async function parse(source: ByteSource): Promise<Tiff> {
  const head = await source.read(0, 4);
  if (!isTiff(head))
    throw badFile(source.href, 'it is not a TIFF (no II/MM signature); expected a Cloud Optimized GeoTIFF');
  try {
    return await Tiff.create(asTiffSource(source));
  } catch (cause) {
    if (isDomainError(cause)) throw cause;
    const size = source.size === null ? '' : ` (the file has ${source.size} bytes)`;
    throw badFile(
      source.href,
      `its TIFF headers cannot be read, it is damaged or truncated${size}; fetch it again`,
      cause,
    );
  }
}

function isTiff(head: Uint8Array): boolean {
  const order = String.fromCharCode(head[0] ?? 0, head[1] ?? 0);
  return head.byteLength >= 4 && (order === 'II' || order === 'MM');
}

function asTiffSource(source: ByteSource): Source {
  return {
    url: /^[a-z]+:\/\//i.test(source.href) ? new URL(source.href) : new URL(`file://${encodeURI(source.href)}`),
    metadata: source.size === null ? {} : { size: source.size },
    async fetch(offset, length = 16 * 1024) {
      const bytes = await source.read(offset, length);
      return new Uint8Array(bytes).buffer;
    },
  };
}

async function readLevel(image: TiffImage, source: ByteSource): Promise<TiffLevel> {
  const { width: cols, height: rows } = image.size;
  const tiled = image.isTiled();
  const [rawOffsets, rawCounts, rowsPerStrip] = await Promise.all([
    image.fetch(tiled ? TiffTag.TileOffsets : TiffTag.StripOffsets),
    image.fetch(tiled ? TiffTag.TileByteCounts : TiffTag.StripByteCounts),
    image.fetch(TiffTag.RowsPerStrip),
  ]);
  const stripRows = typeof rowsPerStrip === 'number' ? Math.min(rowsPerStrip, rows) : rows;
  const tile = tiled ? { cols: image.tileSize.width, rows: image.tileSize.height } : { cols, rows: stripRows };
  const count = Math.ceil(cols / tile.cols) * Math.ceil(rows / tile.rows);
  if (!(cols > 0 && rows > 0 && tile.cols > 0 && tile.rows > 0))
    throw badFile(source.href, 'its image has no size; it is damaged');
  const level = {
    cols,
    rows,
    tile,
    tiled,
    compression: await readCompression(image, source.href),
    predictor: await readPredictor(image, source.href),
    offsets: table(rawOffsets, count),
    byteCounts: table(rawCounts, count),
  };
  checkExtent(level, source);
  return level;
}

/** A short table means sparse tiles at its end: 0. */
function table(raw: ArrayLike<number> | null, count: number): Float64Array {
  const values = new Float64Array(count);
  for (let i = 0; i < Math.min(count, raw?.length ?? 0); i++) values[i] = raw?.[i] ?? 0;
  return values;
}

/** Finds a truncated file before any pixel of it is used. */
function checkExtent(level: TiffLevel, source: ByteSource): void {
  if (source.size === null) return;
  for (let i = 0; i < level.offsets.length; i++) {
    const end = level.offsets[i]! + level.byteCounts[i]!;
    if (end > source.size) {
      throw badFile(
        source.href,
        `it is truncated: a tile ends at byte ${end}, the file has ${source.size}; fetch it again`,
      );
    }
  }
}
