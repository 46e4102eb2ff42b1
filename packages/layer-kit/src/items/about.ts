import type { PlaceSlugs } from '@headwater/core';
import { SYNTHETIC_NOTICE } from '@headwater/core/pipelines';
import { type ItemId, itemId, type ItemInput } from '@headwater/stac';
import type { ItemWork } from '../run/work.ts';
import { itemFrame } from './item-frame.ts';
import { itemSources, itemTitle, timesOfYears } from './item-sources.ts';

/** Texts and times of a layer's Item. Place, run, version and the credits of its sources are added. */
export interface LayerAbout {
  /** Last part of the Item's id, after the place. */
  readonly layer: string;
  /** Without place and years, which are appended. */
  readonly title: string;
  /** Meaning of a value or a feature. Markdown. */
  readonly description: string;
  /** Method of computation, as a paragraph `Method` after the description. Markdown. */
  readonly procedure?: string;
  /** One line for `processing:lineage`. */
  readonly lineage: string;
  readonly keywords: readonly [string, ...string[]];
  /** First and last hydrological year; left out for a layer without years, whose Item has the time of computation. */
  readonly years?: readonly [number, number];
  /** Credit, if its sources require none. */
  readonly attribution?: string;
  /** True if it is computed from synthetic data; also true if one of its sources is. */
  readonly synthetic?: boolean;
  /** Further properties of the Item. */
  readonly extra?: ItemInput['extra'];
}

/** Id of a layer's Item of a place. */
export const layerItemId = (layer: string, { state, district, block }: PlaceSlugs): ItemId =>
  itemId({ state, district, block, layer });

/** All members of an Item except extent, content and assets. */
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
    // Boundaries and heights have no date, so the time of publication is used.
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
