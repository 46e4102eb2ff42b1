import { fromUtm, toUtm, utmZone, type UtmZone } from '@headwater/core/geo';
import type { MapGrid } from '@headwater/core/ports';
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Geometry, Position } from 'geojson';
import type { FeatureBox } from '../features/feature-table.ts';
import type { PointSymbol } from '../styles/style-model.ts';
import { FONT_FAMILY } from './canvas.ts';

/** Line style of a symbol. */
export interface Stroke {
  /** CSS colour. */
  readonly color: string;
  /** Width, pixels. */
  readonly width: number;
  /** Lengths of dashes and gaps, pixels. Default: solid. */
  readonly dashes?: readonly number[];
}

/** Symbol of a feature: fill and stroke of polygons, stroke of lines, mark of points. */
export interface Symbol {
  /** CSS colour. */
  readonly fill?: string;
  readonly stroke?: Stroke;
  readonly mark?: {
    readonly shape: PointSymbol['shape'];
    /** Diameter, pixels. */
    readonly size: number;
  };
  readonly label?: {
    readonly text: string;
    /** Height of the letters, pixels. */
    readonly size: number;
    readonly color: string;
    /** Colour of the outline of the letters. */
    readonly halo?: string;
  };
}

/** A feature to draw. */
export interface Shape {
  readonly geometry: Geometry;
  readonly symbol: Symbol;
}

/** Circumference of the sphere of EPSG:3857, m. */
export const AROUND_M = 2 * Math.PI * 6_378_137;
/** Northern end of EPSG:3857, degrees. */
const LAST_LATITUDE = 85.051_128_779_806_59;

/** Returns a function from lon/lat to pixels of the grid. */
export function pixelOf(grid: MapGrid): (position: Position) => readonly [x: number, y: number] {
  const { west, north, pixelWidth, pixelHeight } = grid;
  if (grid.crs === 'EPSG:4326') return ([lon = 0, lat = 0]) => [(lon - west) / pixelWidth, (north - lat) / pixelHeight];
  const zone = utmZone(grid.crs);
  if (zone !== undefined)
    return ([lon = 0, lat = 0]) => {
      const [x, y] = toUtm(zone, lon, lat);
      return [(x - west) / pixelWidth, (north - y) / pixelHeight];
    };
  return ([lon = 0, lat = 0]) => {
    const bounded = Math.min(Math.max(lat, -LAST_LATITUDE), LAST_LATITUDE);
    const y = (AROUND_M / (2 * Math.PI)) * Math.log(Math.tan(Math.PI / 4 + (bounded * Math.PI) / 360));
    return [((lon / 360) * AROUND_M - west) / pixelWidth, (north - y) / pixelHeight];
  };
}

/** Box of a grid, degrees. */
export function boxOfGrid({ crs, west, north, pixelWidth, pixelHeight, cols, rows }: MapGrid): FeatureBox {
  const [east, south] = [west + cols * pixelWidth, north - rows * pixelHeight];
  if (crs === 'EPSG:4326') return [west, south, east, north];
  const zone = utmZone(crs);
  if (zone !== undefined) return boxOfUtm(zone, [west, south, east, north]);
  const latitude = (y: number): number => (Math.atan(Math.sinh((2 * Math.PI * y) / AROUND_M)) * 180) / Math.PI;
  return [(west / AROUND_M) * 360, latitude(south), (east / AROUND_M) * 360, latitude(north)];
}

/** Each edge of a box in metres is divided into this number of parts, whose ends are converted to degrees. */
const EDGE_PIECES = 16;

/** Easting of the central meridian, m. */
const UTM_MIDDLE = 500_000;
/** Largest distance from the central meridian that is converted to degrees, m. */
const MOST_FROM_MIDDLE = 4_000_000;

/**
 * Lon/lat box around a UTM box. Edges are curves in degrees, so positions between the corners count too. Boxes that are
 * too far from the central meridian become the whole Earth.
 */
function boxOfUtm(zone: UtmZone, [west, bottom, east, top]: FeatureBox): FeatureBox {
  if (Math.max(UTM_MIDDLE - west, east - UTM_MIDDLE) > MOST_FROM_MIDDLE) return [-180, -90, 180, 90];
  const middle = zone.zone * 6 - 183;
  const [[, lowest], [, highest]] = [toUtm(zone, middle, -90), toUtm(zone, middle, 90)];
  const [south, north] = [bottom, top].map((y) => Math.min(Math.max(y, lowest), highest)) as [number, number];
  const shares = Array.from({ length: EDGE_PIECES + 1 }, (_, piece) => piece / EDGE_PIECES);
  const edges = shares.flatMap((share) => {
    const [x, y] = [west + (east - west) * share, south + (north - south) * share];
    return [fromUtm(zone, x, south), fromUtm(zone, x, north), fromUtm(zone, west, y), fromUtm(zone, east, y)];
  });
  const [longitudes, latitudes] = [edges.map(([lon]) => lon), edges.map(([, lat]) => lat)];
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)];
}

