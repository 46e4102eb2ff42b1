import { lulcPipeline } from './pipelines/lulc.ts';

/** Every pipeline of this software: one line each. Routes, workers and workflow files loop over it. */
export const pipelines = [lulcPipeline] as const;
