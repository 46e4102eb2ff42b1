import type { Scene, SceneBand, SceneSearch } from '@headwater/core';
import { LULC_BANDS } from '@headwater/land-cover';
import { isLocalFile } from '@headwater/raster/files';

/** What was found of the scenes of a place, in lines; good where every scene can be used. */
export interface YearLines {
  readonly lines: readonly string[];
  readonly isGood: boolean;
}

/** A line for each hydrological year that has scenes: how many, how many can be used, and what the others lack. */
export async function yearLines(scenes: readonly Scene[]): Promise<YearLines> {
  const years = [...Map.groupBy(scenes, hydroYear)].toSorted(([a], [b]) => a - b);
  const faults = await Promise.all(years.map(([, all]) => faultsOf(all)));
  const lines = years.map(([year, all], i) => yearLine(year, all.length, faults[i] ?? new Map()));
  return { lines, isGood: faults.every((found) => found.size === 0) };
}

/** How many Items are no scenes, and the first of them. */
export function leftOutLine(rejected: SceneSearch['rejected']): string {
  const [first] = rejected;
  const items = rejected.length === 1 ? '1 Item' : `${rejected.length} Items`;
  return `${items} left out, the first is ${first?.itemHref ?? ''}: ${first?.reason ?? ''}`;
}

/** Year of the 1 July on or before the acquisition. */
function hydroYear({ datetime }: Scene): number {
  const at = new Date(datetime);
  return at.getUTCMonth() >= 6 ? at.getUTCFullYear() : at.getUTCFullYear() - 1;
}

/** What is wrong -> ids of the scenes with which it is. */
type Faults = ReadonlyMap<string, readonly string[]>;

async function faultsOf(scenes: readonly Scene[]): Promise<Faults> {
  const found = new Map<string, string[]>();
  for (const scene of scenes) {
    const fault = await faultOf(scene);
    if (fault !== undefined) found.set(fault, [...(found.get(fault) ?? []), scene.id]);
  }
  return found;
}

/** Why a run would leave the scene out, as far as its Item and the file system tell. */
async function faultOf({ bands, offsetUnknown }: Scene): Promise<string | undefined> {
  const lacking = LULC_BANDS.filter((band) => bands[band] === undefined);
  if (lacking.length > 0) return `lacks ${lacking.join(', ')}`;
  if (offsetUnknown === true) return 'does not tell its offset';
  const gone: string[] = [];
  for (const band of LULC_BANDS) if (!(await isThere(bands[band]))) gone.push(band);
  return gone.length === 0 ? undefined : `has no file for ${gone.join(', ')}`;
}

/** True for a file that a run would open, and for whatever lies behind http: asking for all of those would take too long. */
async function isThere(band: SceneBand | undefined): Promise<boolean> {
  if (band === undefined) return false;
  return /^https?:/i.test(band.href) || isLocalFile(band.href, band.within);
}

function yearLine(year: number, count: number, faults: Faults): string {
  const head = `${year}-${year + 1}: ${count} scene${count === 1 ? '' : 's'}`;
  const bad = [...faults].map(([fault, ids]) => `${ids.length} ${fault} (first ${ids[0] ?? ''})`);
  const unusable = [...faults.values()].reduce((sum, ids) => sum + ids.length, 0);
  return bad.length === 0 ? head : `${head}, ${count - unusable} of them usable: ${bad.join('; ')}`;
}
