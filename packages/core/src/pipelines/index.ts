export type * from './pipeline.ts';
export { openFiles, type RunFiles } from './run-files.ts';
export { DEFAULT_REMEDIES } from './default-remedies.ts';
export { eoAccountField, placeFields, yearFields } from './request-fields.ts';
export { createStepClock, type StepClock } from './step-clock.ts';
