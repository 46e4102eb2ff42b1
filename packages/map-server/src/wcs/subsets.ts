import type { PixelGrid } from '@headwater/core';
import type { MapLayer, MapRequest, RasterCut } from '@headwater/core/ports';
import { ogcError } from '../protocol/ogc-error.ts';
import { checkTime } from '../wms/time.ts';
import { axisNames, edgesOf, isDegrees, PIXEL_AXES } from './coverage.ts';

type Query = MapRequest['query'];

/** An axis and its values, as in `Long(85.1,85.2)`. */
interface AxisPart {
  readonly axis: string;
  readonly values: readonly string[];
}

/**
 * Maximum error of rounded coordinates, pixels. A bound that is at most this far from a pixel edge counts as the edge.
 */
const ROUNDING = 1e-6;

/** Part of a grid that WCS 2.0.1 selects: enlarged to whole pixels, then scaled. */
export function cutOf(query: Query, layer: MapLayer, grid: PixelGrid): Required<RasterCut> {
  const span = { x: [0, grid.cols], y: [0, grid.rows] } satisfies Record<'x' | 'y', [number, number]>;
  const seen = new Set<string>();
  for (const part of partsOf(query, 'subset')) {
    if (['time', 'ansi', 'phenomenontime'].includes(part.axis.toLowerCase())) {
      checkTime(layer, part.values.join('/'));
      continue;
    }
    const found = placeOf(part, grid);
    if (found === undefined)
      throw invalidAxis(part.axis, `${axisNames(grid).x[0]}(from,to) or ${axisNames(grid).y[0]}(from,to)`);
    if (seen.has(found.side))
      throw ogcError('InvalidAxisLabel', 'subset', `subset: ${part.axis} is selected twice; send it once`);
    seen.add(found.side);
    span[found.side] = wholePixels(part, found.span, found.side === 'x' ? grid.cols : grid.rows);
  }
  const [cols, rows] = [span.x[1] - span.x[0], span.y[1] - span.y[0]];
  return { col: span.x[0], row: span.y[0], cols, rows, ...scaledSize(query, grid, { cols, rows }) };
}

/** Maximum length of a parameter, characters. High, because an axis may be named by a long address. */
const LONGEST = 1000;

function partsOf(query: Query, name: string): readonly AxisPart[] {
  const text = query[name];
  if (text === undefined || text === '') return [];
  // The length is limited, because the time of the regular expressions grows with its square.
  if (text.length > LONGEST) throw unreadable(name, text);
  const parts = [...text.matchAll(/([^(),]+)\(([^()]*)\)/g)].map(([, axis = '', values = '']) => ({
    // An axis may be named by an address, which ends with its name.
    axis: axis.trim().split('/').at(-1) ?? '',
    values: values.split(',').map((value) => value.trim().replace(/^"(.*)"$/, '$1')),
  }));
  const written = text
    .replaceAll(/([^(),]+)\(([^()]*)\)/g, '')
    .replaceAll(',', '')
    .trim();
  if (parts.length > 0 && parts.length <= 6 && written === '') return parts;
  throw unreadable(name, text);
}

const unreadable = (name: string, text: string): Error =>
  ogcError(
    'InvalidParameterValue',
    name,
    `${name}: ${JSON.stringify(text.slice(0, 100))} cannot be read; send an axis with its values, such as Long(85.1,85.2)`,
  );

const has = (names: readonly string[], axis: string): boolean =>
  names.some((name) => name.toLowerCase() === axis.toLowerCase());

function numberOf(text: string, axis: string): number {
  const value = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw ogcError(
    'InvalidSubsetting',
    'subset',
    `subset: ${axis}: ${JSON.stringify(text.slice(0, 40))} is not a number; send a number or *`,
  );
}

/** Selected range in pixels, with fractions; undefined for an unknown axis. */
function placeOf(
  { axis, values }: AxisPart,
  grid: PixelGrid,
): { readonly side: 'x' | 'y'; readonly span: readonly [number, number] } | undefined {
  const [from = '*', to = from] = values;
  if (values.length > 2)
    throw ogcError('InvalidSubsetting', 'subset', `subset: ${axis} has ${values.length} values; send one or two`);
  const isSlice = values.length === 1 && from !== '*';
  const bound = (text: string, open: number, place: (value: number) => number): number =>
    text === '*' ? open : place(numberOf(text, axis));
  const names = axisNames(grid);
  if (has(names.x, axis)) {
    const col = (value: number): number => (value - grid.west) / grid.pixelWidth;
    const span = spanOf([bound(from, 0, col), bound(to, grid.cols, col)], isSlice);
    return { side: 'x', span: isDegrees(grid) && from !== '*' && to !== '*' ? turned(span, grid) : span };
  }
  if (has(names.y, axis)) {
    const row = (value: number): number => (grid.north - value) / grid.pixelHeight;
    return { side: 'y', span: spanOf([bound(to, 0, row), bound(from, grid.rows, row)], isSlice) };
  }
  // A range of pixel numbers includes its last pixel.
  if (has(PIXEL_AXES.x, axis))
    return { side: 'x', span: [bound(from, 0, Number), bound(to, grid.cols - 1, Number) + 1] };
  if (has(PIXEL_AXES.y, axis))
    return { side: 'y', span: [bound(from, 0, Number), bound(to, grid.rows - 1, Number) + 1] };
  return undefined;
}

