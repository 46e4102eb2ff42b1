import { fromUrl, type GeoTIFFImage } from 'geotiff';
import { get, getTransform } from 'ol/proj.js';
import { levelFor, MAP_CRS, valuesAt, type Block, type Level, type ReadBlock } from './sample.ts';

/** A raster file that is read by block. */
export interface RasterFile {
  /**
   * Values at `points` (x, y, x, y); NaN outside of the file and for nodata. `size`: distance of neighbouring points in
   * map units.
   */
  valuesAt(points: number[], size: number): Promise<Float64Array>;
}

/** Requests read blocks of 64 KiB. One request is enough for a small file, or for the header of a large file. */
const READING = { blockSize: 65_536, allowFullFile: false };
/** Maximum number of cached blocks of each resolution. 64 blocks of 512 x 512 bytes are 16 MB. */
const MOST_BLOCKS = 64;

/** Opens a file. Throws for an unreadable file or an unknown coordinate system. */
export async function openRaster(address: string): Promise<RasterFile> {
  const file = await fromUrl(new URL(address, document.baseURI).href, READING);
  const all = await Promise.all(Array.from({ length: await file.getImageCount() }, (_, index) => file.getImage(index)));
  const [first] = all;
  if (first === undefined) throw new Error(`${address} contains no image`);
  const images = all.filter((image) => ((image.fileDirectory.getValue('NewSubfileType') ?? 0) & 4) === 0);
  const levels = images.map((image) => levelOf(image, first));
  const code = codeOf(first);
  const toFile = get(code) === null ? null : getTransform(MAP_CRS, code);
  if (toFile === null) throw new Error(`the map cannot draw ${code}`);
  const readers = images.map((image, index) => blockReader(image, levels[index]!));
  const nodata = first.getGDALNoData();
  return {
    async valuesAt(points, size) {
      const inFile = toFile(points, undefined, 2);
      const [x0 = 0, , x1 = 0] = toFile([points[0]!, points[1]!, points[0]! + size, points[1]!], undefined, 2);
      const index = levelFor(levels, Math.abs(x1 - x0));
      const values = await valuesAt(inFile, levels[index]!, readers[index]!);
      return nodata === null ? values : values.map((value) => (value === nodata ? NaN : value));
    },
  };
}

function codeOf(image: GeoTIFFImage): string {
  const keys = image.getGeoKeys();
  return `EPSG:${String(keys?.ProjectedCSTypeGeoKey ?? keys?.GeographicTypeGeoKey ?? 'unknown')}`;
}

function levelOf(image: GeoTIFFImage, first: GeoTIFFImage): Level {
  const [x = NaN, y = NaN] = first.getOrigin();
  const [stepX = NaN, stepY = NaN] = first.getResolution();
  const [fewerX, fewerY] = [first.getWidth() / image.getWidth(), first.getHeight() / image.getHeight()];
  return {
    width: image.getWidth(),
    height: image.getHeight(),
    blockWidth: image.getTileWidth(),
    blockHeight: image.getTileHeight(),
    origin: [x, y],
    step: [stepX * fewerX, stepY * fewerY],
  };
}

/** Reads and caches blocks of the first band. Failed reads are not cached. */
function blockReader(image: GeoTIFFImage, level: Level): ReadBlock {
  const cached = new Map<string, Promise<Block>>();
  return async ({ column, row }) => {
    const key = `${column}/${row}`;
    const block = cached.get(key) ?? readBlock(image, level, { column, row });
    cached.delete(key);
    cached.set(key, block);
    block.catch(() => cached.delete(key));
    const [oldest] = cached.keys();
    if (cached.size > MOST_BLOCKS && oldest !== undefined) cached.delete(oldest);
    return await block;
  };
}

async function readBlock(
  image: GeoTIFFImage,
  { width, height, blockWidth, blockHeight }: Level,
  { column, row }: { readonly column: number; readonly row: number },
): Promise<Block> {
  const [left, top] = [column * blockWidth, row * blockHeight];
  const window = [left, top, Math.min(width, left + blockWidth), Math.min(height, top + blockHeight)];
  const values = await image.readRasters({ window, samples: [0], interleave: true });
  return { width: values.width, values };
}