/** Length of the equator in the grid's coordinates; infinite for a UTM zone, so that shapes are drawn only once. */
function turnOf({ crs }: MapGrid): number {
  if (crs === 'EPSG:4326') return 360;
  return crs === 'EPSG:3857' ? AROUND_M : Infinity;
}

/** Draws all shapes without pauses. */
export function drawShapes(context: SKRSContext2D, shapes: Iterable<Shape>, grid: MapGrid): void {
  for (const _ of drawingSteps(context, shapes, grid));
}

/**
 * Draws shapes in order, then labels that do not cover each other. On a grid that crosses 180 degrees, all shapes are
 * drawn again with longitudes shifted by 360 degrees. Yields after each shape, so that the caller can pause. A null in
 * `shapes` is a feature that is not drawn.
 */
export function* drawingSteps(
  context: SKRSContext2D,
  shapes: Iterable<Shape | null>,
  grid: MapGrid,
): Generator<undefined, void> {
  const list: Shape[] = [];
  for (const shape of shapes) {
    if (shape !== null) list.push(shape);
    yield;
  }
  const turn = turnOf(grid);
  const right = grid.west + grid.cols * grid.pixelWidth;
  const shifts = [0, ...(right > turn / 2 ? [turn] : []), ...(grid.west < -turn / 2 ? [-turn] : [])];
  const placed: Box[] = [];
  for (const shift of shifts) {
    const pixel = pixelOf({ ...grid, west: grid.west - shift });
    for (const { geometry, symbol } of list) {
      drawGeometry(context, geometry, { symbol, pixel });
      yield;
    }
    for (const { geometry, symbol } of list) {
      drawLabel(context, geometry, { symbol, pixel, placed });
      yield;
    }
  }
}

interface Target {
  readonly symbol: Symbol;
  readonly pixel: ReturnType<typeof pixelOf>;
}

function drawGeometry(context: SKRSContext2D, geometry: Geometry, target: Target): void {
  switch (geometry.type) {
    case 'GeometryCollection':
      for (const part of geometry.geometries) drawGeometry(context, part, target);
      return;
    case 'Point':
      drawMark(context, geometry.coordinates, target);
      return;
    case 'MultiPoint':
      for (const position of geometry.coordinates) drawMark(context, position, target);
      return;
    case 'LineString':
      drawPath(context, [geometry.coordinates], { ...target, isClosed: false });
      return;
    case 'MultiLineString':
      drawPath(context, geometry.coordinates, { ...target, isClosed: false });
      return;
    case 'Polygon':
      drawPath(context, geometry.coordinates, { ...target, isClosed: true });
      return;
    case 'MultiPolygon':
      drawPath(context, geometry.coordinates.flat(), { ...target, isClosed: true });
      return;
  }
}

/**
 * Draws lines or rings. Positions within `LEAST_STEP` pixels of the last drawn position are left out, except the end of
 * a line or ring.
 */
function drawPath(
  context: SKRSContext2D,
  paths: readonly (readonly Position[])[],
  { symbol, pixel, isClosed }: Target & { readonly isClosed: boolean },
): void {
  context.beginPath();
  for (const path of paths) {
    let last: readonly [number, number] | undefined;
    for (const [index, position] of path.entries()) {
      const [x, y] = pixel(position);
      const isNear = last !== undefined && Math.abs(x - last[0]) < LEAST_STEP && Math.abs(y - last[1]) < LEAST_STEP;
      if (isNear && index < path.length - 1) continue;
      if (last === undefined) context.moveTo(x, y);
      else context.lineTo(x, y);
      last = [x, y];
    }
    if (isClosed) context.closePath();
  }
  paint(context, symbol, isClosed);
}

const LEAST_STEP = 0.25;

function drawMark(context: SKRSContext2D, position: Position, { symbol, pixel }: Target): void {
  const { shape, size } = symbol.mark ?? { shape: 'circle', size: 6 };
  const [x, y] = pixel(position);
  context.beginPath();
  if (shape === 'circle') context.arc(x, y, size / 2, 0, 2 * Math.PI);
  else {
    for (const [index, [dx, dy]] of OUTLINES[shape].entries()) {
      const [px, py] = [x + (dx * size) / 2, y + (dy * size) / 2];
      if (index === 0) context.moveTo(px, py);
      else context.lineTo(px, py);
    }
    context.closePath();
  }
  paint(context, symbol, true);
}

