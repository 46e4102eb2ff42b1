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
    'Name of the published raster layer, e.g. LULC_21_22_sample_district_sample_tehsil_level_3. To find both names, look at the address of the asset `data` of its Item: it contains `CoverageId=WORKSPACE:NAME`.',
  ),
  labels: z
    .record(z.string(), z.unknown())
    .describe(
      "GeoJSON FeatureCollection (longitude, latitude) of points or polygons, each with the property `label`: a class of the legend. At most 20,000 features. The whole body must not exceed the service's limit (1 MiB unless the operator changes it); a larger body gets status 413. Use `npm run validate` for more labels. Equal labels at one place count once.",
    ),
  labelProperty: name('Property that holds the label; default: label.').optional(),
  legend: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Mapping of values of the layer and of labels to common classes: {"classes": [{"name", "title", "map": [values], "reference": [labels]}], "nodata": {"map": [], "reference": []}}. ' +
        'Default: the classes of the layer; a label is then the value, name or title of a class in `classification:classes` of its Item. Samples whose label is in no class are left out and counted; if none is left, the run fails.',
    ),
  polygons: z
    .enum(['majority', 'pixels'], 'must be majority or pixels')
    .optional()
    .describe(
      'majority (default): a polygon is one sample, with the most frequent class of its pixels. pixels: each pixel is a sample.',
    ),
});

/** A request to validate a layer. */
export type ValidateRequest = Readonly<z.infer<typeof validateRequest>>;

const geometry = z.union([
  z.object({ type: z.literal('Point'), coordinates: z.array(z.number()) }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(z.array(z.array(z.number()))) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(z.array(z.array(z.number())))) }),
]);

/** Labels as a run stores them: only label and geometry. */
export const storedLabels = z.array(z.object({ label: z.union([z.number(), z.string()]), geometry }));

/** One label as it is stored with a run. */
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
  /** JSON text of the labels and the legend (null for the layer's own legend). */
  bulk: z.string(),
});

/** Parameters of a validation. */
export type ValidateParams = Readonly<z.infer<typeof validateParams>>;

/** Content of `ValidateParams.bulk`. */
export const validateBulk = z.object({ labels: storedLabels, legend: z.unknown() });
