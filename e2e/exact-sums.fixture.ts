import { judge } from './judges.fixture.ts';

/**
 * A sum to compute in each polygon: the area of pixels with one of the codes in any of the files. The files share a
 * grid.
 */
export interface WantedSum {
  readonly files: readonly string[];
  readonly codes: readonly number[];
}

/** Areas in hectares, by the name of the polygon. */
export type ExactSum = Readonly<Record<string, number>>;

const SUMS = `
import json, sys
import numpy as np
from exact_areas import class_areas_ha, read
given = json.load(sys.stdin)
classes, single = {}, {}
def raster(path):
    if path not in classes: classes[path] = read(path, given["polygons"])
    return classes[path]
def areas(path):
    if path not in single: single[path] = class_areas_ha(*raster(path), given["uid"])
    return single[path]
out = []
for wanted in given["sums"]:
    files, codes = wanted["files"], wanted["codes"]
    if len(files) == 1:
        out.append({uid: float(sum(found[c] for c in codes)) for uid, found in areas(files[0]).items()})
        continue
    _, transform, features = raster(files[0])
    any_of = np.any([np.isin(raster(path)[0], codes) for path in files], axis=0).astype(np.uint8)
    out.append({uid: float(found[1]) for uid, found in class_areas_ha(any_of, transform, features, given["uid"]).items()})
print(json.dumps(out))`;

/** Returns the sums within each polygon of a GeoJSON file; `uid` is the property that names a polygon. */
export function exactSums(polygons: string, uid: string, sums: readonly WantedSum[]): readonly ExactSum[] {
  return JSON.parse(judge(SUMS, [], JSON.stringify({ polygons, uid, sums })));
}

/** Returns true if two values differ by at most a millionth plus 1e-8, the error of fractions in float32. */
export const isExact = (actual: number, expected: number): boolean =>
  Math.abs(actual - expected) <= 1e-6 * Math.abs(expected) + 1e-8;
