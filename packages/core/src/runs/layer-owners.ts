import { DomainError } from '../errors.ts';
import type { NewLayer } from '../ports/catalog.ts';
import type { PublishedReads } from '../ports/published.ts';
import type { RunStore } from '../ports/runs.ts';
import type { AnyPipeline, PipelineRegistry } from './types.ts';

/** Dependencies of `checkLayerOwners`. */
export interface OwnerDeps {
  readonly runs: Pick<RunStore, 'get'>;
  readonly published: Pick<PublishedReads, 'layer'>;
  readonly pipelines: Pick<PipelineRegistry, 'get'>;
}

/**
 * Throws `conflict` for a layer that an unrelated pipeline published. Pipelines are related if one names the other in
 * `dependsOn`. Unrelated pipelines would replace each other's results.
 */
export async function checkLayerOwners(
  { runs, published, pipelines }: OwnerDeps,
  { pipeline, layers }: { readonly pipeline: AnyPipeline; readonly layers: readonly NewLayer[] },
): Promise<void> {
  const owners = new Map<string, AnyPipeline | undefined>();
  for (const { workspace, layerName, tehsilId } of layers.flatMap(namesOf)) {
    const existing = await published.layer(workspace, layerName);
    // The publication itself checks a name that belongs to another tehsil.
    if (existing?.tehsilId !== tehsilId) continue;
    const [runId] = existing.assetKey.split('/');
    if (runId === undefined) continue;
    // The owner is undefined if the run was removed, or if its pipeline no longer exists.
    if (!owners.has(runId)) owners.set(runId, pipelines.get((await runs.get(runId))?.pipeline ?? ''));
    const owner = owners.get(runId);
    if (owner === undefined || mayShare(owner, pipeline)) continue;
    throw new DomainError(
      'conflict',
      `Layer ${workspace}:${layerName} is published by pipeline ${owner.name}, and pipeline ${pipeline.name} would replace it; ` +
        'give one of them another workspace. If both should publish this layer, name one pipeline in the dependsOn of the other.',
    );
  }
}

const namesOf = ({ workspace, layerName, tehsilId, formerly = [] }: NewLayer) =>
  [layerName, ...formerly].map((name) => ({ workspace, layerName: name, tehsilId }));

function mayShare(a: AnyPipeline, b: AnyPipeline): boolean {
  return a.name === b.name || (a.dependsOn ?? []).includes(b.name) || (b.dependsOn ?? []).includes(a.name);
}
