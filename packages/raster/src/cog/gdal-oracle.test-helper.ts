import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gdalPython } from '../../../../scripts/gdal-variants.mjs';

export { gdalPython };

/** GDAL's report on a file: metadata, and columns and rows of each level (`sizes`). */
export interface GdalReport {
  readonly epsg: string;
  readonly geoTransform: readonly number[];
  readonly nodata: number | null;
  readonly type: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly layout: string | null;
  readonly predictor: string | null;
  readonly colors: readonly (readonly number[])[] | null;
  readonly sizes: readonly (readonly [number, number])[];
  /** Errors and warnings of GDAL's COG validator (full check); empty for a valid COG. */
  readonly problems: readonly string[];
}

/** True if GDAL is missing. Then also prints why the suite is skipped. */
export function skipWithoutGdal(suite: string): boolean {
  if (gdalPython === undefined)
    console.warn(
      `${suite}: skipped, no Python with GDAL (Debian: gdal-bin python3-gdal; or set HEADWATER_GDAL_PYTHON)`,
    );
  return gdalPython === undefined;
}

/** Runs GDAL's COG validator (full check) on a file. Returns its output; '' for a valid file. */
export function validateCog(path: string): string {
  const args = ['-m', 'osgeo_utils.samples.validate_cloud_optimized_geotiff', '--full-check=yes', path];
  const { status, stdout, stderr } = spawnSync(gdalPython ?? 'python3', args, { encoding: 'utf8' });
  return status === 0 && !/warning/i.test(stdout) ? '' : `${stdout}${stderr}`;
}

const INSPECT = `
import json, sys
from osgeo import gdal, osr
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate
path, out, rule = sys.argv[1:4]
warnings, errors, _ = validate(path, full_check=True)
gdal.UseExceptions()
d = gdal.Open(path); b = d.GetRasterBand(1); t = b.GetColorTable()
n = b.GetOverviewCount()
levels = [b] + [b.GetOverview(i) for i in range(n)]
for i, level in enumerate(levels):
    level.ReadAsArray().tofile(f'{out}/level{i}.raw')
if rule != 'none' and n:
    m = gdal.GetDriverByName('GTiff').Create('/vsimem/m.tif', d.RasterXSize, d.RasterYSize, 1, b.DataType)
    if b.GetNoDataValue() is not None: m.GetRasterBand(1).SetNoDataValue(b.GetNoDataValue())
    m.WriteArray(d.ReadAsArray())
    m.BuildOverviews(rule, [2 ** (i + 1) for i in range(n)])
    for i in range(n):
        m.GetRasterBand(1).GetOverview(i).ReadAsArray().tofile(f'{out}/gdal{i + 1}.raw')
print(json.dumps({
    'problems': errors + warnings, 'epsg': d.GetSpatialRef().GetAuthorityCode(None), 'geoTransform': d.GetGeoTransform(), 'nodata': b.GetNoDataValue(),
    'type': gdal.GetDataTypeName(b.DataType), 'description': b.GetDescription(), 'metadata': b.GetMetadata(),
    'layout': d.GetMetadataItem('LAYOUT', 'IMAGE_STRUCTURE'), 'predictor': d.GetMetadataItem('PREDICTOR', 'IMAGE_STRUCTURE'),
    'colors': [t.GetColorEntry(i) for i in range(t.GetCount())] if t else None,
    'sizes': [(level.XSize, level.YSize) for level in levels]}))
`;

/**
 * Writes the pixels of each level as GDAL reads them to `folder` (`level{i}.raw`, little-endian). Unless `rule` is
 * `none`, also writes GDAL's own overviews (`gdal{i}.raw`).
 */
export function inspectWithGdal(
  path: string,
  folder: string,
  rule: 'mode' | 'average' | 'nearest' | 'none',
): GdalReport {
  const text = execFileSync(gdalPython ?? 'python3', ['-c', INSPECT, path, folder, rule], { encoding: 'utf8' });
  const report: GdalReport = JSON.parse(text);
  return report;
}

/** Reads the raw bytes that `inspectWithGdal` wrote. */
export function rawLevel(folder: string, name: string): Buffer {
  return readFileSync(join(folder, `${name}.raw`));
}
