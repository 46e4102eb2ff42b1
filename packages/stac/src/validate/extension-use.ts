import { EXTENSIONS } from '../extensions.ts';
import { isObject } from '../json.ts';
import type { Report } from './report.ts';

/** Where the fields of each of these extensions may stand. */
export type Holders = Readonly<Record<'processing' | 'raster', readonly unknown[]>>;

/** Processing and raster, once declared, must be used somewhere: their schemas ask for it, each for its own places. */
export function checkUsed(report: Report, holders: Holders): void {
  for (const name of ['processing', 'raster'] as const) {
    const isUsed = holders[name].some(
      (holder) => isObject(holder) && Object.keys(holder).some((key) => key.startsWith(`${name}:`)),
    );
    if (report.declared[name] !== 'exact' || isUsed) continue;
    report.add('/stac_extensions', {
      rule: 'extension.unused',
      got: `${name} declared, no field of it`,
      expected: `a ${name}: field`,
      fix: 'use it or drop it',
      source: EXTENSIONS[name],
    });
  }
}
