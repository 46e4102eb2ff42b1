import type { ComputedPlace, Elevation, IdSlugs, OpenedLayer, PipelinePorts } from '@headwater/core';
import { SYNTHETIC_NOTICE } from '@headwater/core/pipelines';
import { itemFrame, itemSources, itemTitle, type LayerDraft, timesOfYears } from '@headwater/layer-kit';
import { type ItemId, itemId } from '@headwater/stac';

/** What an Item of a terrain layer tells. */
export interface TerrainItem {
  /** What the heights were, as far as it is known of the layer. */
  readonly source: Pick<Elevation, 'title' | 'license' | 'attribution' | 'synthetic'>;
  /** Last part of the Item's id. */
  readonly layer: string;
  /** E.g. `Slope`; the place and the years are added. */
  readonly title: string;
  readonly description: string;
  readonly lineage: string;
  readonly method: string;
  readonly keywords: readonly string[];
  /** Published layers that it follows from. */
  readonly sources?: readonly OpenedLayer[];
  /** First and last hydrological year; left out: it has no time of its own. */
  readonly years?: readonly [number, number];
}

/** Of which place and run an Item tells. */
export interface ItemTools {
  readonly job: ComputedPlace;
  readonly ports: Pick<PipelinePorts, 'addresses' | 'version' | 'now'>;
  readonly runId: string;
  /** What it says of how its figures were computed, behind its description; left out: nothing. */
  readonly note?: string;
}

/** Id of a place's Item of a layer. */
export const terrainItemId = (layer: string, { state, district, block }: IdSlugs): ItemId =>
  itemId({ state, district, block, layer });

/** Everything but extent, assets and content. Heights have no day: without years the Item's time is that of its making. */
export function terrainMembers(told: TerrainItem, { job, ports, runId, note = '' }: ItemTools): LayerDraft['members'] {
  const { source, years, method } = told;
  const from = itemSources(told.sources ?? [], ports.addresses);
  const synthetic = source.synthetic === true || from.synthetic;
  const frame = itemFrame({
    id: terrainItemId(told.layer, job.slugs),
    job,
    ports,
    runId,
    method,
    lineage: `${told.lineage}, method ${method}`,
    keywords: ['terrain', ...told.keywords],
    synthetic,
  });
  return {
    ...frame,
    title: itemTitle(told.title, { place: job.place.tehsil.name, years, synthetic }),
    description: `${synthetic ? `${SYNTHETIC_NOTICE}\n\n` : ''}${told.description}${note} Elevations: ${source.title} (licence: ${source.license}).`,
    ...(years === undefined ? { start: frame.published, end: frame.published } : timesOfYears(years)),
    attribution: from.attribution ?? source.attribution,
    derivedFrom: from.derivedFrom,
    extra: {
      ...frame.extra,
      'headwater:elevation_title': source.title,
      'headwater:elevation_license': source.license,
    },
  };
}
