import { INDEX_NODATA, BRIGHT_MARK } from '@headwater/core/pixel-plan';
import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import { yearKernel } from '../series/year-kernel.ts';

/** First day of each month, days after 1 July. */
const MONTH_STARTS = [0, 31, 62, 92, 123, 153, 184, 215, 243, 274, 304, 335, 365];

/**
 * Month (0..11 from July) in the middle of each core step. Core steps are the 16-day steps of the year itself, without
 * the margin steps before and after it.
 */
export const MONTH_OF_STEP: readonly number[] = Array.from({ length: T.coreSteps }, (_, step) => {
  const middle = step * T.stepDays + T.stepDays / 2;
  return Math.min(
    MONTH_STARTS.findLastIndex((start) => start <= middle),
    11,
  );
});

/**
 * Planes from which water is found: medians, `[step][pixels]`, int16 x 10,000; `INDEX_NODATA` where nothing was
 * observed.
 */
export interface WaterInput {
  readonly pixels: number;
  /** MNDWI of the core steps, marked (`BRIGHT_MARK`) if too bright in the near infrared for water. */
  readonly mndwi: Int16Array;
  /** NDVI of all steps; `ndviFrom` is the first core step. */
  readonly ndvi: Int16Array;
  readonly ndviFrom: number;
}

const SURE = scaled(T.waterSingleMonthMndwi);
const WET_NDVI = scaled(T.waterMaxNdvi);
const SEASON_NDVI = scaled(T.waterSeasonMaxNdvi);

/**
 * Writes the water class of each pixel into `codes` (`[pixels]`, initially 0): 2, 3 or 4 by the last wet season
 * (kharif, rabi, zaid), otherwise 0. A season is wet if at least 2 of its 4 months are wet, or its only clear month is
 * very wet; NDVI must stay low. Snowy seasons count only if another season is wet without snow. Returns 1 for each
 * pixel that was white in any step, otherwise 0.
 */
export function voteWater(input: WaterInput, codes: Uint8Array): Uint8Array {
  const { pixels, mndwi } = input;
  const found = yearKernel().findBright(mndwi, pixels, { wet: WET, white: WHITE, marked: MARKED });
  for (let i = 0; i < pixels; i++) if (found.wet[i] === 1) codes[i] = waterCode(input, i);
  return found.white.slice();
}

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
 * True if the pixel becomes densely green within `paddyGreenSteps`, as transplanted rice does: it is then a field and
 * not water.
 */
function turnsGreen({ pixels, ndvi, ndviFrom }: WaterInput, pixel: number, lastWet: number): boolean {
  for (let s = lastWet + 1 + ndviFrom; s <= lastWet + T.paddyGreenSteps + ndviFrom; s++)
    if ((ndvi[s * pixels + pixel] ?? INDEX_NODATA) >= SEASON_NDVI) return true;
  return false;
}

/** Limit of MNDWI x 10,000; values below the limit are marked as bright (`BRIGHT_MARK`). */
export const MARKED = -10_000;
/** Limit of marked MNDWI x 10,000; higher values are snow or salt. */
const WHITE = scaled(T.waterMinMndwi) - BRIGHT_MARK;
/** Limit of MNDWI x 10,000; higher values are wet. */
export const WET = scaled(T.waterMinMndwi);
const SNOW = scaled(T.snowMinNdsi) - BRIGHT_MARK;

/** True for an MNDWI of snow, which is bright in the near infrared and dark in the short-wave infrared. */
const isSnow = (mndwi: number): boolean => mndwi < MARKED && mndwi > SNOW;

/** True for an MNDWI of snow, snow in shade, or meltwater. Valid only for pixels that have snow and are not water. */
export const hidesGround = (mndwi: number): boolean => mndwi > WET || isSnow(mndwi);

/** True for an MNDWI of white ground: snow, melting snow or salt. */
export const isWhite = (mndwi: number): boolean => mndwi < MARKED && mndwi > WHITE;
