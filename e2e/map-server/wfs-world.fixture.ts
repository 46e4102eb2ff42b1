import type { Geometry } from 'geojson';
import { mapWorld, type MapWorld, type WorldFeature } from './map-world.fixture.ts';

const TEXTS = ['plain', "it's", '<b>&"', 'तहसील', 'İstanbul', '100%', ''] as const;

/** Properties of a feature, with values of every type, missing values, and a name that is not valid in XML. */
const rowOf = (at: number): WorldFeature['properties'] => ({
  uid: `12_${at}`,
  text: at % 11 === 3 ? null : (TEXTS[at % TEXTS.length] ?? ''),
  area_in_ha: at % 7 === 2 ? null : 1.5 + at / 3,
  count: at,
  wet: at % 5 === 4 ? null : at % 2 === 0,
  '2021-07-01': at - 50,
});

const round = (value: number): number => Math.round(value * 1e6) / 1e6;
const ring = (west: number, south: number, size: number): number[][] =>
  [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ].map((position) => position.map(round));

const GEOMETRIES: Readonly<Record<string, (at: number) => Geometry>> = {
  wells: (at) => ({ type: 'Point', coordinates: [round(85 + (at % 20) / 10), round(24 + Math.floor(at / 20) / 10)] }),
  streams: (at) => ({ type: 'LineString', coordinates: ring(85 + at / 100, 24 + at / 200, 0.005).slice(0, 4) }),
  // Every field has a hole; every second field also has a second part.
  fields: (at) => {
    const [west, south] = [85 + (at % 10) / 5, 24 + Math.floor(at / 10) / 5];
    const first = [ring(west, south, 0.1), ring(west + 0.02, south + 0.02, 0.03).toReversed()];
    return at % 2 === 0
      ? { type: 'Polygon', coordinates: first }
      : { type: 'MultiPolygon', coordinates: [first, [ring(west + 0.11, south, 0.02)]] };
  },
};

/** Features by layer name: points, lines, and a mixture of polygons and multipolygons. */
export const WORLD: Readonly<Record<string, readonly WorldFeature[]>> = Object.fromEntries(
  Object.entries(GEOMETRIES).map(([name, geometryOf]) => [
    name,
    Array.from({ length: 230 }, (_each, at) => ({ type: 'Feature', properties: rowOf(at), geometry: geometryOf(at) })),
  ]),
);

/** Starts a service and publishes layers of features in the workspace `field`. */
export const wfsWorld = (published: Readonly<Record<string, readonly WorldFeature[]>> = WORLD): Promise<MapWorld> =>
  mapWorld(
    Object.entries(published).map(([name, features]) => ({
      workspace: 'field',
      name,
      features,
      box: [85, 24, 89, 29],
    })),
  );
