export { copyRows, fill16 } from './memory';
export { undo16, undo8 } from './predictor';
export { flagCodes, dilate, packClear, expandBits } from './mask';
export { expand16 } from './expand';
export { takeUnclaimed, claimObserved, merge16 } from './day';
export { ratio2, ratio2Plain, ratioN, pass16, markBright, countClear } from './ratio';
export { median } from './median';
export { medianRows } from './median-rows';
export { warp8, warp16 } from './warp';
export { sumRuns } from './sums';
export { sumClasses } from './counts';
export { findRuns, labelRuns, traceRings } from './shapes';
export { percentile, mode } from './stack';
export { deflateRuns } from './deflate';
export { inflate, inflateMore, startInflate, stateAt, usedBytes } from './inflate';

/** First address that the module does not use itself. */
export function freeAt(): usize {
  return __heap_base;
}
