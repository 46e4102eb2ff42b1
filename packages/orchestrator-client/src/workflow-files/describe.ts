import { z } from 'zod';
import {
  address,
  day,
  faulty,
  FORMATS,
  functionName,
  GROUPS,
  matching,
  moduleName,
  nodeId,
  parameterName,
  PARAMETER_TYPES,
  path,
  pythonText,
} from './rules.ts';

/**
 * Parameters of every algorithm, by which the service identifies the run. The orchestrator sends only declared
 * parameters.
 */
export const RUN_PARAMETERS = [
  { name: 'job_id', type: 'string' },
  { name: 'run_token', type: 'string' },
] as const;

const datasetDescription = z.object({
  /** Id of the dataset's type. */
  id: nodeId,
  title: pythonText,
  description: pythonText,
  format: z.enum(FORMATS),
});

const inputDescription = datasetDescription.extend({
  /** Existing dataset; absent if another workflow makes it. */
  asset: z
    .object({
      id: pythonText,
      version: pythonText,
      region: z.union(
        [z.literal('pan_india'), z.object({ state: pythonText, district: pythonText, block: pythonText })],
        {
          error: 'give pan_india, or state, district and block',
        },
      ),
    })
    .optional(),
});

const containerDescription = z.object({
  /** Image with a tag or digest; `latest` is refused, because the image with this tag changes. */
  image: matching(/^(?!.*:latest$)[A-Za-z0-9][\w./:-]*(:[\w.-]+|@sha256:[0-9a-f]{64})$/, {
    problem: 'is not a pinned image reference',
    remedy: 'give its tag or digest, such as registry/name:1.0.0, and not latest',
  }),
  module: moduleName,
  function: functionName,
  volumes: z.array(z.object({ source: path, target: path, readOnly: z.boolean().optional() })).optional(),
});

const pipelineDescription = z
  .object({
    /** Id of the workflow and its algorithm. */
    name: nodeId,
    title: pythonText,
    version: pythonText,
    description: pythonText,
    /** Parameters of a run in addition to `RUN_PARAMETERS`. A trigger must contain all of them. */
    parameters: z.array(
      z.object({
        name: parameterName,
        type: z.enum(PARAMETER_TYPES),
        /** Intended default, for readers of the files; generators ignore this value. */
        default: pythonText.optional(),
      }),
    ),
    inputs: z.array(inputDescription),
    outputs: z.array(datasetDescription).min(1),
    container: containerDescription.optional(),
  })
  .superRefine((pipeline, context) => {
    const taken = new Set<string>(RUN_PARAMETERS.map(({ name }) => name));
    const repeated = (path: (string | number)[], remedy: string) =>
      context.addIssue({ ...faulty('already exists', remedy), path });
    for (const [index, { name }] of pipeline.parameters.entries())
      if (taken.size === taken.add(name).size)
        repeated(['parameters', index, 'name'], 'remove it; job_id and run_token are added to every algorithm');
    const datasets = new Set<string>();
    for (const list of ['inputs', 'outputs'] as const)
      for (const [index, { id }] of pipeline[list].entries())
        if (datasets.size === datasets.add(id).size)
          repeated([list, index, 'id'], 'name each dataset once; a pipeline cannot read its own outputs');
  });

/** Input of `writeWorkflowFiles`. */
export const workflowDescription = z
  .object({
    group: z.enum(GROUPS),
    /**
     * `api` (default): the orchestrator calls the service, or starts the container if API mode is disabled.
     * `container`: the orchestrator starts the container.
     */
    mode: z.enum(['api', 'container']).optional(),
    /** Release date of the algorithms, `YYYY-MM-DD`. */
    date: day,
    /** Address of the source code. */
    code: address,
    /** Address of the service for the orchestrator, without a query or variables; `/api/export-asset` is added. */
    serviceApiBase: address.superRefine((base, context) => {
      if (base.includes('?'))
        context.addIssue(faulty('has a query', 'remove the query; a path is added to the address'));
    }),
    pipelines: z
      .array(pipelineDescription)
      .min(1)
      .superRefine((pipelines, context) => {
        const names = new Set<string>();
        for (const [index, { name }] of pipelines.entries())
          if (names.size === names.add(name).size)
            context.addIssue({ ...faulty('already exists', 'name each pipeline once'), path: [index, 'name'] });
      }),
  })
  .superRefine(({ mode, pipelines }, context) => {
    for (const [index, { container }] of pipelines.entries())
      if (mode === 'container' && container === undefined)
        context.addIssue({
          ...faulty('is missing, although the mode is container', 'describe the container, or choose the mode api'),
          path: ['pipelines', index, 'container'],
        });
  });

export type PipelineDescription = z.input<typeof pipelineDescription>;
export type DatasetDescription = z.input<typeof datasetDescription>;
/** Descriptions of pipelines; the schema `workflowDescription` explains the fields. */
export interface WorkflowDescription extends Omit<z.input<typeof workflowDescription>, 'date'> {
  readonly date: string;
}
/** A validated description. */
export type CheckedDescription = z.output<typeof workflowDescription>;
export type CheckedPipeline = z.output<typeof pipelineDescription>;
