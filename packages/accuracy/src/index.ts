export {
  assess,
  type AssessedClass,
  type Assessment,
  type Claim,
  type Comparison,
  type Design,
  type Figure,
  type Figures,
  type ThinClass,
} from './assess/assessment.ts';
export { amount, percent, readAssessment, readFigures, type Remark, withInterval } from './assess/reading.ts';
export { type LabelPair, type LeftOut, Tally, type Unknown } from './assess/tally.ts';
export { majorityLabel, mappedLabel } from './assess/majority.ts';
export { csvLabels } from './labels/csv-labels.ts';
export { geojsonLabels, type LabelProperties } from './labels/geojson-labels.ts';
export type { ReferenceLabel } from './labels/labels.ts';
export { type Label, type Legend, type LegendClass, LegendSide, NODATA, type Side, UNMAPPED } from './legend/legend.ts';
export { parseLegend } from './legend/parse-legend.ts';
export { ConfusionMatrix } from './matrix/confusion-matrix.ts';
export { type Estimate, type Interval, wilson } from './statistics/interval.ts';
export { type ClassAccuracy, type SampleAccuracy, sampleAccuracy } from './statistics/sample-accuracy.ts';
export {
  type ClassEstimate,
  type StratifiedEstimate,
  stratifiedEstimate,
  type Stratum,
} from './statistics/stratified.ts';
