import { type Clock, type Outline, placeSlug, type PlaceStore } from '@headwater/core';
import { multiCoordinates } from '@headwater/core/geo';
import type { PlaceLookups } from '@headwater/core/ports';
import { createByteLimitedCache } from '../../../caching/byte-limited-cache.ts';
import type { Ports } from '../../../deps.ts';
import { fewAtOnce } from '../../../items/few-at-once.ts';
import { type MapBox, type MapPlace, middleOf, unionOf } from '../../../pages/places-map.ts';
import { publishedPlaces } from './published-places.ts';

/** Simplified outlines of tehsils. */
export interface PlaceOutlines {
  /** Outline of the tehsil with a Collection; undefined if the tehsil has no boundary. `box` is the extent of its layers. */
  of(place: Pick<MapPlace, 'path' | 'box'>): Promise<SimpleOutline | undefined>;
}

type Position = readonly [longitude: number, latitude: number];

/** Rings of polygons, rounded. */
export interface SimpleOutline {
  readonly type: 'MultiPolygon';
  readonly coordinates: readonly (readonly (readonly Position[])[])[];
}

const MOST_BYTES = 16 * 1024 * 1024;
const BYTES_PER_POINT = 80;
/** Time for which an outline is kept, ms: boundaries change rarely, and a version of each would take a query. */
const FRESH_MS = 600_000;
/** Tolerance of an outline, as a share of the longer side of its place: a pixel of a map on which the place fills the screen. */
const TOLERANCE = 1 / 400;

interface Sources {
  readonly lookups: Pick<PlaceLookups, 'tehsilNamed'>;
  readonly places: Pick<PlaceStore, 'placeOfTehsil'>;
}

/** Creates the cache of outlines. */
export function createPlaceOutlines({ lookups, places }: Sources, clock: Clock): PlaceOutlines {
  const cache = createByteLimitedCache<string, SimpleOutline | undefined>({
    mostBytes: MOST_BYTES,
    sizeOf: (outline) => 200 + BYTES_PER_POINT * (outline?.coordinates.flat(2).length ?? 0),
  });
  const read = async ({ path, box }: Pick<MapPlace, 'path' | 'box'>): Promise<SimpleOutline | undefined> => {
    const [state = '', district = '', tehsil = ''] = path.split('/').map(placeSlug);
    const names = await lookups.tehsilNamed({ state, district, tehsil });
    const geometry = names && (await places.placeOfTehsil(names.tehsilId))?.tehsil.geometry;
    const [west, south, east, north] = box;
    return geometry ? simplified(geometry, TOLERANCE * Math.max(east - west, north - south)) : undefined;
  };
  return {
    of: async (place) => {
      const version = String(Math.floor(clock.now().getTime() / FRESH_MS));
      return await cache.of(place.path, { version, make: () => read(place) });
    },
  };
}

/** Simplifies an outline: no point of it is farther than `tolerance` (degrees) from the result. Holes smaller than that are left out. */
export function simplified(outline: Outline, tolerance: number): SimpleOutline {
  const polygons = multiCoordinates([outline]).map((rings) =>
    rings.flatMap((ring, index) => {
      const points = ring.map(([x = NaN, y = NaN]): Position => [x, y]);
      const kept = farPoints(points, tolerance);
      if (kept.length < 4) return index === 0 ? [points.slice(0, 4).concat(points.slice(0, 1))] : [];
      return [kept];
    }),
  );
  const rounded = polygons.map((rings) => rings.map((ring) => ring.map(([x, y]): Position => [digits(x), digits(y)])));
  return { type: 'MultiPolygon', coordinates: rounded };
}

const digits = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/** Points of a ring that its shape needs (Douglas and Peucker), after points that are close to the one before are left out. */
function farPoints(ring: readonly Position[], tolerance: number): readonly Position[] {
  const last = ring.length - 1;
  let [x, y] = [Infinity, Infinity];
  const points = ring.filter((point, index) => {
    const isKept = index === 0 || index === last || Math.hypot(point[0] - x, point[1] - y) > tolerance / 4;
    if (isKept) [x, y] = point;
    return isKept;
  });
  const kept = new Set([0, points.length - 1]);
  const spans: (readonly [from: number, to: number])[] = [[0, points.length - 1]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    let [farthest, most] = [-1, tolerance / 2];
    for (let index = from + 1; index < to; index++) {
      const distance = distanceTo(points[index]!, points[from]!, points[to]!);
      if (distance > most) [farthest, most] = [index, distance];
    }
    if (farthest === -1) continue;
    kept.add(farthest);
    spans.push([from, farthest], [farthest, to]);
  }
  return points.filter((_, index) => kept.has(index));
}

