import { DomainError } from '../errors.ts';
import type { NewLayer } from '../ports/catalog.ts';
import type { PublishedReads } from '../ports/published.ts';
import type { RunStore } from '../ports/runs.ts';
import type { AnyPipeline, PipelineRegistry } from './types.ts';

/** What the check looks at. */
export interface OwnerDeps {
  readonly runs: Pick<RunStore, 'get'>;
  readonly published: Pick<PublishedReads, 'layer'>;
  readonly pipelines: Pick<PipelineRegistry, 'get'>;
}

/**
 * Throws `conflict` where a layer is another pipeline's: two that know nothing of each other would replace one another's results for ever.
 * Pipelines of which one depends on the other may share a name, as areas that are made again of published rasters do.
 */
export async function checkLayerOwners(
  { runs, published, pipelines }: OwnerDeps,
  { pipeline, layers }: { readonly pipeline: AnyPipeline; readonly layers: readonly NewLayer[] },
): Promise<void> {
  const owners = new Map<string, AnyPipeline | undefined>();
  for (const { workspace, layerName, tehsilId } of layers.flatMap(namesOf)) {
    const there = await published.layer(workspace, layerName);
    // A former name that another tehsil has stays that one's; a present one of another tehsil is refused where it is published.
    if (there?.tehsilId !== tehsilId) continue;
    const [runId] = there.assetKey.split('/');
    if (runId === undefined) continue;
    // A run that was removed, or of a pipeline that is no more, holds nothing.
    if (!owners.has(runId)) owners.set(runId, pipelines.get((await runs.get(runId))?.pipeline ?? ''));
    const owner = owners.get(runId);
    if (owner === undefined || mayShare(owner, pipeline)) continue;
    throw new DomainError(
      'conflict',
      `Layer ${workspace}:${layerName} is published by pipeline ${owner.name}, and pipeline ${pipeline.name} would replace it; ` +
        "give one of them a workspace of its own, or name the other in its dependsOn where the layer is meant to be both's.",
    );
  }
}

/** The names that a publication takes: of a layer that was renamed the former ones answer with its file too. */
const namesOf = ({ workspace, layerName, tehsilId, formerly = [] }: NewLayer) =>
  [layerName, ...formerly].map((name) => ({ workspace, layerName: name, tehsilId }));

function mayShare(a: AnyPipeline, b: AnyPipeline): boolean {
  return a.name === b.name || (a.dependsOn ?? []).includes(b.name) || (b.dependsOn ?? []).includes(a.name);
}
