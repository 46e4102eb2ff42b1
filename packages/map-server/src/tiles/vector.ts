import type { MapLayer } from '@headwater/core/ports';
import type { Geometry, Position } from 'geojson';
import { fromMercator, toMercator } from '../encodings/coordinates.ts';
import type { FeatureBox, FeatureTable, MapFeature } from '../features/feature-table.ts';
import type { Turn } from '../protocol/turns.ts';
import type { Tile } from './matrix.ts';
import { EXTENT, type MvtFeature, MvtLayer } from './mvt.ts';
import { clipLine, clipRing, type Coordinates } from './tile-clip.ts';

/** Deepest zoom of vector tiles in TileJSON and in files; programs draw deeper zooms from these tiles. */
export const VECTOR_ZOOM = 14;
/** Margin of a tile in its own coordinates, so that borders are not drawn at its edges. */
const BUFFER = 64;
/** Half of the width of the map of EPSG:3857, m. */
const HALF = Math.PI * 6378137;

/** Part of a geometry in the unit square of EPSG:3857 (0,0 is the north-west corner); rings are not closed. */
interface Shape {
  readonly type: MvtFeature['type'];
  /** For polygons, a group contains the rings of one polygon. For lines and points, one group contains all lines or all lists of points. */
  readonly groups: readonly (readonly Coordinates[])[];
}

/** Converted geometries. Entries disappear together with the table of their features. */
const shapes = new WeakMap<MapFeature, readonly Shape[]>();

/** A layer whose tiles are written, and the turn of the request for them. */
export interface TileSource {
  readonly layer: MapLayer;
  readonly table: FeatureTable;
  readonly turn: Turn;
}

/** Writes a tile of a layer as Mapbox Vector Tile; undefined if it has no feature. */
export async function vectorTile(
  { layer, table, turn }: Omit<TileSource, 'layer'> & { readonly layer: Pick<MapLayer, 'name'> },
  { zoom, col, row }: Tile,
): Promise<Uint8Array | undefined> {
  const size = 2 ** zoom;
  const square: Square = { left: col / size, top: row / size, scale: size * EXTENT };
  const written = new MvtLayer(layer.name, table.columns);
  for (const at of table.inBox(boxOf(square))) {
    if (turn.isOver()) await turn.next();
    for (const feature of inTile(table.features[at]!, at + 1, square)) written.add(feature);
  }
  return written.count === 0 ? undefined : written.end();
}

