import { z } from 'zod';
import {
  address,
  day,
  faulty,
  FORMATS,
  functionName,
  GROUPS,
  image,
  moduleName,
  nodeId,
  parameterName,
  PARAMETER_TYPES,
  path,
  pythonText,
  version,
  workflowId,
} from './rules.ts';

// Schemas of the documents in the three files. The format of the files defines the member names.

const parameter = z.object({
  name: parameterName,
  type: z.enum(PARAMETER_TYPES).optional(),
  default: z.unknown().optional(),
});

/** A workflow. A parameter is a name or a mapping with `name`. */
export const dagDocument = z.object({
  id: workflowId,
  name: pythonText,
  version,
  group: z.enum(GROUPS).optional(),
  description: pythonText,
  params: z
    .array(
      z.preprocess(
        (value) => (typeof value === 'object' && value !== null ? Reflect.get(value, 'name') : value),
        parameterName,
      ),
    )
    .optional(),
  alg_type_nodes: z.array(nodeId),
  dataset_type_nodes: z.array(nodeId),
  /** Address of the documentation. */
  documentation: z.string().nullish(),
});

export const datasetTypeDocument = z.object({
  id: nodeId,
  name: z.string(),
  description: z.string().optional(),
  format: z.enum(FORMATS).optional(),
});

/** An algorithm. `input_datasets`, `outputs`: ids of dataset types; `depends_on`: ids of algorithms; null: none. */
export const algorithmTypeDocument = z.object({
  id: nodeId,
  name: pythonText,
  description: z.string().optional(),
  /** Existing generators do not read this member. */
  inputs: z.unknown().optional(),
  params: z.array(parameter),
  input_datasets: z.array(nodeId).nullish(),
  outputs: z.array(nodeId).nullish(),
  depends_on: z.array(nodeId).nullish(),
});

const priority = z.int().optional();

/** Mode in which the orchestrator sends a POST to the address. */
const apiMode = z
  .object({ enabled: z.boolean(), priority, url: address.optional() })
  .superRefine((mode, context) => demand(context, mode.enabled, { url: mode.url }));

/** Mode in which the orchestrator starts the image. */
const dockerMode = z
  .object({
    enabled: z.boolean(),
    priority,
    image: image.optional(),
    module: moduleName.optional(),
    function: functionName.optional(),
    volumes: z.array(z.object({ source: path, target: path, read_only: z.boolean().optional() })).optional(),
  })
  .superRefine((mode, context) => demand(context, mode.enabled, { image: mode.image }));

export const algorithmInstanceDocument = z.object({
  type: nodeId,
  version: version.optional(),
  date: day.optional(),
  assets: z.object({ code: z.string().optional() }).optional(),
  execution_modes: z
    .object({ api: apiMode.optional(), docker: dockerMode.optional() })
    .superRefine(({ api, docker }, context) => {
      const bothEnabled = api?.enabled === true && docker?.enabled === true;
      if (api?.enabled !== true && docker?.enabled !== true)
        context.addIssue(faulty('has no enabled mode: the algorithm has no task', 'enable api or docker'));
      const isClear = api?.priority !== undefined && docker?.priority !== undefined && api.priority !== docker.priority;
      if (bothEnabled && !isClear)
        context.addIssue(
          faulty(
            'has two enabled modes without different priorities, so that each generator may choose another mode',
            'give api and docker different priorities; the lower number wins',
          ),
        );
    }),
});

/** An existing dataset of a tehsil or of the country. */
export const datasetInstanceDocument = z.object({
  type_id: nodeId,
  version,
  region: z.union([z.literal('pan_india'), z.object({ state: z.string(), district: z.string(), block: z.string() })], {
    error: 'write pan_india, or a mapping of state, district and block',
  }),
  asset_id: z.string().min(1),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

export type DagDocument = z.infer<typeof dagDocument>;
export type DatasetTypeDocument = z.infer<typeof datasetTypeDocument>;
export type AlgorithmTypeDocument = z.infer<typeof algorithmTypeDocument>;
export type AlgorithmInstanceDocument = z.infer<typeof algorithmInstanceDocument>;
export type DatasetInstanceDocument = z.infer<typeof datasetInstanceDocument>;

/** Content of a workflow's three files. */
export interface Workflow {
  readonly dag: DagDocument;
  readonly datasetTypes: readonly DatasetTypeDocument[];
  readonly algorithmTypes: readonly AlgorithmTypeDocument[];
  readonly algorithmInstances: readonly AlgorithmInstanceDocument[];
  readonly datasetInstances: readonly DatasetInstanceDocument[];
}

/** Names of the three files. The generator of DAGs accepts no others. */
export const WORKFLOW_FILES = {
  dag: 'stacd_dag.yaml',
  algorithms: 'stacd_algorithm_repo.yaml',
  datasets: 'stacd_dataset_repo.yaml',
} as const;

/** Texts of the three files; `datasets` may be empty. */
export type WorkflowTexts = Readonly<Record<keyof typeof WORKFLOW_FILES, string>>;

function demand(context: z.RefinementCtx, isEnabled: boolean, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values))
    if (isEnabled && value === undefined)
      context.addIssue({
        ...faulty('is missing, although this execution mode is enabled', `write ${name}, or enabled: false`),
        path: [name],
      });
}
