import { instant, type ItemId, type ItemInput } from '@headwater/stac';
import { outlineDigest } from '../geo/outline-digest.ts';
import { collectionIdOf, collectionOf } from '../places/place-slugs.ts';
import type { ComputedPlace } from '../places/computed-place.ts';
import { BOUNDARY } from './made-for.ts';
import type { PipelinePorts } from './pipeline.ts';

/** What the Item of a layer of a place is told of. */
export interface FramedItem {
  readonly id: ItemId;
  readonly job: Pick<ComputedPlace, 'place' | 'slugs' | 'clip'>;
  readonly ports: Pick<PipelinePorts, 'addresses' | 'version' | 'now'>;
  readonly runId: string;
  /** Version of the method. */
  readonly method: string;
  /** One line for `processing:lineage`. */
  readonly lineage: string;
  /** Without the names of the place, which follow them. */
  readonly keywords: ItemInput['keywords'];
  readonly synthetic: boolean;
}

/** What stored Items call the catalogue; texts that are sent have the title of the publication. */
export const CATALOGUE_TITLE = 'Headwater STAC catalogue';

/** Members that the Items of all layers of a place have alike: where they stand in the catalogue, of which place, run and method. */
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
