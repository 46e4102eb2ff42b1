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

/** Parameters of every algorithm, by which the service knows the run again that it started: the orchestrator sends only declared ones. */
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
  /** The dataset itself where it exists already and no workflow makes it. */
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
  /** Reference of the image with its tag or digest; not `latest`, which is another image tomorrow. */
  image: matching(/^(?!.*:latest$)[A-Za-z0-9][\w./:-]*(:[\w.-]+|@sha256:[0-9a-f]{64})$/, {
    problem: 'is no pinned reference of an image',
    remedy: 'give its tag or digest, such as registry/name:1.0.0, and not latest',
  }),
  module: moduleName,
  function: functionName,
  volumes: z.array(z.object({ source: path, target: path, readOnly: z.boolean().optional() })).optional(),
});

const pipelineDescription = z
  .object({
    /** Id of the workflow and of its algorithm. */
    name: nodeId,
    title: pythonText,
    version: pythonText,
    description: pythonText,
    /** What a run takes, without `RUN_PARAMETERS`. A trigger has to give every one of them. */
    parameters: z.array(
      z.object({
        name: parameterName,
        type: z.enum(PARAMETER_TYPES),
        /** What is meant where a run gives none, for those who read the files; the generators that exist ignore it. */
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
      context.addIssue({ ...faulty('is there already', remedy), path });
    for (const [index, { name }] of pipeline.parameters.entries())
      if (taken.size === taken.add(name).size)
        repeated(['parameters', index, 'name'], 'leave it out; job_id and run_token are added to every algorithm');
    const datasets = new Set<string>();
    for (const list of ['inputs', 'outputs'] as const)
      for (const [index, { id }] of pipeline[list].entries())
        if (datasets.size === datasets.add(id).size)
          repeated([list, index, 'id'], 'name each dataset once; what a pipeline makes it cannot read');
  });

/** All that is described at once. */
export const workflowDescription = z
  .object({
    group: z.enum(GROUPS),
    /** `api` (default): the orchestrator calls the service, and takes a container where that mode is switched off. `container`: the container alone. */
    mode: z.enum(['api', 'container']).optional(),
    /** Day of the algorithms' release, `YYYY-MM-DD`. */
    date: day,
    /** Where the source code is. */
    code: address,
    /** The service as the orchestrator reaches it, resolved; `/api/export-asset` is added. */
    serviceApiBase: address.superRefine((base, context) => {
      if (base.includes('?'))
        context.addIssue(faulty('has a query', 'give the address of the service alone, a path is added to it'));
    }),
    pipelines: z
      .array(pipelineDescription)
      .min(1)
      .superRefine((pipelines, context) => {
        const names = new Set<string>();
        for (const [index, { name }] of pipelines.entries())
          if (names.size === names.add(name).size)
            context.addIssue({ ...faulty('is there already', 'name each pipeline once'), path: [index, 'name'] });
      }),
  })
  .superRefine(({ mode, pipelines }, context) => {
    for (const [index, { container }] of pipelines.entries())
      if (mode === 'container' && container === undefined)
        context.addIssue({
          ...faulty('is missing, and the mode is container', 'describe the container, or choose the mode api'),
          path: ['pipelines', index, 'container'],
        });
  });

export type PipelineDescription = z.input<typeof pipelineDescription>;
export type DatasetDescription = z.input<typeof datasetDescription>;
/** Described pipelines; the fields are told at the schema. */
export interface WorkflowDescription extends Omit<z.input<typeof workflowDescription>, 'date'> {
  readonly date: string;
}
/** A description whose values have been checked. */
export type CheckedDescription = z.output<typeof workflowDescription>;
export type CheckedPipeline = z.output<typeof pipelineDescription>;
