import type { Box, Scene, SceneSearch } from '@headwater/core';
import { countOf } from '@headwater/core/values';
import type { SceneBand } from '@headwater/core/pixel-plan';
import {
  FIRST_YEAR,
  isThin,
  lastCompleteYear,
  LULC_BANDS,
  LULC_THRESHOLDS,
  readYear,
  stepsText,
  YEAR_NEEDS,
  type YearReading,
} from '@headwater/land-cover';
import { isLocalFile } from '@headwater/net/files';

/** Options for counting scenes. */
export interface CountOptions {
  readonly box: Box;
  readonly maxCloudCover: number;
  readonly now: Date;
}

/** Report lines about the scenes of a place. */
export interface YearLines {
  readonly lines: readonly string[];
  /** Remedies of the found faults. */
  readonly remedies: readonly string[];
  /** True if every scene is usable, and at least one complete year has enough scenes. */
  readonly isGood: boolean;
}

/** Heading of the lines of all places. */
export const COUNTED = `Scenes are counted in the periods that a run reads: each hydrological year and the ${LULC_THRESHOLDS.marginSteps * LULC_THRESHOLDS.stepDays} days before and after it.`;

/** Lines of hydrological years: number of scenes, number of usable scenes, faults. */
export async function yearLines(scenes: readonly Scene[], options: CountOptions): Promise<YearLines> {
  const faults = new Map<Scene, Fault>();
  for (const scene of scenes) {
    const fault = await faultOf(scene);
    if (fault !== undefined) faults.set(scene, fault);
  }
  const usable = scenes.filter((scene) => !faults.has(scene));
  const last = lastCompleteYear(options.now);
  const all = Array.from({ length: last + 2 - FIRST_YEAR }, (_, i) => FIRST_YEAR + i).map((year) => ({
    found: readYear(year, scenes, options),
    read: readYear(year, usable, options),
  }));
  const has = all.map(({ found }) => found.core.found > 0);
  const years = all.slice(Math.max(has.indexOf(true), 0), has.lastIndexOf(true) + 1);
  const lines = years.map((year) => yearLine(year, faults, year.read.year > last));
  const kinds = new Set([...faults.values()].map(({ kind }) => kind));
  const hasYear = years.some(({ read }) => read.year <= last && !isThin(read));
  const few = hasYear || scenes.length === 0 ? [] : [REMEDIES.few];
  const remedies = [...[...kinds].map((kind) => REMEDIES[kind]), ...few];
  return { lines, remedies, isGood: faults.size === 0 && hasYear };
}

/** Line about Items that are not usable scenes. */
export function leftOutLine(rejected: SceneSearch['rejected']): string {
  const [first] = rejected;
  const items = rejected.length === 1 ? '1 Item' : `${rejected.length} Items`;
  return `${items} left out, the first is ${first?.itemHref ?? ''}: ${first?.reason ?? ''}`;
}

interface Fault {
  readonly kind: 'bands' | 'offset' | 'files';
  readonly text: string;
}

const REMEDIES: Readonly<Record<Fault['kind'] | 'few', string>> = {
  bands:
    'missing bands (blue is B02, green B03, red B04, nir B08, swir16 B11): download their files, put them next to the others and call npx headwater make-catalog again; for a catalogue of another program, add assets to its Items',
  offset:
    'no known offset: for files that you downloaded, call npx headwater make-catalog again with --baseline NN.NN (N0510 in the name of the product is 05.10), or with --offset 0 ' +
    'if the provider removed the offset; for a catalogue of another program, add s2:processing_baseline, or raster:offset and raster:scale, to its Items',
  files:
    'missing files: restore them at the paths that the Items name, or call npx headwater make-catalog again, which converts the missing ones',
  few: 'too few scenes: download scenes of further dates of one hydrological year and call npx headwater make-catalog again, or set EO_STAC_API_URL',
};

async function faultOf({ bands, offsetUnknown }: Scene): Promise<Fault | undefined> {
  const lacking = LULC_BANDS.filter((band) => bands[band] === undefined);
  if (lacking.length > 0) return { kind: 'bands', text: `lacks ${lacking.join(', ')}` };
  if (offsetUnknown === true) return { kind: 'offset', text: 'has no known offset' };
  const missing: string[] = [];
  for (const band of LULC_BANDS) if (!(await isThere(bands[band]))) missing.push(band);
  return missing.length === 0 ? undefined : { kind: 'files', text: `has no file for ${missing.join(', ')}` };
}

/** True if the file exists. Also true for every http address, because requests for all scenes would take too long. */
async function isThere(band: SceneBand | undefined): Promise<boolean> {
  if (band === undefined) return false;
  return /^https?:/i.test(band.href) || isLocalFile(band.href, band.within);
}

interface Year {
  readonly found: YearReading;
  readonly read: YearReading;
}

function yearLine({ found, read }: Year, faults: ReadonlyMap<Scene, Fault>, isOpen: boolean): string {
  const { year, cloudy, scenes, skipped } = found;
  const counts = new Map<string, readonly string[]>();
  for (const [scene, { text }] of faults)
    if (scene.id in skipped || scenes.includes(scene)) counts.set(text, [...(counts.get(text) ?? []), scene.id]);
  const bad = [...counts].map(
    ([fault, ids]) => `${ids.length} ${ids.length === 1 ? fault : inPlural(fault)} (first ${ids[0] ?? ''})`,
  );
  const total = scenes.length + Object.keys(skipped).length + cloudy;
  return [
    `${year}-${year + 1}: ${countOf(total, 'scene')}`,
    ...(cloudy > 0 ? [`, ${cloudy} of them too cloudy to be read`] : []),
    ...(bad.length > 0 ? [`, ${read.scenes.length} of them usable: ${bad.join('; ')}`] : []),
    `; ${countOf(read.core.dates, 'date')} in the year itself`,
    ...(isOpen ? [', which is not over yet'] : isThin(read) ? [tooFew(read)] : []),
  ].join('');
}

const inPlural = (fault: string): string => fault.replace(/^has /, 'have ').replace(/^lacks /, 'lack ');

const tooFew = ({ core }: YearReading): string => ` in ${stepsText(core)}: TOO FEW for a run. ${YEAR_NEEDS}`;
