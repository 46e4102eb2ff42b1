export { areaErrors } from './area-errors.ts';
export { generateSample, type SampleSummary } from './generate-sample.ts';
export { between, chance } from './random.ts';
export { SAMPLE_PLACE, SAMPLE_YEARS } from './sample-frame.ts';
export { writeJson } from './scene-files.ts';
export { scoreClassMap } from './score.ts';
