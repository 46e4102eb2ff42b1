import { stringify } from 'yaml';
import { type CheckedDescription, type CheckedPipeline, RUN_PARAMETERS, type WorkflowDescription } from './describe.ts';
import { workflowDescription } from './describe.ts';
import type { Workflow, WorkflowTexts } from './documents.ts';
import { FaultList, fieldOf, valueAt, wordIssue, type WorkflowFault } from './faults.ts';

const API_PATH = '/api/export-asset';
/**
 * Priorities of the modes. The generator of DAGs uses the mode with the lower number. If both numbers are equal, it
 * uses the container.
 */
const PRIORITY = { first: 1, second: 2 } as const;

/**
 * The files of one pipeline. Each pipeline needs its own folder: the names of the files are fixed, and the generator
 * uses only the last workflow of a file.
 */
export interface WrittenWorkflow {
  readonly pipeline: string;
  /** Id of the DAG for triggers. */
  readonly dagId: string;
  readonly texts: WorkflowTexts;
}

/** The workflows in the order of the pipelines, or the faults of the description. */
export type WriteOutcome =
  | { readonly kind: 'written'; readonly workflows: readonly WrittenWorkflow[] }
  | { readonly kind: 'faults'; readonly faults: readonly WorkflowFault[] };

/** Writes the three files of each pipeline for the generator of DAGs. The same description gives the same texts. */
export function writeWorkflowFiles(description: WorkflowDescription): WriteOutcome {
  const checked = workflowDescription.safeParse(description);
  if (!checked.success) {
    const faults = new FaultList<WorkflowFault>();
    for (const issue of checked.error.issues)
      faults.add({ field: fieldOf(issue.path), ...wordIssue(issue, valueAt(description, issue.path)) });
    return { kind: 'faults', faults: faults.list() };
  }
  const workflows = checked.data.pipelines.map((pipeline) => ({
    pipeline: pipeline.name,
    dagId: `${pipeline.name}_mixed`,
    texts: textsOf(documentsOf(checked.data, pipeline)),
  }));
  return { kind: 'written', workflows };
}

function documentsOf(description: CheckedDescription, pipeline: CheckedPipeline): Workflow {
  const { name: id, title: name, version } = pipeline;
  const params = [...RUN_PARAMETERS, ...pipeline.parameters];
  const datasets = [...pipeline.inputs, ...pipeline.outputs];
  return {
    dag: {
      id,
      name,
      group: description.group,
      version,
      description: pipeline.description,
      params: params.map((parameter) => parameter.name),
      alg_type_nodes: [id],
      dataset_type_nodes: datasets.map((dataset) => dataset.id),
    },
    datasetTypes: datasets.map((dataset) => ({
      id: dataset.id,
      name: dataset.title,
      description: dataset.description,
      format: dataset.format,
    })),
    algorithmTypes: [
      {
        id,
        name,
        description: pipeline.description,
        params,
        input_datasets: pipeline.inputs.map((input) => input.id),
        outputs: pipeline.outputs.map((output) => output.id),
      },
    ],
    algorithmInstances: [
      {
        type: id,
        version,
        date: description.date,
        assets: { code: description.code },
        execution_modes: modesOf(description, pipeline),
      },
    ],
    datasetInstances: pipeline.inputs.flatMap(({ id: type_id, asset }) =>
      asset === undefined ? [] : [{ type_id, version: asset.version, region: asset.region, asset_id: asset.id }],
    ),
  };
}

function modesOf({ serviceApiBase, mode = 'api' }: CheckedDescription, { container }: CheckedPipeline) {
  const isCalled = mode === 'api';
  const url = serviceApiBase.replace(/\/+$/, '') + API_PATH;
  const api = { enabled: isCalled, priority: isCalled ? PRIORITY.first : PRIORITY.second, url };
  if (container === undefined) return { api };
  const { image, module, function: called, volumes = [] } = container;
  return {
    api,
    docker: {
      enabled: true,
      priority: isCalled ? PRIORITY.second : PRIORITY.first,
      image,
      module,
      function: called,
      volumes: volumes.map(({ source, target, readOnly }) => ({ source, target, read_only: readOnly ?? false })),
    },
  };
}

function textsOf(workflow: Workflow): WorkflowTexts {
  return {
    dag: [
      document('!DAG', workflow.dag),
      ...workflow.datasetTypes.map((dataset) => document('!Dataset_Type', dataset)),
      ...workflow.algorithmTypes.map((algorithm) => document('!Algorithm_Type', algorithm)),
    ].join('\n'),
    algorithms: workflow.algorithmInstances
      .map((instance) =>
        // The date has no quotation marks, because programs that read the file expect a date and not a text.
        document('!Algorithm_Instance', { ...instance, ...(instance.date && { date: new Date(instance.date) }) }),
      )
      .join('\n'),
    datasets: workflow.datasetInstances.map((instance) => document('!Dataset_Instance', instance)).join('\n'),
  };
}

/** Texts are quoted, because YAML 1.1 reads some unquoted texts as booleans, dates or numbers. */
function document(tag: string, value: object): string {
  const body = stringify(value, {
    version: '1.1',
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
  return `--- ${tag}\n${body}`;
}
