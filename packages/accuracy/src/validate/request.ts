import { eoAccountField, placeFields } from '@headwater/core';
import { z } from 'zod';

const name = (what: string) =>
  z.string().min(1, 'is empty; give a name').max(200, 'At most 200 characters.').describe(what);

/** Request of a validation. */
export const validateRequest = z.object({
  ...placeFields,
  ...eoAccountField,
  workspace: name('Workspace of the published raster layer, e.g. LULC_level_3.'),
  layerName: name(
    'Name of the published raster layer: what follows the workspace and a colon in `CoverageId` of the asset `data` of its Item, e.g. LULC_21_22_sample_district_sample_tehsil_level_3.',
  ),
  labels: z
    .record(z.string(), z.unknown())
    .describe(
      "GeoJSON FeatureCollection (longitude, latitude) of points or polygons, each with the property `label`: a class of the legend. At most 20,000 features, and the whole body within the service's limit (1 MiB unless it says otherwise; 413 above); more belong to `npm run validate`. A label of one place counts once.",
    ),
  labelProperty: name('Property that holds the label; default: label.').optional(),
  legend: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'How values of the layer and labels come together: {"classes": [{"name", "title", "map": [values], "reference": [labels]}], "nodata": {"map": [], "reference": []}}. ' +
        'Left out: the classes of the layer, each called by its value, name or title as in `classification:classes` of its Item. Samples whose label no class lists are left out and counted; where none is left the run fails.',
    ),
  polygons: z
    .enum(['majority', 'pixels'], 'must be majority or pixels')
    .optional()
    .describe(
      'majority (default): a polygon is one sample, of the class that most of its pixels have. pixels: each pixel is one.',
    ),
});

/** A request to validate a layer. */
export type ValidateRequest = Readonly<z.infer<typeof validateRequest>>;

const geometry = z.union([
  z.object({ type: z.literal('Point'), coordinates: z.array(z.number()) }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(z.array(z.array(z.number()))) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(z.array(z.array(z.number())))) }),
]);

/** Labels stored with a run: only label and geometry. */
export const storedLabels = z.array(z.object({ label: z.union([z.number(), z.string()]), geometry }));

/** One label as a run keeps it. */
export type StoredLabel = Readonly<z.infer<typeof storedLabels>[number]>;

/** Resolved parameters, as stored in the run. `bulk` is never sent in a response. */
export const validateParams = z.object({
  tehsilId: z.int(),
  eoAccountId: z.int(),
  workspace: z.string(),
  layerName: z.string(),
  polygons: z.enum(['majority', 'pixels']),
  /** Hex SHA-256 of `bulk`. */
  labelsSha256: z.string(),
  /** JSON text of the labels and the legend (null for the layer's own). */
  bulk: z.string(),
});

/** Parameters of a validation. */
export type ValidateParams = Readonly<z.infer<typeof validateParams>>;

/** Content of `ValidateParams.bulk`. */
export const validateBulk = z.object({ labels: storedLabels, legend: z.unknown() });
