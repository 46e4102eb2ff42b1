import { BRIGHT_MARK } from '@headwater/core/pixel-plan';
import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';

/** Marked values of MNDWI are below this; unmarked values are at least -10000. */
export const MARKED = -10_000;
/** Marked values above this have the MNDWI of water, but the ground is too bright for water: snow or salt. */
export const WHITE = scaled(T.waterMinMndwi) - BRIGHT_MARK;
/** MNDWI above this is wet. */
export const WET = scaled(T.waterMinMndwi);
const SNOW = scaled(T.snowMinNdsi) - BRIGHT_MARK;

/** True for an MNDWI of snow: bright in the near infrared, dark in the short-wave infrared. */
export const isSnow = (mndwi: number): boolean => mndwi < MARKED && mndwi > SNOW;

/** True for an MNDWI of snow, also of snow in shade and meltwater on snow. Use it only for pixels that have snow and are not water. */
export const hidesGround = (mndwi: number): boolean => mndwi > WET || isSnow(mndwi);

/** True for an MNDWI of white ground: snow, melting snow or salt. */
export const isWhite = (mndwi: number): boolean => mndwi < MARKED && mndwi > WHITE;
