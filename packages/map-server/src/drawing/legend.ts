import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Geometry } from 'geojson';
import { canvasOf, encodePicture, FONT_FAMILY, type PictureFormat } from './canvas.ts';
import { drawShapes, type Symbol } from './draw-shapes.ts';

/** An entry of a legend: a symbol, or a colour of a raster. */
export interface LegendEntry {
  readonly label: string;
  readonly kind?: 'polygon' | 'line' | 'point';
  readonly symbol: Symbol;
}

/** Sizes and background of a legend. */
export interface LegendSize {
  /** Width and height of the box of a symbol, pixels. Default: 20 each. */
  readonly width?: number;
  readonly height?: number;
  /** CSS colour, or `transparent`. Default: white. */
  readonly background?: string;
}

const FONT_PX = 12;
const GAP = 6;
/** Maximum width of a text, pixels; wider texts are compressed. */
const MOST_TEXT_PX = 400;

/** Content of a legend. */
export interface LegendContent {
  readonly title?: string;
  readonly entries: readonly LegendEntry[];
}

const FONT = `${FONT_PX}px ${FONT_FAMILY}`;

/** Size of a picture (`cols`, `rows`), height of an entry (`row`) and height of the title (`top`), pixels. */
interface LegendLayout {
  readonly cols: number;
  readonly rows: number;
  readonly row: number;
  readonly top: number;
}

/** Computes the layout of a legend. */
export function legendLayout({ title, entries }: LegendContent, { width = 20, height = 20 }: LegendSize): LegendLayout {
  const { context: measure } = canvasOf(1, 1);
  measure.font = FONT;
  const row = Math.max(height, FONT_PX + 2) + GAP;
  const top = title === undefined ? 0 : FONT_PX + 2 * GAP;
  const texts = [...(title === undefined ? [] : [title]), ...entries.map(({ label }) => label)];
  const widest = Math.min(MOST_TEXT_PX, Math.max(0, ...texts.map((text) => measure.measureText(text).width)));
  return {
    cols: Math.ceil(width + widest + 3 * GAP),
    rows: Math.ceil(top + entries.length * row + GAP),
    row,
    top,
  };
}

/** Draws a legend. */
export async function legendPicture(
  content: LegendContent,
  { width = 20, height = 20, background = '#ffffff' }: LegendSize,
  format: PictureFormat,
): Promise<Uint8Array> {
  const { title, entries } = content;
  const { cols, rows, row, top } = legendLayout(content, { width, height });
  const { canvas, context } = canvasOf(cols, rows, background === 'transparent' ? undefined : background);
  context.font = FONT;
  context.textBaseline = 'middle';
  const write = (text: string, left: number, middle: number): void => {
    context.fillStyle = '#000000';
    context.fillText(text, left, middle, MOST_TEXT_PX);
  };
  if (title !== undefined) write(title, GAP, GAP + FONT_PX / 2);
  for (const [index, entry] of entries.entries()) {
    const y = top + GAP + index * row;
    drawEntry(context, entry, { x: GAP, y, width, height });
    context.font = FONT;
    context.textBaseline = 'middle';
    write(entry.label, width + 2 * GAP, y + height / 2);
  }
  return await encodePicture(canvas, format);
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Draws the symbol of an entry. `drawShapes` needs degrees, so the grid has pixels of 0.01 degrees. */
function drawEntry(
  context: SKRSContext2D,
  { kind = 'polygon', symbol }: LegendEntry,
  { x, y, width, height }: Place,
): void {
  const { canvas } = context;
  const grid = {
    crs: 'EPSG:4326',
    west: 0,
    north: 0,
    pixelWidth: 0.01,
    pixelHeight: 0.01,
    cols: canvas.width,
    rows: canvas.height,
  } as const;
  const at = (px: number, py: number): [number, number] => [px * 0.01, -py * 0.01];
  const { label: _label, ...plain } = symbol;
  const [right, bottom] = [x + width, y + height];
  const geometry: Geometry =
    kind === 'point'
      ? { type: 'Point', coordinates: at(x + width / 2, y + height / 2) }
      : kind === 'line'
        ? { type: 'LineString', coordinates: [at(x, bottom), at(x + width / 2, y), at(right, bottom)] }
        : {
            type: 'Polygon',
            coordinates: [[at(x, y), at(right, y), at(right, bottom), at(x, bottom), at(x, y)]],
          };
  drawShapes(context, [{ geometry, symbol: plain }], grid);
}