/** Distance of a point from a line between two points, which may be equal. */
function distanceTo([x, y]: Position, [fromX, fromY]: Position, [toX, toY]: Position): number {
  const [alongX, alongY] = [toX - fromX, toY - fromY];
  const squared = alongX ** 2 + alongY ** 2;
  const share = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - fromX) * alongX + (y - fromY) * alongY) / squared));
  return Math.hypot(x - fromX - share * alongX, y - fromY - share * alongY);
}

/** Largest number of places in one response with their outlines, and with their boxes; more are grouped. */
const MOST_OUTLINES = 60;
const MOST_BOXES = 300;
/** Columns and rows of the squares in which many places are grouped. */
const SQUARES = 20;

/** A place on the map, or several in a square: then `places` is their number, and `layers` the most layers of one of them. */
interface Feature {
  readonly type: 'Feature';
  readonly bbox: MapBox;
  readonly geometry: SimpleOutline | { readonly type: 'Polygon' | 'Point'; readonly coordinates: readonly unknown[] };
  readonly properties: Readonly<Record<string, string | number>>;
}

/** The places of a box as GeoJSON: outlines of a few places, boxes of some, and numbers of many, so that the size is limited. */
export async function outlinesIn(
  deps: Ports<'baseUrl' | 'placeOutlines' | 'stores'>,
  box: MapBox | undefined,
): Promise<{ readonly type: 'FeatureCollection'; readonly features: readonly Feature[] }> {
  const { onMap, placeOf } = await publishedPlaces(deps);
  const places = box === undefined ? onMap : onMap.filter((place) => overlaps(place.box, box));
  if (places.length > MOST_BOXES) return { type: 'FeatureCollection', features: grouped(places) };
  const outlines = await fewAtOnce(places.length > MOST_OUTLINES ? [] : places, (place) =>
    deps.placeOutlines.of(place),
  );
  const features = places.map((place, index): Feature => {
    const geometry = outlines[index] ?? { type: 'Polygon', coordinates: [cornersOf(place.box)] };
    const { name, above, href } = placeOf(place);
    return { type: 'Feature', bbox: place.box, geometry, properties: { name, above, href, layers: place.layers } };
  });
  return { type: 'FeatureCollection', features };
}

const overlaps = (one: MapBox, other: MapBox): boolean =>
  one[0] <= other[2] && one[2] >= other[0] && one[1] <= other[3] && one[3] >= other[1];

function cornersOf([west, south, east, north]: MapBox): readonly Position[] {
  const [w, s, e, n] = [digits(west), digits(south), digits(east), digits(north)];
  return [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
    [w, s],
  ];
}

function grouped(places: readonly MapPlace[]): readonly Feature[] {
  const [west, south, east, north] = unionOf(places.map(({ box }) => box));
  const at = (value: number, from: number, to: number): number =>
    Math.min(SQUARES - 1, Math.floor(((value - from) / (to - from || 1)) * SQUARES));
  const squares = Map.groupBy(places, ({ box }) => {
    const [x, y] = middleOf(box);
    return at(y, south, north) * SQUARES + at(x, west, east);
  });
  return Array.from(squares.values(), (own) => {
    const middles = own.map(({ box }) => middleOf(box));
    const mean = (axis: 0 | 1): number => digits(middles.reduce((sum, each) => sum + each[axis], 0) / own.length);
    return {
      type: 'Feature',
      bbox: unionOf(own.map(({ box }) => box)),
      geometry: { type: 'Point', coordinates: [mean(0), mean(1)] },
      properties: { places: own.length, layers: Math.max(...own.map(({ layers }) => layers)) },
    };
  });
}
