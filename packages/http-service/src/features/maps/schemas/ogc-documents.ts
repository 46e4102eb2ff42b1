import { z } from 'zod';

const Link = z.looseObject({
  rel: z.string(),
  href: z.string(),
  type: z.string().optional(),
  title: z.string().optional(),
});
const links = z.array(Link);
const described = { title: z.string(), description: z.string() };

/** Landing page of an OGC API. */
export const OgcLanding = z.looseObject({ ...described, links }).meta({ id: 'OgcLanding' });

/** Conformance classes of an OGC API. */
export const OgcConformance = z.looseObject({ conformsTo: z.array(z.string()) }).meta({ id: 'OgcConformance' });

/** A layer of an OGC API. */
export const OgcCollection = z
  .looseObject({
    id: z.string().describe('`workspace:layer`'),
    ...described,
    extent: z.looseObject({
      spatial: z
        .looseObject({
          bbox: z.array(z.array(z.number())).describe('Boxes: west, south, east, north in degrees.'),
          crs: z.string().optional(),
        })
        .optional(),
      temporal: z.looseObject({ interval: z.array(z.array(z.string().nullable())) }).optional(),
    }),
    crs: z.array(z.string()).optional().describe('Coordinate systems of features.'),
    links,
  })
  .meta({ id: 'OgcCollection' });

/** The layers of an OGC API. */
export const OgcCollections = z
  .looseObject({ collections: z.array(OgcCollection), links })
  .meta({ id: 'OgcCollections' });

/** JSON Schema of a layer's features, or of the columns for filters. */
export const OgcSchema = z
  .looseObject({
    $schema: z.string(),
    $id: z.string(),
    title: z.string(),
    type: z.literal('object'),
    properties: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'OgcSchema' });

/** A feature of a layer. */
export const OgcFeature = z
  .looseObject({
    type: z.literal('Feature'),
    id: z.string().optional(),
    geometry: z.looseObject({ type: z.string() }).nullable(),
    properties: z.record(z.string(), z.unknown()).nullable(),
    links: links.optional(),
  })
  .meta({ id: 'OgcFeature' });

/** Features of a layer. */
export const OgcFeatures = z
  .looseObject({
    type: z.literal('FeatureCollection'),
    features: z.array(OgcFeature),
    numberMatched: z.int().optional(),
    numberReturned: z.int().optional(),
    links: links.optional(),
  })
  .meta({ id: 'OgcFeatures' });

const OgcLegend = z.looseObject({ Legend: z.array(z.looseObject({})) }).meta({ id: 'OgcLegend' });

/** JSON of WFS, WCS and WMS: features, or a legend. */
export const OgcServiceJson = z.union([OgcFeatures, OgcLegend]);

const matrixSet = { id: z.string(), title: z.string(), uri: z.string() };

/** The tile matrix sets of OGC API - Tiles. */
export const TileMatrixSets = z
  .looseObject({ tileMatrixSets: z.array(z.looseObject({ ...matrixSet, links })) })
  .meta({ id: 'TileMatrixSets' });

/** Scales and sizes of a tile matrix set. */
export const TileMatrixSet = z
  .looseObject({
    ...matrixSet,
    crs: z.string(),
    tileMatrices: z.array(
      z.looseObject({
        id: z.string(),
        cellSize: z.number(),
        scaleDenominator: z.number(),
        pointOfOrigin: z.array(z.number()),
        tileWidth: z.int(),
        tileHeight: z.int(),
        matrixWidth: z.int(),
        matrixHeight: z.int(),
      }),
    ),
  })
  .meta({ id: 'TileMatrixSet' });

const summary = {
  title: z.string(),
  dataType: z.enum(['map', 'vector']),
  crs: z.string(),
  tileMatrixSetURI: z.string(),
  links,
};

/** The tile sets of a layer. */
export const TileSets = z.looseObject({ tilesets: z.array(z.looseObject(summary)), links }).meta({ id: 'TileSets' });

/** Limits and addresses of a tile set. */
export const TileSet = z
  .looseObject({
    ...summary,
    boundingBox: z.looseObject({ lowerLeft: z.array(z.number()), upperRight: z.array(z.number()), crs: z.string() }),
    tileMatrixSetLimits: z.array(
      z.looseObject({
        tileMatrix: z.string(),
        minTileRow: z.int(),
        maxTileRow: z.int(),
        minTileCol: z.int(),
        maxTileCol: z.int(),
      }),
    ),
  })
  .meta({ id: 'TileSet' });

/** TileJSON 3.0.0. */
export const TileJson = z
  .looseObject({
    tilejson: z.literal('3.0.0'),
    name: z.string(),
    tiles: z.array(z.string()).describe('Addresses of the tiles, with {z}, {x} and {y}.'),
    minzoom: z.int(),
    maxzoom: z.int(),
    bounds: z.array(z.number()),
  })
  .meta({ id: 'TileJson' });

/** Errors of the map server as JSON: problem details or exception reports. */
export const OgcProblem = z.union([
  z
    .looseObject({
      title: z.string(),
      status: z.int(),
      detail: z.string(),
      code: z.string().describe('Exception code of the OGC standard, such as InvalidParameterValue.'),
      locator: z.string().optional().describe('Name of the wrong parameter.'),
    })
    .meta({ id: 'OgcProblem' }),
  z
    .looseObject({
      version: z.string(),
      status: z.int(),
      exceptions: z.array(z.looseObject({ code: z.string(), locator: z.string().optional(), text: z.string() })),
    })
    .meta({ id: 'OgcExceptions' }),
]);
