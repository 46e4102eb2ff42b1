import type { MultiPolygon, Polygon, Position } from 'geojson';

interface Moments {
  readonly area: number;
  readonly x: number;
  readonly y: number;
}

/**
 * Centre of area of a lon/lat polygon, degrees. It may be outside of a concave polygon. Computed in the plane of
 * degrees: the error in a micro-watershed is below a metre.
 */
export function centroidOf(geometry: Polygon | MultiPolygon): readonly [lon: number, lat: number] {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const [lon0 = 0, lat0 = 0] = polygons[0]?.[0]?.[0] ?? [];
  // Coordinates are relative to a corner, because products of large coordinates lose precision.
  const rings = polygons.flatMap((each) => each.map((ring, index) => momentsOf(ring, { lon0, lat0, hole: index > 0 })));
  const { area, x, y } = rings.reduce((sum, ring) => ({
    area: sum.area + ring.area,
    x: sum.x + ring.x,
    y: sum.y + ring.y,
  }));
  return [lon0 + x / area, lat0 + y / area];
}

/** Area and moments of a ring: positive area for an exterior, negative for a hole, whichever direction the ring has. */
function momentsOf(
  ring: readonly Position[],
  { lon0, lat0, hole }: { readonly lon0: number; readonly lat0: number; readonly hole: boolean },
): Moments {
  let [area, x, y] = [0, 0, 0];
  for (let i = 0; i < ring.length; i++) {
    const [ax, ay] = [(ring[i]?.[0] ?? 0) - lon0, (ring[i]?.[1] ?? 0) - lat0];
    const next = ring[(i + 1) % ring.length];
    const [bx, by] = [(next?.[0] ?? 0) - lon0, (next?.[1] ?? 0) - lat0];
    const cross = ax * by - bx * ay;
    area += cross / 2;
    x += ((ax + bx) * cross) / 6;
    y += ((ay + by) * cross) / 6;
  }
  const sign = (area < 0 ? -1 : 1) * (hole ? -1 : 1);
  return { area: sign * area, x: sign * x, y: sign * y };
}
