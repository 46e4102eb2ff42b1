import { INDEX_NODATA, BRIGHT_MARK } from '@headwater/core/pixel-plan';
import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import { yearKernel } from '../series/year-kernel.ts';

/** First day (from 1 July) of each month of the hydrological year, and of the next year. */
const MONTH_STARTS = [0, 31, 62, 92, 123, 153, 184, 215, 243, 274, 304, 335, 365];

/** Month (0..11 from July) of the middle of each 16-day core step. */
export const MONTH_OF_STEP: readonly number[] = Array.from({ length: T.coreSteps }, (_, step) => {
  const middle = step * T.stepDays + T.stepDays / 2;
  return Math.min(
    MONTH_STARTS.findLastIndex((start) => start <= middle),
    11,
  );
});

/** Planes of one block from which water is found: medians with gaps, `[step][pixels]`, int16 x 10000. */
export interface WaterInput {
  readonly pixels: number;
  /** MNDWI of the core steps; values are marked (`BRIGHT_MARK`) if the near infrared is too bright for water. */
  readonly mndwi: Int16Array;
  /** NDVI of all steps; the core starts at step `ndviFrom`. */
  readonly ndvi: Int16Array;
  readonly ndviFrom: number;
}

const SURE = scaled(T.waterSingleMonthMndwi);
const WET_NDVI = scaled(T.waterMaxNdvi);
const SEASON_NDVI = scaled(T.waterSeasonMaxNdvi);

/**
 * Writes the water class of each pixel into `codes` (`[pixels]`, initially 0): 2, 3 or 4 by the last wet season (kharif Jul-Oct, rabi
 * Nov-Feb, zaid Mar-Jun), otherwise 0. A season is wet if 2 of its 4 months are wet, or its only clear month is very wet. Steps with snow are not counted.
 * Snow in shade and meltwater look like water, so a wet season with snow counts only if another season is wet without snow. Returns the
 * pixels that were white (snow or salt) in any step, `[pixels]` of 0 or 1.
 */
export function voteWater(input: WaterInput, codes: Uint8Array): Uint8Array {
  const { pixels, mndwi } = input;
  const found = yearKernel().findBright(mndwi, pixels, { wet: WET, white: WHITE, marked: MARKED });
  for (let i = 0; i < pixels; i++) if (found.wet[i] === 1) codes[i] = waterCode(input, i);
  return found.white.slice();
}

/** Result for a season, from the months of the season. */
type Verdict = 'dry' | 'wet' | 'wet and snowy';

function waterCode(input: WaterInput, pixel: number): number {
  for (let season = 2; season >= 0; season--) {
    const verdict = judgeSeason(input, pixel, season);
    if (verdict === 'wet') return season + 2;
    if (verdict === 'dry') continue;
    if ([0, 1, 2].some((other) => judgeSeason(input, pixel, other) === 'wet')) return season + 2;
  }
  return 0;
}

function judgeSeason(input: WaterInput, pixel: number, season: number): Verdict {
  const { pixels, mndwi, ndvi, ndviFrom } = input;
  let clearMonths = 0;
  let wetMonths = 0;
  let wettest = INDEX_NODATA;
  let greenest = INDEX_NODATA;
  let snowy = false;
  let [wetSteps, lastWet] = [0, 0];
  let step = MONTH_OF_STEP.indexOf(season * 4);
  for (let month = season * 4; month < season * 4 + 4; month++) {
    let clear = 0;
    let wet = 0;
    for (; MONTH_OF_STEP[step] === month; step++) {
      const m = mndwi[step * pixels + pixel] ?? INDEX_NODATA;
      const v = ndvi[(step + ndviFrom) * pixels + pixel] ?? INDEX_NODATA;
      if (m === INDEX_NODATA || v === INDEX_NODATA) continue;
      if (isSnow(m)) {
        snowy = true;
        continue;
      }
      clear++;
      if (m > WET && m > v && v < WET_NDVI) {
        wet++;
        wetSteps++;
        lastWet = step;
      }
      if (m > wettest) wettest = m;
      if (v > greenest) greenest = v;
    }
    if (clear > 0) clearMonths++;
    if (wet > 0 && 2 * wet >= clear) wetMonths++;
  }
  if (greenest >= SEASON_NDVI) return 'dry';
  const isWet = wetMonths >= T.waterMinMonths || (clearMonths === 1 && wetMonths === 1 && wettest > SURE);
  if (!isWet || (wetSteps <= T.paddyMaxWetSteps && turnsGreen(input, pixel, lastWet))) return 'dry';
  return snowy ? 'wet and snowy' : 'wet';
}

/**
 * True if the pixel becomes densely green within the time that transplanted rice needs. Such a pixel is a flooded field and not water.
 */
function turnsGreen({ pixels, ndvi, ndviFrom }: WaterInput, pixel: number, lastWet: number): boolean {
  for (let s = lastWet + 1 + ndviFrom; s <= lastWet + T.paddyGreenSteps + ndviFrom; s++)
    if ((ndvi[s * pixels + pixel] ?? INDEX_NODATA) >= SEASON_NDVI) return true;
  return false;
}

/** Values of MNDWI below this limit are marked as bright; values without the mark are at least -10000. */
export const MARKED = -10_000;
/** Marked values above this value have the MNDWI of water, but the ground is too bright for water: it is snow or salt. */
const WHITE = scaled(T.waterMinMndwi) - BRIGHT_MARK;
/** MNDWI above this value is wet. */
export const WET = scaled(T.waterMinMndwi);
const SNOW = scaled(T.snowMinNdsi) - BRIGHT_MARK;

/** True for an MNDWI of snow: bright in the near infrared, dark in the short-wave infrared. */
const isSnow = (mndwi: number): boolean => mndwi < MARKED && mndwi > SNOW;

/**
 * True for an MNDWI of snow, of snow in shade, or of meltwater on snow. Use this function only for pixels that have snow and are not
 * water.
 */
export const hidesGround = (mndwi: number): boolean => mndwi > WET || isSnow(mndwi);

/** True for an MNDWI of white ground: snow, melting snow or salt. */
export const isWhite = (mndwi: number): boolean => mndwi < MARKED && mndwi > WHITE;
