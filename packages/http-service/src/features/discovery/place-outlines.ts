import { hash } from 'node:crypto';
import { type Clock, type Outline, placeSlug, type PlaceStore } from '@headwater/core';
import { multiCoordinates } from '@headwater/core/geo';
import type { PlaceLookups } from '@headwater/core/ports';
import { createByteLimitedCache } from '@headwater/core/caching';
import type { MapPlace } from '../../pages/places-map.ts';

/** Simplified outlines of tehsils. */
export interface PlaceOutlines {
  /** Outline of a tehsil; undefined without a boundary. `box` is the extent of its layers. */
  of(place: Pick<MapPlace, 'path' | 'box'>): Promise<SimpleOutline | undefined>;
}

/** Longitude and latitude in degrees. */
export type Position = readonly [longitude: number, latitude: number];

/** Rings of polygons, rounded. */
export interface SimpleOutline {
  readonly type: 'MultiPolygon';
  readonly coordinates: readonly (readonly (readonly Position[])[])[];
}

const MOST_BYTES = 16 * 1024 * 1024;
const BYTES_PER_POINT = 80;
/**
 * Maximum time for which an outline is cached, ms. Cached outlines expire, because a check if the boundary has changed
 * would need a query.
 */
const FRESH_MS = 600_000;
/** Tolerance as a share of the longer side of `box`: about one pixel of the screen. */
const TOLERANCE = 1 / 400;
/** Smallest tolerance, degrees. */
const LEAST_TOLERANCE = 1e-4;

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
    const tolerance = Math.max(LEAST_TOLERANCE, TOLERANCE * Math.max(east - west, north - south));
    return geometry ? simplified(geometry, tolerance) : undefined;
  };
  return {
    of: async (place) => {
      const version = String(Math.floor((clock.now().getTime() + shareOf(place.path) * FRESH_MS) / FRESH_MS));
      return await cache.of(place.path, { version, make: () => read(place) });
    },
  };
}

/** A number from 0 to 1 that depends on the path, so that the outlines expire at different times. */
const shareOf = (path: string): number => Number.parseInt(hash('md5', path).slice(0, 8), 16) / 2 ** 32;

/** Simplifies an outline with a tolerance in degrees. Drops holes of which fewer than 4 points remain. */
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

/** Degrees rounded to about a metre. */
export const digits = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

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

function distanceTo([x, y]: Position, [fromX, fromY]: Position, [toX, toY]: Position): number {
  const [alongX, alongY] = [toX - fromX, toY - fromY];
  const squared = alongX ** 2 + alongY ** 2;
  const share = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - fromX) * alongX + (y - fromY) * alongY) / squared));
  return Math.hypot(x - fromX - share * alongX, y - fromY - share * alongY);
}
