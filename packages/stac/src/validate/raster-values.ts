import { mayHold } from '../data-types.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { at, type Report } from './report.ts';

/** What pixels mean: the data of a raster have classes or bands with a data type, and values for no data are of the type. */
export function checkRasterValues(report: Report, assets: unknown, isRaster: boolean): void {
  if (!isObject(assets)) return;
  for (const [key, asset] of Object.entries(assets)) {
    if (!isObject(asset)) continue;
    const pointer = at('/assets', key);
    checkNodata(report, pointer, asset);
    bandsOf(asset).forEach((band, index) =>
      checkNodata(report, at(at(pointer, 'bands'), index), { data_type: asset['data_type'], ...band }),
    );
  }
  const data = assets['data'];
  if (!isRaster || !isObject(data) || isExplained(data)) return;
  report.add('/assets/data', {
    rule: 'raster.values',
    severity: 'warning',
    got: 'neither classes nor bands with a data_type',
    expected: 'classification:classes, or bands with data_type, nodata, unit and statistics',
    fix: 'say what the pixels mean',
    source: 'stac',
  });
}

const bandsOf = ({ bands }: JsonObject): readonly JsonObject[] => (isList(bands) ? bands.filter(isObject) : []);

function isExplained(data: JsonObject): boolean {
  const hasClasses = [data, ...bandsOf(data)].some((holder) => holder['classification:classes'] !== undefined);
  if (hasClasses || data['data_type'] !== undefined) return true;
  return bandsOf(data).length > 0 && bandsOf(data).every((band) => band['data_type'] !== undefined);
}

function checkNodata(report: Report, pointer: string, { data_type: type, nodata }: JsonObject): void {
  if (typeof type !== 'string' || typeof nodata !== 'number' || mayHold(type, nodata)) return;
  report.add(at(pointer, 'nodata'), {
    rule: 'nodata.data-type',
    got: nodata,
    expected: `a value of ${type}`,
    fix: 'give the value that the pixels have, or leave it out',
    source: 'stac',
  });
}
