import { regionPath } from '@headwater/core/places';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import { newestLayers } from '../../../items/publications.ts';
import { itemAddress } from '../../../items/public-item.ts';
import type { LayerSummary } from '../../../layers/layer-summaries.ts';
import { absent } from '../../../wire/absent.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { paths } from '../../../wire/paths.ts';
import type { RegionBody, RegionPage } from '../schemas/regions.ts';

const DAY_MS = 86_400_000;

/** Days from a region's last publication until its removal; null: never. */
export function keptDays({ workService }: Ports<'workService'>): number | null {
  const { keepRegionsMs } = workService;
  return keepRegionsMs === 0 ? null : keepRegionsMs / DAY_MS;
}

/** A page of regions, newest first. */
export async function regionPage(
  deps: Ports<'baseUrl' | 'stores' | 'summaries' | 'workService'>,
  before: string | undefined,
): Promise<z.infer<typeof RegionPage>> {
  const { layers, older } = await newestLayers(deps, { of: 'regions', before });
  const regions = Map.groupBy(layers, ({ collectionPath }) => collectionPath);
  return {
    kept_days: keptDays(deps),
    next: older === undefined ? null : `${deps.baseUrl}${paths.regions}?before=${encodeURIComponent(older)}`,
    results: [...regions].map(([path, found]) => regionBody(path, found, deps)),
  };
}

const MOST_ITEMS = 200;

/**
 * A region with at most 200 Items: those without years, then the latest years first. Throws `not_found` if nothing is
 * published for the region.
 */
export async function regionOf(
  { stores, summaries, baseUrl }: Ports<'baseUrl' | 'stores' | 'summaries'>,
  id: string,
): Promise<z.infer<typeof RegionBody>> {
  const path = regionPath(id);
  const found = path === undefined ? [] : await stores.catalog.listOf(path, { limit: MOST_ITEMS, offset: 0 });
  const layers = await summaries.of(found);
  if (path === undefined || layers.length === 0) throw absent('region', { id });
  return regionBody(path, layers, { baseUrl });
}

function regionBody(
  path: string,
  layers: readonly LayerSummary[],
  { baseUrl }: Ports<'baseUrl'>,
): z.infer<typeof RegionBody> {
  const times = layers.flatMap(({ published }) => published ?? []).sort();
  return {
    id: path.split('/').at(-1) ?? '',
    bbox: [...(layers[0]?.box ?? [])],
    collection: createAddresses(baseUrl).collection(path),
    published_at: times.at(-1) ?? null,
    items: layers.map((layer) => ({ id: layer.id, title: layer.title, href: itemAddress(layer, baseUrl) })),
  };
}
