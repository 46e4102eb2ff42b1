import type { ComputedPlace, IdSlugs, PipelinePorts } from '@headwater/core';
import { itemFrame, itemTitle, type LayerDraft } from '@headwater/layer-kit';
import { instant, itemId, type ItemId } from '@headwater/stac';
import type { LayerOptions } from './layer-options.ts';

/** Property with the SHA-256 of all input. An unchanged layer is not published again. */
export const IMPORT_DIGEST = 'headwater:import_digest';
const METHOD = '1';

/** Input for the Item of an imported layer. */
export interface ImportedItem {
  readonly options: LayerOptions;
  readonly job: ComputedPlace;
  readonly ports: Pick<PipelinePorts, 'addresses' | 'version' | 'now'>;
  readonly runId: string;
  readonly digest: string;
  readonly fileName: string;
}

/** Item id of an imported layer of a place. */
export const importedItemId = ({ name }: LayerOptions, { state, district, block }: IdSlugs): ItemId =>
  itemId({ state, district, block, layer: name });

/**
 * Creates what the drafts of vector and raster layers have in common: the names, and the Item without extent, content
 * and assets.
 */
export function importedDraft({ options, job, ports, runId, digest, fileName }: ImportedItem): LayerDraft {
  const { name, workspace, dataset, title, description, license, providers, attribution, keywords = [] } = options;
  const [first = name, ...others] = keywords;
  const frame = itemFrame({
    id: importedItemId(options, job.slugs),
    job,
    ports,
    runId,
    method: METHOD,
    lineage: options.lineage ?? `Imported from ${fileName.slice(0, 200).toWellFormed().replace(/\p{C}/gu, ' ')}`,
    keywords: [first, ...others],
    synthetic: false,
  });
  const members = {
    ...frame,
    title: itemTitle(title, { place: job.place.tehsil.name, synthetic: false }),
    description,
    start: instant(`${options.start}T00:00:00Z`),
    end: instant(`${options.end}T23:59:59Z`),
    license,
    providers: providers.map(withoutAbsent),
    ...(attribution === undefined ? {} : { attribution }),
    extra: { ...frame.extra, [IMPORT_DIGEST]: digest },
  };
  return { members, workspace, dataset, layerName: (place) => `${name}_${place}` };
}

type Provider = LayerOptions['providers'][number];

function withoutAbsent({ name, description, roles, url }: Provider) {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(roles === undefined ? {} : { roles }),
    ...(url === undefined ? {} : { url }),
  };
}
