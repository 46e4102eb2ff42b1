export { ConfusionMatrix } from './matrix/confusion-matrix.ts';
export { type Estimate, type Interval, wilson } from './statistics/interval.ts';
export { type ClassAccuracy, type SampleAccuracy, sampleAccuracy } from './statistics/sample-accuracy.ts';
export {
  type ClassEstimate,
  type StratifiedEstimate,
  stratifiedEstimate,
  type Stratum,
} from './statistics/stratified.ts';
