import { collectionIdOf, collectionOf, type ComputedPlace, type PipelinePorts } from '@headwater/core';
import { outlineDigest } from '@headwater/core/geo';
import { BOUNDARY, CATALOGUE_TITLE } from '@headwater/core/pipelines';
import { instant, type ItemId, type ItemInput } from '@headwater/stac';

/** Input of `itemFrame`. */
export interface FramedItem {
  readonly id: ItemId;
  readonly job: Pick<ComputedPlace, 'place' | 'slugs' | 'clip'>;
  readonly ports: Pick<PipelinePorts, 'addresses' | 'version' | 'now'>;
  readonly runId: string;
  /** Version of the method. */
  readonly method: string;
  readonly lineage: string;
  /** Keywords; the names of the place are appended. */
  readonly keywords: ItemInput['keywords'];
  readonly synthetic: boolean;
}

/** Returns the Item members that all layers have in common: path, place, run and method. */
export function itemFrame({ id, job, ports, runId, method, lineage, keywords, synthetic }: FramedItem) {
  const { place, slugs, clip } = job;
  const { addresses } = ports;
  const path = collectionOf(slugs);
  const published = instant(ports.now());
  const [first, ...others] = keywords;
  const names = [place.tehsil.name, place.district.name, place.state.name, ...(synthetic ? ['synthetic'] : [])];
  return {
    id,
    published,
    keywords: [first, ...others, ...names],
    processing: { lineage, software: { headwater: ports.version }, version: method, datetime: published },
    root: { href: addresses.catalog(), title: CATALOGUE_TITLE },
    collection: { id: collectionIdOf(slugs), href: addresses.collection(path), title: place.tehsil.name },
    self: addresses.item(path, id),
    extra: {
      'headwater:state': place.state.name,
      'headwater:district': place.district.name,
      'headwater:tehsil': place.tehsil.name,
      'headwater:run_id': runId,
      'headwater:synthetic': synthetic,
      'headwater:method_version': method,
      [BOUNDARY]: outlineDigest(clip),
    },
  } satisfies Partial<ItemInput>;
}
