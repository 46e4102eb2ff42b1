export type * from './pipeline.ts';
export { openFiles, type RunFiles } from './run-files.ts';
export { eoAccountField, placeFields, yearFields } from './request-fields.ts';
export { createStepClock, type StepClock } from './step-clock.ts';
