export { copyRows, fill16 } from './memory';
export { undo16, undo8 } from './predictor';
export { flagCodes, dilate, packClear, expandBits } from './mask';
export { expand16 } from './expand';
export { takeUnclaimed, claimObserved, merge16 } from './day';
export { ratio2, ratioN, pass16, markBright, countClear } from './ratio';
export { median } from './median';
export { medianRows } from './median-rows';
export { warp8, warp16 } from './warp';
