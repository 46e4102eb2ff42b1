import type { TehsilNames } from '@headwater/core';
import { collectionPath } from '@headwater/stac';
import type { ServiceDeps } from '../../deps.ts';
import { creditsOf } from '../../layers/credits.ts';
import type { LayerSummary } from '../../layers/layer-summaries.ts';
import type { ShownSource } from '../../pages/report/sections.ts';
import { createAddresses } from '../../wire/addresses.ts';
import { pageLinks } from './links.ts';

/** Items of the tehsil that are looked at for those that tell of tables. */
const LOOKED_AT = 200;

/** What was published, as tables and series note it. */
interface Published {
  readonly name: string;
  readonly runId: string;
  readonly publishedAt: string;
  /** Undefined for series, which have none: then an Item of the same run tells of it. */
  readonly itemId?: string | null;
}

/** Where figures of a tehsil come from. */
export interface ReportSources {
  readonly of: (published: Published) => ShownSource;
  /** True where one of those that were asked for was made of generated data. */
  readonly isSynthetic: () => boolean;
  /** Whom the sources are owed to that were asked for. */
  readonly credits: () => readonly string[];
  /** The catalogue's page of the tehsil; undefined where it has no Items. */
  readonly collection: string | undefined;
}

/** Reads the Items of a tehsil once. */
export async function reportSources(deps: ServiceDeps, names: TehsilNames): Promise<ReportSources> {
  const { stores, summaries, baseUrl, publication } = deps;
  const path = collectionPath(names.state, names.district, names.tehsil);
  const layers = await summaries.of(await stores.catalog.listOf(path, { limit: LOOKED_AT, offset: 0 }));
  const { here } = pageLinks(baseUrl);
  const addresses = createAddresses(baseUrl);
  const used = new Set<LayerSummary>();
  return {
    of: ({ name, runId, publishedAt, itemId }) => {
      const layer =
        itemId === undefined
          ? layerOfSeries(
              name,
              layers.filter((each) => each.runId === runId),
            )
          : layers.find(({ id }) => id === itemId);
      if (layer !== undefined) used.add(layer);
      const href = layer === undefined ? undefined : here(addresses.item(layer.collectionPath, layer.id));
      return { title: layer?.title ?? name, href, publishedAt };
    },
    isSynthetic: () => Array.from(used).some((layer) => layer.isSynthetic),
    credits: () => creditsOf(publication, [...used]),
    collection: layers.length === 0 ? undefined : here(addresses.collection(path)),
  };
}

/** Of the layers of its run the one that a series belongs to: its id has every word of the series' name; else the first. */
function layerOfSeries(name: string, layers: readonly LayerSummary[]): LayerSummary | undefined {
  const words = name.split('_');
  const own = layers.find(({ id }) => words.every((word) => id.split('_').includes(word)));
  return own ?? layers[0];
}
