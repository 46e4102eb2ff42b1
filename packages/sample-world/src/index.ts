export { areaErrors } from './area-errors.ts';
export { generateSample, sampleSize, type SampleSummary } from './generate-sample.ts';
export { between, chance } from './random.ts';
export { SAMPLE_PLACE, SAMPLE_YEARS } from './sample-frame.ts';
export { writeJson } from './scene-files.ts';
export { scoreClassMap } from './score.ts';
export { SECOND_YEARS, SIDE } from './second/calendar.ts';
export { compose, type Composites } from './second/composites.ts';
export { type SecondWorld, secondWorld } from './second/second-world.ts';
