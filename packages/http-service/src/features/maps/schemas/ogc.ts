import { z } from 'zod';

/** What is told of a parameter of an OGC request: a JSON Schema of one text. */
type Told = Readonly<{ type: 'string'; description: string; enum?: readonly string[] }>;
type Parameters = Readonly<Record<string, Told>>;

const told = (description: string, ...values: readonly string[]): Told => ({
  type: 'string',
  description,
  ...(values.length === 0 ? {} : { enum: values }),
});

const RUN = told('Id of a run: what it published, in place of the newest version.');
const COVERAGE = 'Name of a raster layer, {workspace}:{layer}';

/** Of WCS GetCoverage. */
export const WCS_PARAMETERS: Parameters = {
  service: told('The service.', 'WCS'),
  version: told('Its version.', '2.0.1'),
  request: told('What is asked for.', 'GetCoverage'),
  CoverageId: told(`${COVERAGE}.`),
  format: told('GeoTIFF is the only one; may be left out.', 'geotiff', 'image/tiff'),
  compression: told('Heard and not needed: the file is compressed.'),
  tiling: told('Heard and not needed: the file is tiled.'),
  tileHeight: told('Heard and not needed.'),
  tileWidth: told('Heard and not needed.'),
  run: RUN,
};

/** Of WFS GetFeature, at an address that answers WCS too. */
export const WFS_PARAMETERS: Parameters = {
  service: told('The service; with WCS the parameters are those of GetCoverage.', 'WFS', 'WCS'),
  version: told('Its version: 1.0.0 of WFS, 2.0.1 of WCS.', '1.0.0', '2.0.1'),
  request: told('What is asked for.', 'GetFeature', 'GetCoverage'),
  typeName: told('Name of a vector layer, {workspace}:{layer}; required with WFS (with WCS: CoverageId).'),
  CoverageId: told(`${COVERAGE}; required with WCS (with WFS: typeName).`),
  outputFormat: told('GeoJSON is the only one; required with WFS.', 'application/json', 'json'),
  srsName: told('Lon/lat is the only one; may be left out.', 'EPSG:4326'),
  run: RUN,
};

/** Key-value pairs of an OGC request: any are taken here, whatever the case of their names; these are told. */
export function keyValuePairs(properties: Parameters, required: readonly string[]): z.ZodType<Record<string, string>> {
  return z.record(z.string(), z.string()).meta({ properties, required });
}
