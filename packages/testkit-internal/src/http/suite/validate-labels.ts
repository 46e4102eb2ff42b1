import { EXAMPLE_LAYERS } from '@headwater/http-service';

/** Column and row in the map, with fractions. A pixel has sides of 0.001 degrees. */
export type Position = readonly [col: number, row: number];

const lonLat = ([col, row]: Position): number[] => [85 + col / 1000, 24.1 - row / 1000];
export const feature = (label: unknown, geometry: unknown): unknown => ({
  type: 'Feature',
  properties: { label, surveyor: 'Asha' },
  geometry,
});
export const point = (label: unknown, at: Position): unknown =>
  feature(label, { type: 'Point', coordinates: lonLat(at) });
export const collection = (features: readonly unknown[]): object => ({ type: 'FeatureCollection', features });
export const ring = (corners: readonly Position[]): number[][] => [...corners, ...corners.slice(0, 1)].map(lonLat);

const line = { type: 'LineString', coordinates: [lonLat([1, 1]), lonLat([2, 2])] };
const open = {
  type: 'Polygon',
  coordinates: [
    ring([
      [1, 1],
      [2, 1],
      [2, 2],
      [1, 2],
    ]).slice(0, 4),
  ],
};
const many = Array.from({ length: 20_001 }, () => 0);

interface RefusedRequest {
  readonly name: string;
  /** Members to replace in a valid request. */
  readonly change: Readonly<Record<string, unknown>>;
  /** Invalid field, which the error must name together with `message`. */
  readonly field: string;
  readonly message: RegExp;
}

const ROWS: readonly (readonly [string, RefusedRequest['change'], string, RegExp])[] = [
  ['not a collection', { labels: { type: 'Feature' } }, 'labels', /FeatureCollection/],
  ['not an object', { labels: [1] }, 'labels', /./],
  ['no features', { labels: collection([]) }, 'labels', /features is empty/],
  ['a line', { labels: collection([feature('trees', line)]) }, 'labels', /features\[0\]: geometry.type must be/],
  ['an open ring', { labels: collection([feature('trees', open)]) }, 'labels', /is open/],
  ['no label', { labels: collection([point(undefined, [1, 1])]) }, 'labels', /properties.label is missing/],
  ['a missing label property', { label_property: 'cover' }, 'labels', /properties.cover is missing/],
  [
    'a coordinate that is not a number',
    { labels: collection([point('trees', [Number.NaN, 1])]) },
    'labels',
    /two numbers/,
  ],
  [
    'another CRS',
    {
      labels: {
        ...collection([point('trees', [1, 1])]),
        crs: { properties: { name: 'urn:ogc:def:crs:EPSG::32644' } },
      },
    },
    'labels',
    /crs names another CRS.*ogr2ogr/,
  ],
  ['a nested label', { labels: collection([point({ a: 1 }, [1, 1])]) }, 'labels', /label must be a number or a text/],
  [
    'coordinates in metres',
    { labels: collection([point('trees', [1e9, 1e9])]) },
    'labels',
    /metres of a projected CRS/,
  ],
  ['too many features', { labels: collection(many) }, 'labels', /the maximum is 20000/],
  ['a broken legend', { legend: { classes: [{ name: 'a' }] } }, 'legend', /classes\[0\].map must be a list/],
  ['an unknown method', { polygons: 'mean' }, 'polygons', /majority or pixels/],
  [
    'a vector layer',
    { workspace: EXAMPLE_LAYERS.vector.workspace, layer_name: EXAMPLE_LAYERS.vector.name },
    'layer_name',
    /raster layer/,
  ],
  ['an unknown account', { eo_account_id: 99 }, 'eo_account_id', /99/],
];

/** Requests whose error must name the invalid field. */
export const REFUSED = ROWS.map(([name, change, field, message]): RefusedRequest => ({ name, change, field, message }));

/** Legend of the layer's two classes. */
export const LEGEND = {
  classes: [
    { name: 'built_up', map: [1], reference: ['built_up'] },
    { name: 'trees', map: [2], reference: ['trees', 'forest'] },
  ],
};

/** Labels for the map. Eight labels can be compared, and seven of these agree with the map. */
export const POINTS = collection([
  ...[5, 15, 25, 35].map((col) => point('built_up', [col + 0.5, 20.5])),
  point('Built_Up', [75.5, 20.5]),
  ...[65, 85].map((col) => point('trees', [col + 0.5, 40.5])),
  point('forest', [95.5, 40.5]),
  point('trees', [75.5, 95.5]),
  point('trees', [500, 500]),
  point('mangrove', [75.5, 40.5]),
]);