/**
 * Shifts a range of columns by 360 degrees if this moves the range into the grid. Grids may extend beyond 180 degrees.
 */
function turned([from, to]: readonly [number, number], grid: PixelGrid): readonly [number, number] {
  const turn = 360 / grid.pixelWidth;
  const shift = [0, turn, -turn].find((each) => from + each < grid.cols && to + each > 0) ?? 0;
  return [from + shift, to + shift];
}

const spanOf = ([from, to]: readonly [number, number], isSlice: boolean): readonly [number, number] =>
  isSlice ? [Math.floor(from + ROUNDING), Math.floor(from + ROUNDING) + 1] : [from, to];

function wholePixels(
  { axis, values }: AxisPart,
  [from, to]: readonly [number, number],
  size: number,
): [number, number] {
  const text = values.join(',');
  if (!(from < to))
    throw ogcError('InvalidSubsetting', 'subset', `subset: ${axis}(${text}) is empty; send the smaller value first`);
  const first = Math.max(0, Math.floor(from + ROUNDING));
  const last = Math.min(size, Math.ceil(to - ROUNDING));
  if (first < last) return [first, last];
  throw ogcError(
    'InvalidSubsetting',
    'subset',
    `subset: ${axis}(${text}) is outside of the coverage; use the bounds of DescribeCoverage`,
  );
}

const invalidAxis = (axis: string, remedy: string): Error =>
  ogcError(
    'InvalidAxisLabel',
    'subset',
    `subset: there is no axis ${JSON.stringify(axis.slice(0, 40))}; send ${remedy}`,
  );

/** Size in pixels, from the scaling extension. */
function scaledSize(
  query: Query,
  grid: PixelGrid,
  { cols, rows }: { readonly cols: number; readonly rows: number },
): { readonly width: number; readonly height: number } {
  const factor = query['scalefactor'];
  let [width, height] = [cols, rows];
  if (factor !== undefined && factor !== '') {
    const scale = positive(factor, 'scalefactor');
    [width, height] = [scaled(cols, scale), scaled(rows, scale)];
  }
  for (const [name, size] of [
    ['scaleaxes', (pixels: number, text: string) => scaled(pixels, positive(text, 'scaleaxes'))],
    ['scalesize', (_: number, text: string) => Math.round(positive(text, 'scalesize'))],
  ] as const) {
    for (const { axis, values } of partsOf(query, name)) {
      const [value = ''] = values;
      if (has([...axisNames(grid).x, ...PIXEL_AXES.x], axis)) width = size(cols, value);
      else if (has([...axisNames(grid).y, ...PIXEL_AXES.y], axis)) height = size(rows, value);
      else
        throw ogcError(
          'InvalidAxisLabel',
          name,
          `${name}: there is no axis ${JSON.stringify(axis.slice(0, 40))}; send i(…) and j(…)`,
        );
    }
  }
  return { width: Math.max(1, width), height: Math.max(1, height) };
}

const scaled = (pixels: number, scale: number): number => Math.max(1, Math.round(pixels * scale));

function positive(text: string, name: string): number {
  const value = /^(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= 100_000) return value;
  throw ogcError(
    'InvalidParameterValue',
    name,
    `${name}: ${JSON.stringify(text.slice(0, 40))} is not a number above 0 and at most 100000; send such a number`,
  );
}

/** Part that WCS 1.0.0 selects: exactly the requested box, resampled. */
export function boxCut(
  grid: PixelGrid,
  [west, south, east, north]: readonly [number, number, number, number],
  size: { readonly width: number; readonly height: number } | undefined,
): Required<RasterCut> {
  const edges = edgesOf(grid);
  if (west >= edges.east || east <= grid.west || south >= grid.north || north <= edges.south)
    throw ogcError(
      'InvalidParameterValue',
      'bbox',
      'bbox: the box is outside of the coverage; use the bounds of DescribeCoverage',
    );
  const [cols, rows] = [(east - west) / grid.pixelWidth, (north - south) / grid.pixelHeight];
  const { width = Math.max(1, Math.round(cols)), height = Math.max(1, Math.round(rows)) } = size ?? {};
  return {
    col: nearWhole((west - grid.west) / grid.pixelWidth),
    row: nearWhole((grid.north - north) / grid.pixelHeight),
    cols: nearWhole(cols),
    rows: nearWhole(rows),
    width,
    height,
  };
}

/** Rounds a value that is nearer than `ROUNDING` to a whole number. Other values are returned unchanged. */
const nearWhole = (value: number): number => {
  const whole = Math.round(value);
  return Math.abs(value - whole) < ROUNDING ? whole : value;
};
