import { lulcPipeline } from './pipelines/lulc.ts';

/** Every pipeline of this software: one line each. Routes, workers and workflow files loop over it. */
export const pipelines = [lulcPipeline] as const;

/** Name of a pipeline in the registry. */
export type PipelineName = (typeof pipelines)[number]['name'];

/** The pipeline of that name; undefined where none is. */
export const pipelineByName = (name: string): (typeof pipelines)[number] | undefined =>
  pipelines.find((p) => p.name === name);

/** The pipeline that answers at `POST /api/v1/{route}/`, aliases included. */
export const pipelineByRoute = (route: string): (typeof pipelines)[number] | undefined =>
  pipelines.find((p) => p.route === route || p.aliases.includes(route));
