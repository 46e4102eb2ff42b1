import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { LULC_THRESHOLDS as T } from '../method/thresholds.ts';
import { hidesGround, isWhite } from './water.ts';

/**
 * Planes of one block, `[step][pixels]`, int16 x 10,000; `INDEX_NODATA` where nothing was observed. NDVI also has
 * the steps before and after the year; the other planes have only the steps of the year (core steps).
 */
export interface SnowPlanes {
  readonly pixels: number;
  readonly mndwi: Int16Array;
  readonly ndvi: Int16Array;
  readonly ndbi: Int16Array;
  readonly bsi: Int16Array;
  /** First core step in `ndvi`. */
  readonly from: number;
}

/**
 * Removes snow, because snow could look like a harvest or a roof. Call it only for pixels that are not water. In steps
 * with snow, NDVI is interpolated, and NDBI and BSI are removed. Changes nothing if fewer than `minClearSteps` steps
 * are free of snow. Returns true for ground that is white in at least `whiteMinShare` of its clear steps.
 */
export function removeSnow(planes: SnowPlanes, pixel: number): boolean {
  const { pixels, mndwi } = planes;
  let [free, snowy, white] = [0, 0, 0];
  for (let s = 0; s < T.coreSteps; s++) {
    const m = mndwi[s * pixels + pixel] ?? INDEX_NODATA;
    if (m === INDEX_NODATA) continue;
    if (hidesGround(m)) snowy++;
    else free++;
    if (isWhite(m)) white++;
  }
  if (snowy > 0 && free >= T.minClearSteps) bridgeSnow(planes, pixel);
  return white >= T.whiteMinShare * (free + snowy);
}

function bridgeSnow({ pixels, mndwi, ndvi, ndbi, bsi, from }: SnowPlanes, pixel: number): void {
  const at = (step: number): number => (step + from) * pixels + pixel;
  const isFree = (step: number): boolean => {
    const m = mndwi[step * pixels + pixel] ?? INDEX_NODATA;
    return m !== INDEX_NODATA && !hidesGround(m) && ndvi[at(step)] !== INDEX_NODATA;
  };
  let before = -1;
  for (let s = 0; s < T.coreSteps; s++) {
    if (isFree(s)) before = s;
    if (!hidesGround(mndwi[s * pixels + pixel] ?? INDEX_NODATA)) continue;
    let after = s + 1;
    while (after < T.coreSteps && !isFree(after)) after++;
    const a = ndvi[at(before >= 0 ? before : after)] ?? INDEX_NODATA;
    const b = ndvi[at(after < T.coreSteps ? after : before)] ?? INDEX_NODATA;
    ndvi[at(s)] = Math.round(a + ((b - a) * (s - before)) / (after - before));
    ndbi[s * pixels + pixel] = INDEX_NODATA;
    bsi[s * pixels + pixel] = INDEX_NODATA;
  }
}
