import type { Rgba } from '@headwater/core';
import { DomainError, isDomainError, messageOf } from '@headwater/core/errors';
import type { MapGrid, MapLayer, MapPicture, MapRaster, MapSamples } from '@headwater/core/ports';
import type { EmbeddedParts } from '../parts.ts';
import { gridOf, plainBox } from '../protocol/map-parameters.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import type { Turn } from '../protocol/turns.ts';
import { stripsOf, wordsOf } from './canvas.ts';
import { drawVector } from './draw-vector.ts';
import { createPainter, type Painter } from '../styles/painter.ts';
import type { LayerStyle, RasterSymbol } from '../styles/style-model.ts';

/** True for layers that maps can show: vector layers, and rasters if the server has a pixel engine. */
export const isDrawable = ({ pixels }: Pick<EmbeddedParts, 'pixels'>, { kind }: Pick<MapLayer, 'kind'>): boolean =>
  kind === 'vector' || pixels !== undefined;

/** Size of the largest small picture, pixels. Small pictures do not wait for other pictures. */
const SMALL = 2 ** 21;
/** Promise of the last large picture of each map server. */
const large = new WeakMap<object, Promise<unknown>>();

/**
 * Draws a picture of `count` pixels. Large pictures are drawn in sequence, because several at a time could fill the
 * memory.
 */
export async function inTurn<T>(
  { tables }: Pick<EmbeddedParts, 'tables'>,
  count: number,
  draw: () => Promise<T>,
): Promise<T> {
  if (count <= SMALL) return await draw();
  const picture = (large.get(tables) ?? Promise.resolve()).then(draw);
  large.set(
    tables,
    picture.catch(() => {}),
  );
  return await picture;
}

interface Drawing {
  readonly grid: MapGrid;
  readonly turn: Turn;
}

/** Draws a layer with its default style on a transparent background. */
export async function drawLayer(parts: EmbeddedParts, layer: MapLayer, { grid, turn }: Drawing): Promise<MapPicture> {
  const style = await parts.styles.of(layer);
  if (layer.kind === 'vector') return await drawVector(await parts.tables.of(layer), { grid, style, turn });
  const raster = await openLayer(parts, layer);
  const painter = await painterOf({ layer, raster, style });
  const samples = await raster.samples(grid);
  const pixels = new Uint8Array(samples.length);
  for (const { first, count } of stripsOf(grid.cols, grid.rows)) {
    const [from, to] = [first * grid.cols, (first + count) * grid.cols];
    pixels.set(painter.paint(samples.subarray(from, to)), from);
    if (turn.isOver()) await turn.next();
  }
  return { width: grid.cols, height: grid.rows, pixels, palette: painter.palette };
}

/**
 * Opens the raster of a layer. Throws the OGC error `OperationNotSupported` without a pixel engine, `unavailable` for
 * a missing or replaced file, and `internal` for an unreadable file.
 */
export async function openLayer(
  { pixels, localPath, openFile }: Pick<EmbeddedParts, 'pixels' | 'localPath' | 'openFile'>,
  layer: Pick<MapLayer, 'name' | 'assetKey'>,
): Promise<MapRaster> {
  if (pixels === undefined)
    throw ogcError(
      'OperationNotSupported',
      'layers',
      'layers: this server has no pixel engine; download the file from the STAC Item of the layer',
    );
  const path = await localPath(layer.assetKey);
  // Remote files are read in parts, because a whole download would delay the first map.
  const file = path === undefined ? await openFile(layer.assetKey) : undefined;
  const place = path ?? (file && { name: layer.name, file });
  if (place === undefined)
    throw new DomainError(
      'unavailable',
      `${layer.name}: the stored file of this layer is missing; compute or import the layer again`,
    );
  const fail = async (cause: unknown): Promise<never> => {
    if (!isDomainError(cause) || cause.code !== 'input_data') throw cause;
    if (((await localPath(layer.assetKey)) ?? (await openFile(layer.assetKey))) === undefined)
      throw new DomainError(
        'unavailable',
        `${layer.name}: its file was replaced while it was read; send the request again`,
        { cause },
      );
    // Clients must not see the path of the file.
    const shown = path ?? layer.name;
    // The remedy after the semicolon is left out, because it is for the author of the file.
    const [reason] = cause.message.replaceAll(`${shown}: `, '').replaceAll(shown, layer.name).split(';');
    throw new DomainError(
      'internal',
      `${layer.name}: the stored file of this layer cannot be drawn (${reason}); compute or import the layer again`,
      { cause },
    );
  };
  const raster = await pixels.open(place).catch(fail);
  const { grid, type, nodata, scaling, bands, colors } = raster;
  const samples: MapRaster['samples'] = (target) => raster.samples(target).catch(fail);
  return { grid, type, nodata, scaling, bands, colors, samples, geoTiff: (cut) => raster.geoTiff(cut).catch(fail) };
}

