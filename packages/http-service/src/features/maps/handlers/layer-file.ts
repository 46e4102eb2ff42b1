import { DomainError, type LayerRecord } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import type { StoredLayer } from '../wfs-form.ts';
import type { Reply } from '../../../seam/reply.ts';
import { geometryNameOf } from '../schemas/geometry-layers.ts';
import { RunId } from '../../runs/schemas/runs.ts';
import type { RequestHeaders } from '../../../reading/conditions.ts';
import { ogcError, unknownLayer, type OgcQuery } from './ogc.ts';

/** A request to one workspace. */
export interface OgcRequest {
  readonly workspace: string;
  readonly query: OgcQuery;
  readonly method: string;
  readonly headers: RequestHeaders;
}

/** The stored file of a layer. */
export interface LayerFile extends StoredLayer {
  /** True if the request names a run. The response to such a request never changes. */
  readonly isLasting: boolean;
}

/**
 * Finds the newest file of a layer, or the file of the run that `query` names. Undefined if the run's file was deleted.
 * Throws `unavailable` if the newest file is missing. `name` may include the workspace.
 */
export async function layerFile(
  deps: Ports<'assets' | 'stores'>,
  { workspace, query }: Pick<OgcRequest, 'workspace' | 'query'>,
  { layerType, name }: { readonly layerType: LayerRecord['layerType']; readonly name: string },
): Promise<LayerFile | undefined> {
  const layerName = withoutWorkspace(workspace, name);
  const runId = query['run'];
  if (runId !== undefined && !RunId.safeParse(runId).success)
    throw ogcError('InvalidParameterValue', 'run', `run: "${runId}" is not a run id; copy the address from an Item`);
  const { catalog } = deps.stores;
  const record =
    runId === undefined
      ? await catalog.layer(workspace, layerName)
      : await catalog.layerOfRun(runId, workspace, layerName);
  if (record === undefined || record.layerType !== layerType) throw unknownLayer(layerType, workspace, name);
  const { assetKey } = record;
  const file = await deps.assets?.open(assetKey);
  if (file !== undefined) {
    return { layerName, assetKey, file, geometryName: geometryNameOf(workspace), isLasting: runId !== undefined };
  }
  if (runId !== undefined) return undefined;
  // The status is not 404, because a missing file of a published layer is a failure of the service.
  throw new DomainError(
    'unavailable',
    `${layerName}: the stored file of this layer is missing; compute or import the layer again`,
  );
}

/** Redirects from a deleted version to the newest version. */
export function seeNewest(location: string): Reply {
  return { status: 307, headers: { location, 'cache-control': 'no-cache' }, body: undefined };
}

/** Returns a layer's name without its workspace prefix. */
export function withoutWorkspace(workspace: string, name: string): string {
  const prefix = [`${workspace}:`, `${workspace}__`].find((each) => name.startsWith(each)) ?? '';
  return name.slice(prefix.length);
}