/** Place of a tile: its corner in the unit square, and tile coordinates per unit. */
interface Square {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

/** Box of a tile with its margin, degrees. */
function boxOf({ left, top, scale }: Square): FeatureBox {
  const margin = BUFFER / scale;
  const width = EXTENT / scale;
  const at = (x: number, y: number): readonly [number, number] => fromMercator((2 * x - 1) * HALF, (1 - 2 * y) * HALF);
  const [west, north] = at(left - margin, top - margin);
  const [east, south] = at(left + width + margin, top + width + margin);
  // Positions nearer to a pole than the map are moved to its edge.
  return [west, top + width >= 1 ? -90 : south, east, top <= 0 ? 90 : north];
}

function inTile(feature: MapFeature, id: number, square: Square): readonly MvtFeature[] {
  const { properties } = feature;
  return shapesOf(feature).flatMap(({ type, groups }) => {
    const parts = groups.flatMap((group) => PARTS[type](group, square));
    return parts.length === 0 ? [] : [{ id, type, parts, properties }];
  });
}

const LOW = -BUFFER;
const HIGH = EXTENT + BUFFER;

/** Converts a group to the parts that are in a tile, in whole tile coordinates. */
const PARTS: Readonly<Record<MvtFeature['type'], (group: readonly Coordinates[], square: Square) => Coordinates[]>> = {
  point(group, square) {
    const inside: number[] = [];
    for (const points of group) {
      const { coordinates } = scaled(points, square);
      for (let at = 0; at < coordinates.length; at += 2) {
        const [x, y] = [coordinates[at]!, coordinates[at + 1]!];
        if (x >= LOW && x <= HIGH && y >= LOW && y <= HIGH) inside.push(Math.round(x), Math.round(y));
      }
    }
    return inside.length === 0 ? [] : [inside];
  },
  line: (group, square) =>
    group.flatMap((line) => {
      const { coordinates, isInside } = scaled(line, square);
      const lines = isInside ? [coordinates] : clipLine(coordinates, LOW, HIGH);
      return lines.map(snapped).filter((part) => part.length >= 4);
    }),
  polygon(group, square) {
    const rings: Coordinates[] = [];
    for (const [at, ring] of group.entries()) {
      const { coordinates, isInside } = scaled(ring, square);
      const kept = snappedRing(isInside ? coordinates : clipRing(coordinates, LOW, HIGH));
      const area = kept.length < 6 ? 0 : twiceArea(kept);
      if (area === 0) {
        // A polygon without an outer ring has no holes either.
        if (at === 0) return [];
        continue;
      }
      rings.push(area > 0 === (at === 0) ? kept : reversed(kept));
    }
    return rings;
  },
};

function scaled(unit: Coordinates, { left, top, scale }: Square): { coordinates: Coordinates; isInside: boolean } {
  const coordinates: number[] = [];
  let isInside = true;
  for (let at = 0; at < unit.length; at += 2) {
    const x = (unit[at]! - left) * scale;
    const y = (unit[at + 1]! - top) * scale;
    isInside &&= x >= LOW && x <= HIGH && y >= LOW && y <= HIGH;
    coordinates.push(x, y);
  }
  return { coordinates, isInside };
}

/** Rounds positions to whole coordinates; positions that become equal to their predecessor are left out. */
function snapped(coordinates: Coordinates): number[] {
  const kept: number[] = [];
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  for (let at = 0; at < coordinates.length; at += 2) {
    const [x, y] = [Math.round(coordinates[at]!), Math.round(coordinates[at + 1]!)];
    if (x === lastX && y === lastY) continue;
    kept.push(x, y);
    [lastX, lastY] = [x, y];
  }
  return kept;
}

function snappedRing(coordinates: Coordinates): Coordinates {
  const kept = snapped(coordinates);
  if (kept.length > 2 && kept[0] === kept.at(-2) && kept[1] === kept.at(-1)) kept.length -= 2;
  return kept;
}

/** Twice the area of an unclosed ring; positive if it is clockwise on the map, because y grows to the south. */
function twiceArea(ring: Coordinates): number {
  let sum = 0;
  let before = ring.length - 2;
  for (let at = 0; at < ring.length; before = at, at += 2)
    sum += ring[before]! * ring[at + 1]! - ring[at]! * ring[before + 1]!;
  return sum;
}

function reversed(ring: Coordinates): Coordinates {
  const turned: number[] = [];
  for (let at = ring.length - 2; at >= 0; at -= 2) turned.push(ring[at]!, ring[at + 1]!);
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

const unitRing = (ring: readonly Position[]): Coordinates => unit(ring.slice(0, -1));

function unit(positions: readonly Position[]): Coordinates {
  const coordinates: number[] = [];
  for (const [lon = 0, lat = 0] of positions) {
    const [x, y] = toMercator(lon, lat);
    coordinates.push((x / HALF + 1) / 2, (1 - y / HALF) / 2);
  }
  return coordinates;
}

const FIELD_TYPES = { string: 'String', integer: 'Number', number: 'Number', boolean: 'Boolean' } as const;

/** Description of the layer in a tile: its name and the types of its columns, as TileJSON and the files of tiles have it. */
export function vectorLayer({ name, title }: Pick<MapLayer, 'name' | 'title'>, { columns }: FeatureTable) {
  const fields = Object.fromEntries(columns.map((column) => [column.name, FIELD_TYPES[column.type]]));
  return { id: name, description: title, minzoom: 0, maxzoom: VECTOR_ZOOM, fields };
}

/** TileJSON 3.0 of a layer's vector tiles. `tiles`: address of a tile with `{z}`, `{x}` and `{y}`. */
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

/** The middle of a box, and the zoom at which the box is about as large as a tile. */
export function centerOf([west, south, east, north]: FeatureBox): readonly [lon: number, lat: number, zoom: number] {
  const span = Math.max(east - west, north - south, 360 / 2 ** VECTOR_ZOOM);
  return [
    (west + east) / 2,
    (south + north) / 2,
    Math.min(VECTOR_ZOOM, Math.max(0, Math.floor(Math.log2(360 / span)))),
  ];
}