/** Raster symbol of a style; undefined if there is none. */
export const rasterSymbolOf = (style: LayerStyle | null): RasterSymbol | undefined =>
  style?.rules.flatMap(({ symbols }) => symbols).find((symbol) => symbol.kind === 'raster');

const painters = new WeakMap<LayerStyle, Map<string, Painter>>();

/**
 * Painter of a raster. Painters of styles with colours are cached, because making a colour table takes longer than
 * painting a tile.
 */
async function painterOf({
  layer,
  raster,
  style,
}: {
  readonly layer: MapLayer;
  readonly raster: MapRaster;
  readonly style: LayerStyle | null;
}): Promise<Painter> {
  const symbol = rasterSymbolOf(style);
  const isStyled = symbol?.colors !== undefined && symbol.colors !== null;
  const key = JSON.stringify([raster.type, raster.nodata, raster.scaling]);
  const known = style === null || !isStyled ? undefined : painters.get(style)?.get(key);
  if (known !== undefined) return known;
  const range = isStyled || raster.colors !== null ? ([0, 0] as const) : await rangeOf(raster, layer);
  try {
    const painter = createPainter(raster, symbol, range);
    if (style !== null && isStyled) painters.set(style, new Map([...(painters.get(style) ?? []), [key, painter]]));
    return painter;
  } catch (cause) {
    throw new DomainError(
      'internal',
      `${layer.name}: its style cannot be drawn (${messageOf(cause)}); publish the layer with another style`,
      { cause },
    );
  }
}

/** Side of the coarse grid for the range of values, pixels. */
const OVERVIEW = 64;

/** Smallest and greatest value on a coarse grid; 0 and 255 for uint8 without scaling. */
async function rangeOf(raster: MapRaster, layer: MapLayer): Promise<readonly [number, number]> {
  const { nodata, scaling, type } = raster;
  if (type === 'uint8' && scaling === null) return [0, 255];
  const grid = gridOf('EPSG:4326', plainBox(layer), { width: OVERVIEW, height: OVERVIEW });
  const samples: MapSamples = await raster.samples(grid);
  let [low, high] = [Infinity, -Infinity];
  for (const sample of samples) {
    if (sample === nodata || !Number.isFinite(sample)) continue;
    const value = scaling === null ? sample : sample * scaling.scale + scaling.offset;
    [low, high] = [Math.min(low, value), Math.max(high, value)];
  }
  return low <= high ? [low, high] : [0, 1];
}

/**
 * Draws pictures over one another, the first at the bottom. `background` null is transparent. A single picture keeps
 * its palette.
 */
export async function compose(
  pictures: readonly MapPicture[],
  { background, turn }: { readonly background: Rgba | null; readonly turn: Turn },
): Promise<MapPicture> {
  const [first, ...others] = pictures;
  if (first === undefined) throw new RangeError('no picture');
  if (others.length === 0 && background === null) return first;
  if (others.length === 0 && first.palette !== null && background !== null)
    return { ...first, palette: first.palette.map((color) => over(color, background)) };
  const { width, height } = first;
  const pixels = new Uint8Array(4 * width * height);
  if (background !== null) new Uint32Array(pixels.buffer).fill(wordsOf([background])[0]!);
  for (const picture of pictures)
    for (const { first: row, count } of stripsOf(width, height)) {
      blend(picture, pixels.subarray(4 * row * width, 4 * (row + count) * width), row * width);
      if (turn.isOver()) await turn.next();
    }
  return { width, height, pixels, palette: null };
}

/**
 * Draws a picture over `out`, from pixel `first` of the picture on. Creates no object per pixel, because with such
 * objects a large picture would take seconds.
 */
function blend({ pixels, palette }: MapPicture, out: Uint8Array, first: number): void {
  const colors = palette === null ? pixels : new Uint8Array(wordsOf(palette).buffer);
  for (let at = 0, pixel = first; at < out.length; at += 4, pixel += 1) {
    const from = 4 * (palette === null ? pixel : pixels[pixel]!);
    const alpha = colors[from + 3]!;
    if (alpha === 0) continue;
    // The formula of `over`, without objects.
    const below = (out[at + 3]! * (255 - alpha)) / 255;
    const sum = alpha + below;
    for (let channel = 0; channel < 3; channel += 1)
      out[at + channel] = Math.round((colors[from + channel]! * alpha + out[at + channel]! * below) / sum);
    out[at + 3] = Math.round(sum);
  }
}

/** First colour over the second (Porter and Duff). */
function over([r, g, b, a]: Rgba, [br, bg, bb, ba]: Rgba): Rgba {
  const below = (ba * (255 - a)) / 255;
  const alpha = a + below;
  if (alpha === 0) return [0, 0, 0, 0];
  const mix = (upper: number, lower: number): number => Math.round((upper * a + lower * below) / alpha);
  return [mix(r, br), mix(g, bg), mix(b, bb), Math.round(alpha)];
}
