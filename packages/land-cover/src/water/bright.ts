import { BRIGHT_MARK } from '@headwater/core/pixel-plan';
import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';

/** Values of MNDWI below this are marked; unmarked values are at least -10000. */
export const MARKED = -10_000;
/** Marked values above this value have the MNDWI of water, but the ground is too bright for water: it is snow or salt. */
export const WHITE = scaled(T.waterMinMndwi) - BRIGHT_MARK;
/** MNDWI above this value is wet. */
export const WET = scaled(T.waterMinMndwi);
const SNOW = scaled(T.snowMinNdsi) - BRIGHT_MARK;

/** True for an MNDWI of snow: bright in the near infrared, dark in the short-wave infrared. */
export const isSnow = (mndwi: number): boolean => mndwi < MARKED && mndwi > SNOW;

/** True for an MNDWI of snow, of snow in shade, or of meltwater on snow. Use it only for pixels that have snow and are not water. */
export const hidesGround = (mndwi: number): boolean => mndwi > WET || isSnow(mndwi);

/** True for an MNDWI of white ground: snow, melting snow or salt. */
export const isWhite = (mndwi: number): boolean => mndwi < MARKED && mndwi > WHITE;
