import { BRIGHT_MARK } from '@headwater/core/pixel-plan';
import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';

/** Marked values of MNDWI lie below this, unmarked ones do not (-10000 at least). */
export const MARKED = -10_000;
/** Marked MNDWI above this is as high as that of water, but the ground is too bright for water: snow or salt. */
export const WHITE = scaled(T.waterMinMndwi) - BRIGHT_MARK;
/** MNDWI above this is wet. */
export const WET = scaled(T.waterMinMndwi);
const SNOW = scaled(T.snowMinNdsi) - BRIGHT_MARK;

/** True for an MNDWI of snow: bright in the near infrared, dark in the short-wave infrared. */
export const isSnow = (mndwi: number): boolean => mndwi < MARKED && mndwi > SNOW;

/**
 * True for an MNDWI at which snow hides the ground of a pixel that has snow and is not water, including snow in shade
 * and meltwater on snow.
 */
export const hidesGround = (mndwi: number): boolean => mndwi > WET || isSnow(mndwi);

/** True for an MNDWI of white ground: snow, melting snow or salt. */
export const isWhite = (mndwi: number): boolean => mndwi < MARKED && mndwi > WHITE;
