import type { AnyPipeline, PipelineDataset, PipelineDatasets } from '@headwater/core';
import type { PipelineRegistry } from '@headwater/core/runs';

/**
 * What a pipeline reads and makes. What it does not declare is derived: it makes its layers and each of the tables and series that `data`
 * names, and it reads the layers of the pipelines that `dependsOn` names.
 */
export function datasetsOf(pipeline: AnyPipeline, pipelines: Pick<PipelineRegistry, 'get'>): PipelineDatasets {
  const makers = (pipeline.dependsOn ?? []).flatMap((name) => pipelines.get(name) ?? []);
  return {
    inputs: pipeline.datasets?.inputs ?? makers.flatMap((maker) => outputsOf(maker).slice(0, 1)),
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
    description: `What ${name} publishes as the table or series ${table}.`,
    form: 'table' as const,
  }));
  return withOwnIds([layers, ...tables]);
}

const idOf = (text: string): string => text.replaceAll(/[^A-Za-z0-9]+/g, '_');

/** Two names may differ in signs alone that an id cannot have. */
function withOwnIds(datasets: readonly PipelineDataset[]): readonly PipelineDataset[] {
  const taken = new Set<string>();
  return datasets.map((dataset) => {
    let { id } = dataset;
    for (let count = 2; taken.has(id); count++) id = `${dataset.id}_${count}`;
    taken.add(id);
    return { ...dataset, id };
  });
}
