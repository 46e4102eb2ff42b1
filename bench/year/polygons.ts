import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mws } from '@headwater/core';
import { boxPolygon } from '../../scripts/boxes.mjs';

type Shape = Mws['geometry'];
type Collection = {
  readonly features: readonly { readonly properties: { readonly uid: string }; readonly geometry: Shape }[];
};

const isPolygon = (geometry: Shape): geometry is Extract<Shape, { type: 'Polygon' }> => geometry.type === 'Polygon';

function unionBox(shapes: readonly Shape[]): Shape {
  const points = shapes.flatMap((shape) => (isPolygon(shape) ? [shape.coordinates] : shape.coordinates)).flat(2);
  const of = (axis: 0 | 1): number[] => points.map((point) => point[axis] ?? Number.NaN);
  const [west, east] = [of(0).reduce((a, b) => Math.min(a, b)), of(0).reduce((a, b) => Math.max(a, b))];
  const [south, north] = [of(1).reduce((a, b) => Math.min(a, b)), of(1).reduce((a, b) => Math.max(a, b))];
  return boxPolygon({ west, south, east, north });
}

/** Returns the tehsil of a folder of scenes: its micro-watersheds and their box (lon/lat). */
export function benchTehsil(scenes: string): {
  readonly geometry: Shape;
  readonly mws: readonly Pick<Mws, 'uid' | 'geometry'>[];
} {
  const { features } = JSON.parse(readFileSync(join(scenes, 'polygons.geojson'), 'utf8')) as Collection;
  const mws = features.map(({ properties, geometry }) => ({ uid: properties.uid, geometry }));
  return { geometry: unionBox(mws.map((one) => one.geometry)), mws };
}
