import { EXTENSIONS, type ExtensionName } from './extensions.ts';
import { sampleCollection, sampleRaster } from './samples.fixture.ts';

/** PROJJSON of WGS 84. */
export const WGS84_PROJJSON = {
  $schema: 'https://proj.org/schemas/v0.7/projjson.schema.json',
  type: 'GeographicCRS',
  name: 'WGS 84',
  datum: {
    type: 'GeodeticReferenceFrame',
    name: 'World Geodetic System 1984',
    ellipsoid: { name: 'WGS 84', semi_major_axis: 6_378_137, inverse_flattening: 298.257223563 },
    prime_meridian: { name: 'Greenwich', longitude: { value: 0, unit: 'degree' } },
  },
  coordinate_system: {
    subtype: 'ellipsoidal',
    axis: [
      { name: 'Geodetic latitude', abbreviation: 'Lat', direction: 'north', unit: 'degree' },
      { name: 'Geodetic longitude', abbreviation: 'Lon', direction: 'east', unit: 'degree' },
    ],
  },
  scope: 'Horizontal component of 3D system.',
  area: 'World.',
  bbox: { south_latitude: -90, west_longitude: -180, north_latitude: 90, east_longitude: 180 },
  id: { authority: 'EPSG', code: 4326 },
} as const;

const urls = (...names: readonly ExtensionName[]) => names.map((name) => EXTENSIONS[name]);
const CLASSES = [
  { value: 0, name: 'water' },
  { value: 1, name: 'land' },
];

/** A built Item with additional fields, which the builder does not write. */
export const extendedItem = () => {
  const item = sampleRaster();
  return {
    ...item,
    stac_extensions: [...new Set([...item.stac_extensions, ...urls('projection', 'classification')])],
    properties: {
      ...item.properties,
      'proj:projjson': WGS84_PROJJSON,
      'proj:geometry': {
        type: 'Polygon',
        bbox: [0, 0, 1, 1],
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
      'classification:bitfields': [
        { offset: 0, length: 1, classes: CLASSES },
        { offset: 1, length: 1, classes: CLASSES },
      ],
      'mlm:output': [{ name: 'cover', 'classification:classes': CLASSES }],
    },
  };
};

/** A built Collection with fields of extensions, and with a JSON Schema as a summary. */
export const extendedCollection = () => ({
  ...sampleCollection(),
  stac_extensions: urls('processing', 'classification', 'raster'),
  providers: [{ name: 'A', roles: ['producer'], 'processing:level': 'L1' }, { name: 'B' }],
  summaries: {
    'classification:classes': CLASSES,
    'raster:sampling': ['area', 'point'],
    'raster:scale': { minimum: 0, maximum: 1 },
    bands: [{ name: 'a', 'raster:scale': 1 }],
    'acme:depth': {
      type: ['number', 'null'],
      minLength: 0,
      allOf: [{ minimum: 0 }, true],
      properties: { a: { enum: [1, 2], required: ['b'] } },
    },
  },
});