type Outline = readonly (readonly [x: number, y: number])[];

const starPoint = (_: unknown, index: number): readonly [number, number] => {
  const [radius, angle] = [index % 2 === 0 ? 1 : 0.4, (index * Math.PI) / 5];
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
};

const BAR = 1 / 3;
const CROSS: Outline = [
  [-BAR, -1],
  [BAR, -1],
  [BAR, -BAR],
  [1, -BAR],
  [1, BAR],
  [BAR, BAR],
  [BAR, 1],
  [-BAR, 1],
  [-BAR, BAR],
  [-1, BAR],
  [-1, -BAR],
  [-BAR, -BAR],
];

/** Outlines of marks within a square from -1 to 1, y downwards. */
const OUTLINES: Readonly<Record<Exclude<PointSymbol['shape'], 'circle'>, Outline>> = {
  square: [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ],
  triangle: [
    [0, -1],
    [1, 1],
    [-1, 1],
  ],
  star: Array.from({ length: 10 }, starPoint),
  cross: CROSS,
  x: CROSS.map(([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2] as const),
};

function paint(context: SKRSContext2D, { fill, stroke }: Symbol, isArea: boolean): void {
  if (isArea && fill !== undefined) {
    context.fillStyle = fill;
    // A ring within another ring is a hole, whatever its direction.
    context.fill('evenodd');
  }
  if (stroke === undefined || stroke.width <= 0) return;
  context.strokeStyle = stroke.color;
  context.lineWidth = stroke.width;
  context.lineJoin = 'round';
  context.setLineDash([...(stroke.dashes ?? [])]);
  context.stroke();
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Free margin around a label, pixels. */
const GAP = 4;

function drawLabel(
  context: SKRSContext2D,
  geometry: Geometry,
  { symbol: { label }, pixel, placed }: Target & { readonly placed: Box[] },
): void {
  if (label === undefined || label.text === '') return;
  const anchor = middleOf(geometry);
  if (anchor === undefined) return;
  const [x, y] = pixel(anchor);
  context.font = `${label.size}px ${FONT_FAMILY}`;
  const half = context.measureText(label.text).width / 2 + GAP;
  const box: Box = { left: x - half, right: x + half, top: y - label.size / 2 - GAP, bottom: y + label.size / 2 + GAP };
  if (box.right < 0 || box.bottom < 0 || box.left > context.canvas.width || box.top > context.canvas.height) return;
  if (placed.some((each) => meets(each, box))) return;
  placed.push(box);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  if (label.halo !== undefined) {
    context.strokeStyle = label.halo;
    context.lineWidth = 3;
    context.lineJoin = 'round';
    context.setLineDash([]);
    context.strokeText(label.text, x, y);
  }
  context.fillStyle = label.color;
  context.fillText(label.text, x, y);
}

const meets = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Position of a label: the point, the middle position of a line, or the centre of area of the largest outer ring. */
function middleOf(geometry: Geometry): Position | undefined {
  if (geometry.type === 'GeometryCollection')
    return geometry.geometries.map(middleOf).find((each) => each !== undefined);
  if (geometry.type === 'Point') return geometry.coordinates;
  if (geometry.type === 'MultiPoint') return geometry.coordinates[0];
  if (geometry.type === 'LineString') return middleOfLine(geometry.coordinates);
  if (geometry.type === 'MultiLineString')
    return middleOfLine(geometry.coordinates.toSorted((a, b) => b.length - a.length)[0] ?? []);
  const outer =
    geometry.type === 'Polygon' ? [geometry.coordinates[0] ?? []] : geometry.coordinates.map(([ring = []]) => ring);
  return outer.map(centreOf).toSorted((a, b) => b.area - a.area)[0]?.position;
}

const middleOfLine = (line: readonly Position[]): Position | undefined => line[Math.floor(line.length / 2)];

/**
 * Centre of area and area (square degrees) of a ring. The sums use coordinates relative to the first position, because
 * large sums lose precision.
 */
function centreOf(ring: readonly Position[]): { readonly position: Position | undefined; readonly area: number } {
  const [[x0 = 0, y0 = 0] = []] = ring;
  let [area, x, y] = [0, 0, 0];
  for (const [index, [ax = 0, ay = 0]] of ring.entries()) {
    const [bx = 0, by = 0] = ring[(index + 1) % ring.length] ?? [];
    const cross = (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
    area += cross / 2;
    x += ((ax + bx - 2 * x0) * cross) / 6;
    y += ((ay + by - 2 * y0) * cross) / 6;
  }
  if (area === 0) return { position: ring[0], area: 0 };
  return { position: [x0 + x / area, y0 + y / area], area: Math.abs(area) };
}
