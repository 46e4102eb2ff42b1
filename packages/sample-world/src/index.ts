export { areaErrors } from './area-errors.ts';
export { generateSample, sampleSize, type SampleSummary } from './generate-sample.ts';
export { between, chance } from './random.ts';
export { demGrid, demHeights, writeSampleDem } from './sample-dem.ts';
export { SAMPLE_PLACE, SAMPLE_YEARS, sampleFrame } from './sample-frame.ts';
export { samplePlace } from './sample-places.ts';
export { sampleTruth } from './scene-painter.ts';
export { writeJson } from './scene-files.ts';
export { scoreClassMap } from './score.ts';
