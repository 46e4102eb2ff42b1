import type { LayerDetail } from '@headwater/core/ports';
import type { AuditEntry } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import { absent } from '../../../wire/absent.ts';
import { discardFiles } from '../../regions/handlers/remove-region.ts';

/**
 * Unpublishes the Item of a layer, removes its files, and returns the names of its removed layers. Throws `not_found`
 * without a published Item, and `conflict` while a run computes the layer.
 */
export async function unpublishLayer(
  deps: Ports<'assets' | 'logger' | 'mapPublisher' | 'stores'>,
  layer: Pick<LayerDetail, 'collectionPath' | 'itemId'> | undefined,
  name: string,
): Promise<readonly string[]> {
  const path = layer?.collectionPath ?? null;
  const removed =
    layer === undefined || path === null
      ? undefined
      : await deps.stores.runs.unpublish({ collectionPath: path, id: layer.itemId });
  if (removed === undefined) throw absent('item', { id: name });
  for (const attempt of removed.attempts) await discardFiles(deps, attempt);
  for (const each of removed.layers) deps.mapPublisher?.touch(each);
  return removed.layers;
}

/** Texts of a layer for its page in the admin and for the audit log. */
export function layerTexts({ place, datasetName, version, runId }: LayerDetail): Readonly<Record<string, string>> {
  return {
    tehsil: place?.tehsil ?? '',
    district: place?.district ?? '',
    state: place?.state ?? '',
    dataset: datasetName,
    version: String(version),
    run: runId ?? '',
  };
}

/** Entry of the audit log for an unpublished layer. */
export function unpublishedEntry(
  layer: LayerDetail,
  name: string,
): Pick<AuditEntry, 'resource' | 'rowId' | 'title' | 'action' | 'changes'> {
  const texts = Object.entries(layerTexts(layer)).filter(([, before]) => before !== '');
  const changes = Object.fromEntries(texts.map(([field, before]) => [field, { before, after: '' }]));
  return { resource: 'layers', rowId: name, title: name, action: 'unpublish', changes };
}
