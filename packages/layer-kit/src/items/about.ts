import type { PlaceSlugs } from '@headwater/core';
import { SYNTHETIC_NOTICE } from '@headwater/core/pipelines';
import { type ItemId, itemId, type ItemInput } from '@headwater/stac';
import type { ItemWork } from '../run/work.ts';
import { itemFrame } from './item-frame.ts';
import { itemSources, itemTitle, timesOfYears } from './item-sources.ts';

/** Texts and years of a layer's Item. */
export interface LayerAbout {
  /** Last part of the Item's id. */
  readonly layer: string;
  /** Title without place and years, which are appended. */
  readonly title: string;
  /** Meaning of a value or a feature. Markdown. */
  readonly description: string;
  /** Method in Markdown; becomes the paragraph `Method`. */
  readonly procedure?: string;
  /** Text for `processing:lineage`, one line. */
  readonly lineage: string;
  readonly keywords: readonly [string, ...string[]];
  /** First and last hydrological year. If absent, the Item has the time of publication. */
  readonly years?: readonly [number, number];
  /** Credit if no source requires a credit. */
  readonly attribution?: string;
  /** True if computed from synthetic data. A synthetic source also marks the Item. */
  readonly synthetic?: boolean;
  /** Further properties of the Item. */
  readonly extra?: ItemInput['extra'];
}

/** Id of the Item of a layer for a place. */
export const layerItemId = (layer: string, { state, district, block }: PlaceSlugs): ItemId =>
  itemId({ state, district, block, layer });

/** Returns all members of an Item except those made from its files. */
export function membersOf(about: LayerAbout, work: ItemWork): Omit<ItemInput, 'geometry'> {
  const { job, ports, context, method, sources } = work;
  const { lineage, keywords, years } = about;
  const from = itemSources(sources, ports.addresses);
  const synthetic = about.synthetic === true || from.synthetic;
  const attribution = from.attribution ?? about.attribution;
  const id = layerItemId(about.layer, job.slugs);
  const frame = itemFrame({ id, job, ports, runId: context.run.id, method, lineage, keywords, synthetic });
  return {
    ...frame,
    title: itemTitle(about.title, { place: job.place.tehsil.name, years, synthetic }),
    description: descriptionOf(about, synthetic),
    // Layers without years, such as boundaries and heights, get the time of publication.
    ...(years === undefined ? { start: frame.published, end: frame.published } : timesOfYears(years)),
    ...(attribution === undefined ? {} : { attribution }),
    derivedFrom: from.derivedFrom,
    extra: { ...frame.extra, ...about.extra },
  };
}

const descriptionOf = ({ description, procedure }: LayerAbout, synthetic: boolean): string =>
  [
    ...(synthetic ? [SYNTHETIC_NOTICE] : []),
    description,
    ...(procedure === undefined ? [] : [`**Method**: ${procedure}`]),
  ].join('\n\n');
