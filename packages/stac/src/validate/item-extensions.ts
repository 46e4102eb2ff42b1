import { EXTENSIONS } from '../extensions.ts';
import { withoutHeights } from '../geometry/bbox.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import type { Report } from './report.ts';

/** Objects that may have fields of processing and raster. */
export type Holders = Readonly<Record<'processing' | 'raster', readonly unknown[]>>;

/** Checks that the extensions processing and raster are used if they are declared. */
export function checkUsed(report: Report, holders: Holders): void {
  for (const name of ['processing', 'raster'] as const) {
    const isUsed = holders[name].some(
      (holder) => isObject(holder) && Object.keys(holder).some((key) => key.startsWith(`${name}:`)),
    );
    if (report.declared[name] !== 'exact' || isUsed) continue;
    report.add('/stac_extensions', {
      rule: 'extension.unused',
      got: `${name} declared, none of its fields used`,
      expected: `a ${name}: field`,
      fix: 'use it, or remove it from stac_extensions',
      source: EXTENSIONS[name],
    });
  }
}

/** Checks the use of processing and raster, that bands are on an asset, and that the grid covers the bbox. */
export function checkItemExtensions(report: Report, item: JsonObject, properties: JsonObject): void {
  const assets = isObject(item['assets']) ? Object.values(item['assets']).filter(isObject) : [];
  checkInUse(report, { properties, assets });
  const hasBands = assets.some((asset) => asset['bands'] !== undefined);
  if (properties['bands'] !== undefined && !hasBands) {
    report.add('/properties/bands', {
      rule: 'bands.place',
      got: 'bands in properties only',
      expected: 'bands on an asset',
      fix: 'move them to their asset',
      source: 'stac',
    });
  }
  checkGridCovers(report, item, properties);
}

function checkInUse(
  report: Report,
  { properties, assets }: { readonly properties: JsonObject; readonly assets: readonly JsonObject[] },
): void {
  const holders = [properties, ...assets];
  const bands = holders.flatMap((holder) => (isList(holder['bands']) ? holder['bands'].filter(isObject) : []));
  checkUsed(report, { processing: [properties], raster: [...holders, ...bands] });
}

/** Checks that an unrotated EPSG:4326 grid covers the bbox within one pixel. Finds e.g. swapped rows and columns. */
function checkGridCovers(report: Report, item: JsonObject, properties: JsonObject): void {
  const { 'proj:code': code, 'proj:shape': shape, 'proj:transform': transform } = properties;
  const { bbox } = item;
  if (code !== 'EPSG:4326' || ![shape, transform, bbox].every((list) => isList(list) && list.every(Number.isFinite)))
    return;
  const [rows = 0, cols = 0] = shape as readonly number[];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = transform as readonly number[];
  const [west = 0, south = 0, east = 0, north = 0] = withoutHeights(bbox as readonly number[]);
  if (b !== 0 || d !== 0 || west > east) return;
  const [x, y] = [[c, c + a * cols].sort((p, q) => p - q), [f, f + e * rows].sort((p, q) => p - q)];
  const [px, py] = [Math.abs(a), Math.abs(e)];
  const covers =
    (x[0] ?? 0) <= west + px && (x[1] ?? 0) >= east - px && (y[0] ?? 0) <= south + py && (y[1] ?? 0) >= north - py;
  if (covers) return;
  report.add('/properties/proj:transform', {
    rule: 'proj.grid-covers-bbox',
    severity: 'warning',
    got: `a grid with x ${x.join('..')}, y ${y.join('..')}`,
    expected: `a grid that covers bbox ${JSON.stringify(bbox)}`,
    fix: 'check proj:shape, which is [rows, columns], and proj:transform, which is [pixelWidth, 0, west, 0, -pixelHeight, north]',
    source: EXTENSIONS.projection,
  });
}
