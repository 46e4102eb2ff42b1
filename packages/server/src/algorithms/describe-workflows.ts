import { type AnyPipeline, createPipelineRegistry, type PipelineDataset, type PipelineDatasets } from '@headwater/core';
import type { PipelineRegistry } from '@headwater/core/runs';
import type {
  DatasetDescription,
  PipelineDescription,
  WorkflowDescription,
} from '@headwater/orchestrator-client/workflow-files';
import { ConfigError } from '../config/config-error.ts';
import type { Release } from '../read-version.ts';
import { declaredParameters } from './declared-parameters.ts';
import type { WorkflowWriting } from './workflow-options.ts';

/**
 * Datasets of a pipeline. Without declared outputs, the outputs are its layers and its tables (`data`). Without
 * declared inputs, the inputs are the first output of each pipeline in `dependsOn`.
 */
export function datasetsOf(pipeline: AnyPipeline, pipelines: Pick<PipelineRegistry, 'get'>): PipelineDatasets {
  const sources = (pipeline.dependsOn ?? []).flatMap((name) => pipelines.get(name) ?? []);
  return {
    inputs: pipeline.datasets?.inputs ?? sources.flatMap((source) => outputsOf(source).slice(0, 1)),
    outputs: outputsOf(pipeline),
  };
}

function outputsOf({ name, summary, data = [], datasets }: AnyPipeline): readonly PipelineDataset[] {
  if (datasets?.outputs !== undefined) return datasets.outputs;
  const layers = {
    id: idOf(`${name}_layers`),
    title: `Layers of ${name}`,
    description: summary,
    form: 'layers',
  } as const;
  const tables = data.map((table) => ({
    id: idOf(`${name}_${table}`),
    title: `Table ${table}`,
    description: `The table or series ${table} of ${name}.`,
    form: 'table' as const,
  }));
  return withOwnIds([layers, ...tables]);
}

const idOf = (text: string): string => text.replaceAll(/[^A-Za-z0-9]+/g, '_');

/**
 * Gives each dataset an id of its own. Names may differ only in characters that an id cannot have, so two ids could be
 * equal.
 */
function withOwnIds(datasets: readonly PipelineDataset[]): readonly PipelineDataset[] {
  const taken = new Set<string>();
  return datasets.map((dataset) => {
    let { id } = dataset;
    for (let count = 2; taken.has(id); count++) id = `${dataset.id}_${count}`;
    taken.add(id);
    return { ...dataset, id };
  });
}

/** Module in `deploy/airflow/headwater_algorithms` with a function for each pipeline. */
const MODULE = 'headwater_algorithms.algorithms';

const FORMATS = { raster: 'GEEAsset', layers: 'GEEAsset', vector: 'GeoServerLayer', table: 'CSV' } as const;

/**
 * Describes the pipelines of `writing.pipelines`, in this order, for their workflow files; all pipelines if it is
 * empty. Throws `ConfigError` for an unknown pipeline or group.
 */
export function describeWorkflows(
  pipelines: readonly AnyPipeline[],
  writing: WorkflowWriting & { readonly service: string },
  { version, date }: Release,
): WorkflowDescription {
  const registry = createPipelineRegistry(pipelines);
  const { mode, service, group, code = service } = writing;
  return {
    mode,
    group: groupOf(group),
    date: writing.date ?? date ?? new Date().toISOString().slice(0, 10),
    code,
    serviceApiBase: service,
    pipelines: chosen(registry, writing.pipelines).map((pipeline) =>
      describe(pipeline, { registry, writing, version }),
    ),
  };
}

function chosen(registry: PipelineRegistry, names: readonly string[]): readonly AnyPipeline[] {
  if (names.length === 0) return registry.list;
  return [...new Set(names)].map((name) => {
    const pipeline = registry.get(name);
    if (pipeline !== undefined) return pipeline;
    const known = registry.list.map((each) => each.name).join(', ');
    throw new ConfigError(`--pipeline: unknown pipeline ${JSON.stringify(name)}; the pipelines are ${known}.`);
  });
}

const GROUPS = ['corestack', 'drone', 'bioacoustic'] as const;

function groupOf(text: string): (typeof GROUPS)[number] {
  const group = GROUPS.find((each) => each === text);
  if (group !== undefined) return group;
  throw new ConfigError(`--group: expected one of ${GROUPS.join(', ')}, not ${JSON.stringify(text)}.`);
}

interface Describing {
  readonly registry: PipelineRegistry;
  readonly writing: WorkflowWriting;
  readonly version: string;
}

function describe(pipeline: AnyPipeline, { registry, writing, version }: Describing): PipelineDescription {
  const { inputs, outputs } = datasetsOf(pipeline, registry);
  const { image, volumes } = writing;
  return {
    name: pipeline.name,
    title: pipeline.name.replaceAll('_', ' '),
    version,
    description: printed(pipeline.summary),
    parameters: [...declaredParameters(pipeline)],
    inputs: inputs.map(described),
    outputs: outputs.map(described),
    ...(image === undefined
      ? {}
      : { container: { image, module: MODULE, function: pipeline.name, volumes: [...volumes] } }),
  };
}

const described = ({ id, title, description, form }: PipelineDataset): DatasetDescription => ({
  id,
  title: printed(title),
  description: printed(description),
  format: FORMATS[form],
});

/** Uses typographic quotation marks, because generators of workflows put the texts between plain ones. */
function printed(text: string): string {
  return text
    .replaceAll("'", '\u2019')
    .replaceAll(/"([^"]*)"/g, '\u201C$1\u201D')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
