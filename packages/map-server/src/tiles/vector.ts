import type { MapLayer } from '@headwater/core/ports';
import type { Geometry, Position } from 'geojson';
import { fromMercator, toMercator } from '../encodings/coordinates.ts';
import type { FeatureBox, FeatureTable, MapFeature } from '../features/feature-table.ts';
import type { Turn } from '../protocol/turns.ts';
import type { Tile } from './matrix.ts';
import { EXTENT, type MvtFeature, MvtLayer, type MvtValues, mvtValues } from './mvt.ts';
import { clipLine, clipRing } from './tile-clip.ts';

/** Deepest zoom of vector tiles; programs draw deeper zooms from these tiles. */
export const VECTOR_ZOOM = 14;
/** Margin of a tile in tile coordinates, so that cut edges of polygons are not drawn inside the tile. */
const BUFFER = 64;
const HALF = Math.PI * 6378137;

/** Part of a geometry in the unit square of EPSG:3857 (0,0 is north-west); rings are not closed. */
interface Shape {
  readonly type: MvtFeature['type'];
  /** Polygons: one group for each polygon, with its rings. Lines or points: one group. */
  readonly groups: readonly (readonly UnitLine[])[];
}

/** Positions x, y, x, y in the unit square, and their box. */
interface UnitLine {
  readonly coordinates: Float64Array;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Shapes of features. An entry is freed together with its feature. */
const shapes = new WeakMap<MapFeature, readonly Shape[]>();
/** Encoded values of tables. An entry is freed together with its table. */
const encoded = new WeakMap<FeatureTable, MvtValues>();

/** Values of a table, encoded at the first request for a tile. */
async function valuesOf(table: FeatureTable, turn: Turn): Promise<MvtValues> {
  const values = encoded.get(table) ?? (await mvtValues(table, turn));
  encoded.set(table, values);
  return values;
}

/** A layer to write as tiles, and the time slices of the request. */
export interface TileSource {
  readonly layer: MapLayer;
  readonly table: FeatureTable;
  readonly turn: Turn;
}

/** Writes a Mapbox Vector Tile; undefined without features. */
export async function vectorTile(
  { layer, table, turn }: Omit<TileSource, 'layer'> & { readonly layer: Pick<MapLayer, 'name'> },
  { zoom, col, row }: Tile,
): Promise<Uint8Array | undefined> {
  const size = 2 ** zoom;
  const square: Square = { left: col / size, top: row / size, scale: size * EXTENT };
  const found = table.inBox(boxOf(square));
  if (found.length === 0) return undefined;
  const values = await valuesOf(table, turn);
  const written = new MvtLayer(layer.name, { columns: table.columns, values }, found.length);
  for (const at of found) {
    if (turn.isOver()) await turn.next();
    for (const feature of inTile(table.features[at]!, at, square)) written.add(feature);
  }
  return written.count === 0 ? undefined : written.end();
}

/** North-west corner of a tile in the unit square, and tile coordinates per unit (`scale`). */
interface Square {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

function boxOf({ left, top, scale }: Square): FeatureBox {
  const margin = BUFFER / scale;
  const width = EXTENT / scale;
  const at = (x: number, y: number): readonly [number, number] => fromMercator((2 * x - 1) * HALF, (1 - 2 * y) * HALF);
  const [west, north] = at(left - margin, top - margin);
  const [east, south] = at(left + width + margin, top + width + margin);
  // Features beyond EPSG:3857 (85 degrees) are drawn at its edge, so the box of an edge tile extends to the pole.
  return [west, top + width >= 1 ? -90 : south, east, top <= 0 ? 90 : north];
}

function inTile(feature: MapFeature, row: number, square: Square): readonly MvtFeature[] {
  return shapesOf(feature).flatMap(({ type, groups }) => {
    const parts = groups.flatMap((group) => PARTS[type](group, square));
    return parts.length === 0 ? [] : [{ id: row + 1, row, type, parts }];
  });
}

const LOW = -BUFFER;
const HIGH = EXTENT + BUFFER;

type Whole = ArrayLike<number>;

/** Cuts a group to a tile, in whole tile coordinates. */
const PARTS: Readonly<Record<MvtFeature['type'], (group: readonly UnitLine[], square: Square) => Whole[]>> = {
  point(group, square) {
    const inside: number[] = [];
    for (const points of group) {
      const coordinates = scaled(points, square);
      for (let at = 0; at < coordinates.length; at += 2) {
        const [x, y] = [coordinates[at]!, coordinates[at + 1]!];
        if (x >= LOW && x <= HIGH && y >= LOW && y <= HIGH) inside.push(Math.round(x), Math.round(y));
      }
    }
    return inside.length === 0 ? [] : [inside];
  },
  line: (group, square) =>
    group.flatMap((line) => {
      const lines = isInside(line, square)
        ? [snapped(line.coordinates, square)]
        : clipLine(scaled(line, square), LOW, HIGH).map((part) => snapped(part));
      return lines.filter((part) => part.length >= 4);
    }),
  polygon(group, square) {
    const rings: Whole[] = [];
    for (const [at, ring] of group.entries()) {
      const kept = isInside(ring, square)
        ? snappedRing(snapped(ring.coordinates, square))
        : snappedRing(snapped(clipRing(scaled(ring, square), LOW, HIGH)));
      const area = kept.length < 6 ? 0 : twiceArea(kept);
      if (area === 0) {
        // If the outer ring is outside of the tile, its holes are outside too.
        if (at === 0) return [];
        continue;
      }
      rings.push(area > 0 === (at === 0) ? kept : reversed(kept));
    }
    return rings;
  },
};

const isInside = (line: UnitLine, { left, top, scale }: Square): boolean =>
  (line.left - left) * scale >= LOW &&
  (line.right - left) * scale <= HIGH &&
  (line.top - top) * scale >= LOW &&
  (line.bottom - top) * scale <= HIGH;

function scaled({ coordinates: unit }: UnitLine, { left, top, scale }: Square): number[] {
  const coordinates: number[] = [];
  for (let at = 0; at < unit.length; at += 2)
    coordinates.push((unit[at]! - left) * scale, (unit[at + 1]! - top) * scale);
  return coordinates;
}

/** Leaves tile coordinates unchanged. */
const AS_THEY_ARE: Square = { left: 0, top: 0, scale: 1 };

/** Scales and rounds positions to a tile; equal neighbours are joined. */
function snapped(coordinates: Whole, { left, top, scale }: Square = AS_THEY_ARE): Int32Array {
  const kept = new Int32Array(coordinates.length);
  let count = 0;
  for (let at = 0; at < coordinates.length; at += 2) {
    const x = Math.round((coordinates[at]! - left) * scale);
    const y = Math.round((coordinates[at + 1]! - top) * scale);
    if (count > 0 && x === kept[count - 2] && y === kept[count - 1]) continue;
    kept[count] = x;
    kept[count + 1] = y;
    count += 2;
  }
  return kept.subarray(0, count);
}

/** Leaves out a last position that equals the first. */
function snappedRing(ring: Int32Array): Int32Array {
  const last = ring.length - 2;
  return last > 0 && ring[0] === ring[last] && ring[1] === ring[last + 1] ? ring.subarray(0, last) : ring;
}

/** Twice the signed area. Positive for a ring that is clockwise on the map, because y grows to the south. */
function twiceArea(ring: Whole): number {
  let sum = 0;
  let before = ring.length - 2;
  for (let at = 0; at < ring.length; before = at, at += 2)
    sum += ring[before]! * ring[at + 1]! - ring[at]! * ring[before + 1]!;
  return sum;
}

function reversed(ring: Int32Array): Int32Array {
  const turned = new Int32Array(ring.length);
  for (let from = ring.length - 2, to = 0; from >= 0; from -= 2, to += 2) {
    turned[to] = ring[from]!;
    turned[to + 1] = ring[from + 1]!;
  }
  return turned;
}

function shapesOf(feature: MapFeature): readonly Shape[] {
  const known = shapes.get(feature);
  if (known !== undefined) return known;
  const found = feature.geometry === null ? [] : shapesOfGeometry(feature.geometry);
  shapes.set(feature, found);
  return found;
}

function shapesOfGeometry(geometry: Geometry): readonly Shape[] {
  switch (geometry.type) {
    case 'Point':
      return [{ type: 'point', groups: [[unit([geometry.coordinates])]] }];
    case 'MultiPoint':
      return [{ type: 'point', groups: [[unit(geometry.coordinates)]] }];
    case 'LineString':
      return [{ type: 'line', groups: [[unit(geometry.coordinates)]] }];
    case 'MultiLineString':
      return [{ type: 'line', groups: [geometry.coordinates.map(unit)] }];
    case 'Polygon':
      return [{ type: 'polygon', groups: [geometry.coordinates.map(unitRing)] }];
    case 'MultiPolygon':
      return [{ type: 'polygon', groups: geometry.coordinates.map((rings) => rings.map(unitRing)) }];
    default:
      return geometry.geometries.flatMap(shapesOfGeometry);
  }
}

const unitRing = (ring: readonly Position[]): UnitLine => unit(ring.slice(0, -1));

function unit(positions: readonly Position[]): UnitLine {
  const coordinates = new Float64Array(2 * positions.length);
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [at, [lon = 0, lat = 0]] of positions.entries()) {
    const [metresX, metresY] = toMercator(lon, lat);
    const [x, y] = [(metresX / HALF + 1) / 2, (1 - metresY / HALF) / 2];
    coordinates[2 * at] = x;
    coordinates[2 * at + 1] = y;
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  }
  return { coordinates, left, top, right, bottom };
}

const FIELD_TYPES = { string: 'String', integer: 'Number', number: 'Number', boolean: 'Boolean' } as const;

/** Entry of a layer in the list `vector_layers`: its name, its title, and the types of its columns. */
export function vectorLayer({ name, title }: Pick<MapLayer, 'name' | 'title'>, { columns }: FeatureTable) {
  const fields = Object.fromEntries(columns.map((column) => [column.name, FIELD_TYPES[column.type]]));
  return { id: name, description: title, minzoom: 0, maxzoom: VECTOR_ZOOM, fields };
}

/** TileJSON 3.0 of vector tiles. `tiles`: address with `{z}`, `{x}` and `{y}`. */
export function vectorTileJson(layer: MapLayer, table: FeatureTable, tiles: string) {
  const bounds = table.box ?? layer.box;
  return {
    tilejson: '3.0.0',
    name: layer.title,
    description: layer.abstract,
    scheme: 'xyz',
    tiles: [tiles],
    minzoom: 0,
    maxzoom: VECTOR_ZOOM,
    ...(bounds === null ? {} : { bounds, center: centerOf(bounds) }),
    vector_layers: [vectorLayer(layer, table)],
  };
}

/** Middle of a box, and the zoom at which the box is about one tile. */
export function centerOf([west, south, east, north]: FeatureBox): readonly [lon: number, lat: number, zoom: number] {
  const span = Math.max(east - west, north - south, 360 / 2 ** VECTOR_ZOOM);
  return [
    (west + east) / 2,
    (south + north) / 2,
    Math.min(VECTOR_ZOOM, Math.max(0, Math.floor(Math.log2(360 / span)))),
  ];
}
