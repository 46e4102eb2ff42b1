import type { PixelGrid, PixelPlan } from '@headwater/core/pixel-plan';
import { type Box, projectedBox } from '@headwater/core/geo';
import type { ImageBand } from './images.ts';

/** Bytes of a sample. Samples of the classification have one byte, but count as two. */
export const SAMPLE_BYTES = 2;
/** Margin around the area, m. Larger than the margins of the grids of plans. */
const MARGIN_M = 400;

/** Lon/lat box of the area of a plan. */
export function areaBox({ area }: Pick<PixelPlan, 'area'>): Box {
  let box: Box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon = Number.NaN, lat = Number.NaN] of area.flat(2))
    box = [Math.min(box[0], lon), Math.min(box[1], lat), Math.max(box[2], lon), Math.max(box[3], lat)];
  return box;
}

/** Distance from the area, m, within which a plan can use pixels. Each pixel of `dilate` counts as 60 m. */
export const marginOf = ({ mask }: Pick<PixelPlan, 'mask'>): number => MARGIN_M + (mask?.dilate ?? 0) * 60;

/** The pixels of a band around the area, on the band's grid; undefined if there are none. */
export function windowOf(band: PixelGrid, box: Box, marginM: number): PixelGrid | undefined {
  const { crs, west, north, pixelWidth, pixelHeight } = band;
  const around = projectedBox(crs, box);
  const left = Math.max(0, Math.floor((around[0] - marginM - west) / pixelWidth));
  const right = Math.min(band.cols, Math.ceil((around[2] + marginM - west) / pixelWidth));
  const top = Math.max(0, Math.floor((north - around[3] - marginM) / pixelHeight));
  const bottom = Math.min(band.rows, Math.ceil((north - around[1] + marginM) / pixelHeight));
  if (left >= right || top >= bottom) return undefined;
  return {
    crs,
    west: west + left * pixelWidth,
    north: north - top * pixelHeight,
    pixelWidth,
    pixelHeight,
    cols: right - left,
    rows: bottom - top,
  };
}

/** Splits a window into strips of whole rows. A strip has at most `mostBytes`, but at least one row. */
export function stripsOf(window: PixelGrid, bands: number, mostBytes: number): readonly PixelGrid[] {
  const most = Math.max(1, Math.floor(mostBytes / (window.cols * bands * SAMPLE_BYTES)));
  const count = Math.ceil(window.rows / most);
  return Array.from({ length: count }, (_, index) => {
    const first = index * most;
    const rows = Math.min(most, window.rows - first);
    return { ...window, north: window.north - first * window.pixelHeight, rows };
  });
}

/** Body of `image:computePixels` for bands of one image on a grid. */
export function pixelRequest(bands: readonly ImageBand[], grid: PixelGrid, workloadTag: string): object {
  const { crs, west, north, pixelWidth, pixelHeight, cols, rows } = grid;
  const id = { constantValue: bands[0]?.imageId ?? '' };
  const image = { functionInvocationValue: { functionName: 'Image.load', arguments: { id } } };
  return {
    expression: { result: '0', values: { '0': image } },
    fileFormat: 'GEO_TIFF',
    bandIds: bands.map(({ bandId }) => bandId),
    grid: {
      dimensions: { width: cols, height: rows },
      affineTransform: {
        scaleX: pixelWidth,
        shearX: 0,
        translateX: west,
        shearY: 0,
        scaleY: -pixelHeight,
        translateY: north,
      },
      crsCode: crs,
    },
    workloadTag,
  };
}

/** Names of the bands that a plan reads, without its mask band. */
export function bandsOfPlan({ indices }: Pick<PixelPlan, 'indices'>): ReadonlySet<string> {
  return new Set(
    indices.flatMap(({ formula }) => {
      if (formula.kind === 'band') return [formula.band];
      const { plus, minus, bright } = formula;
      return [...plus, ...minus, ...(bright === undefined ? [] : [bright.band])];
    }),
  );
}
