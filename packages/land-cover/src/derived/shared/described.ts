import { layerNamesOf as namesOf, type PlaceSlugs } from '@headwater/core';
import type { LayerNames } from '@headwater/core/places';
import { SYNTHETIC_NOTICE } from '@headwater/core/pipelines';
import { type LayerDraft, itemFrame, itemSources, itemTitle, timesOfYears } from '@headwater/layer-kit';
import { itemId, type ItemId, type ItemInput } from '@headwater/stac';
import type { Work } from './derived-pipeline.ts';

/** Where a derived layer is published. */
export interface LayerSpec {
  readonly workspace: string;
  /** Name of the layer for a place as layer names have it. */
  readonly layer: (place: string) => string;
  /** Dataset as the directory of datasets names it. */
  readonly dataset: string;
  /** What follows the place in the Item's id. */
  readonly item: string;
}

/** What a derived layer says of itself. */
export interface Words {
  /** Without place and years, which follow it. */
  readonly title: string;
  /** First paragraph: what a value or a feature is. Markdown. */
  readonly intro: string;
  /** How it is made. Markdown. */
  readonly method: string;
  /** One line for `processing:lineage`. */
  readonly lineage: string;
  readonly keywords: readonly [string, ...string[]];
  /** First and last hydrological year; undefined where the layer has no time of its own. */
  readonly years?: readonly [number, number];
}

/** Work as far as Items need it. */
export type ItemWork = Pick<Work<unknown>, 'job' | 'ports' | 'context' | 'method' | 'sources' | 'files'>;

/** Id of a layer's Item for a place. */
export const itemIdOf = ({ state, district, block }: PlaceSlugs, { item }: LayerSpec): ItemId =>
  itemId({ state, district, block, layer: item });

/** Names of a layer at the map server. */
export const layerNamesOf = (slugs: PlaceSlugs, spec: LayerSpec): LayerNames => namesOf(slugs, spec.layer);

/** A layer to be published, as its pipeline describes it. */
export interface Described {
  readonly spec: LayerSpec;
  readonly words: Words;
}

/** What publishing takes of it: everything of an Item but extent, content and assets, and where the layer stands. */
export const draftOf = ({ spec, words }: Described, work: ItemWork): LayerDraft => ({
  members: membersOf(spec, words, work),
  workspace: spec.workspace,
  dataset: spec.dataset,
  layerName: spec.layer,
});

function membersOf(spec: LayerSpec, words: Words, work: ItemWork): LayerDraft['members'] {
  const { job, ports, context, method, sources } = work;
  const { synthetic, attribution, derivedFrom } = itemSources(sources, ports.addresses);
  const { lineage, keywords, years } = words;
  const told = {
    id: itemIdOf(job.slugs, spec),
    job,
    ports,
    runId: context.run.id,
    method,
    lineage,
    keywords,
    synthetic,
  };
  const frame = itemFrame(told);
  return {
    ...frame,
    title: itemTitle(words.title, { place: job.place.tehsil.name, years, synthetic }),
    description: descriptionOf(words, synthetic),
    ...timesOf(words, frame.published),
    ...(attribution === undefined ? {} : { attribution }),
    derivedFrom,
  };
}

function descriptionOf({ intro, method }: Words, synthetic: boolean): string {
  return [...(synthetic ? [SYNTHETIC_NOTICE] : []), intro, `**Method**: ${method}`].join('\n\n');
}

/** Boundaries have no time of their own: they are as they were when they were published. */
function timesOf({ years }: Words, published: ItemInput['published']): Pick<ItemInput, 'start' | 'end'> {
  return years === undefined ? { start: published, end: published } : timesOfYears(years);
}
