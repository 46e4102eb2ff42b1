import type { PlaceSlugs } from '@headwater/core';
import { SYNTHETIC_NOTICE } from '@headwater/core/pipelines';
import { type ItemId, itemId, type ItemInput } from '@headwater/stac';
import type { ItemWork } from '../run/work.ts';
import { itemFrame } from './item-frame.ts';
import { itemSources, itemTitle, timesOfYears } from './item-sources.ts';

/** Texts and times of a layer's Item. Place, run, version and what its sources ask for are added. */
export interface LayerAbout {
  /** Last part of the Item's id, behind the place. */
  readonly layer: string;
  /** Without place and years, which follow it. */
  readonly title: string;
  /** What a value or a feature is. Markdown. */
  readonly description: string;
  /** How it is made, as a paragraph `Method` behind the description. Markdown. */
  readonly procedure?: string;
  /** One line for `processing:lineage`. */
  readonly lineage: string;
  readonly keywords: readonly [string, ...string[]];
  /** First and last hydrological year; left out: it has no time of its own, and that of its Item is when it was made. */
  readonly years?: readonly [number, number];
  /** Credit, if its sources ask for none. */
  readonly attribution?: string;
  /** True if it is made of synthetic data; it also is if one of its sources is. */
  readonly synthetic?: boolean;
  /** Further properties of the Item. */
  readonly extra?: ItemInput['extra'];
}

/** Id of a place's Item of a layer. */
export const layerItemId = (layer: string, { state, district, block }: PlaceSlugs): ItemId =>
  itemId({ state, district, block, layer });

/** Everything of an Item but extent, content and assets. */
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
    // Boundaries and heights have no day: they are as they were when they were published.
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
