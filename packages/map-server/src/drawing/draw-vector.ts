import type { MapGrid, MapPicture } from '@headwater/core/ports';
import type { FeatureBox, FeatureTable } from '../features/feature-table.ts';
import type { LayerStyle, StyleSymbol } from '../styles/style-model.ts';
import type { Turn } from '../protocol/turns.ts';
import { canvasOf, stripsOf } from './canvas.ts';
import { AROUND_M, boxOfGrid, drawingSteps } from './draw-shapes.ts';
import { styledShapes } from './styled-shapes.ts';

/**
 * Margin around the map, pixels. Features in the margin are drawn too, because strokes, marks and labels reach into the
 * map.
 */
const MARGIN_PX = 32;
/** Side of a pixel in OGC scales, m. */
const PIXEL_M = 0.000_28;
const DEGREE_M = AROUND_M / 360;

/** Draws features on a transparent background. Default style: grey. */
export async function drawVector(
  table: FeatureTable,
  { grid, style, turn }: { readonly grid: MapGrid; readonly style: LayerStyle | null; readonly turn: Turn },
): Promise<MapPicture> {
  const { cols: width, rows: height } = grid;
  const { context } = canvasOf(width, height);
  const features = indexesIn(table, grid).flatMap((index) => table.features[index] ?? []);
  const metres = grid.crs === 'EPSG:4326' ? grid.pixelWidth * DEGREE_M : grid.pixelWidth;
  const shapes = styledShapes({ features, columns: table.columns }, style ?? PLAIN, metres / PIXEL_M);
  for (const _ of drawingSteps(context, shapes, grid)) if (turn.isOver()) await turn.next();
  const pixels = new Uint8Array(4 * width * height);
  for (const { first, count } of stripsOf(width, height)) {
    pixels.set(context.getImageData(0, first, width, count).data, 4 * first * width);
    if (turn.isOver()) await turn.next();
  }
  return { width, height, pixels, palette: null };
}

const LINE = { color: [64, 64, 64, 255], width: 1, dashes: [] } as const;
const PLAIN_SYMBOLS: readonly StyleSymbol[] = [{ kind: 'polygon', fill: [128, 128, 128, 160], stroke: LINE }];

/** Style of a layer without a style: grey, as in GeoServer. */
export const PLAIN: LayerStyle = {
  title: '',
  rules: [{ title: '', filter: null, isElse: false, minScale: 0, maxScale: Infinity, symbols: PLAIN_SYMBOLS }],
};

/** Indexes of the features in a grid and its margin, ascending. The grid may extend beyond the antimeridian. */
function indexesIn(table: FeatureTable, grid: MapGrid): readonly number[] {
  const [west, south, east, north] = boxOf(grid);
  const found = new Set<number>();
  for (const shift of [0, ...(east > 180 ? [-360] : []), ...(west < -180 ? [360] : [])])
    for (const index of table.inBox([west + shift, south, east + shift, north])) found.add(index);
  return [...found].toSorted((a, b) => a - b);
}

const boxOf = (grid: MapGrid): FeatureBox =>
  boxOfGrid({
    ...grid,
    west: grid.west - MARGIN_PX * grid.pixelWidth,
    north: grid.north + MARGIN_PX * grid.pixelHeight,
    cols: grid.cols + 2 * MARGIN_PX,
    rows: grid.rows + 2 * MARGIN_PX,
  });
