import type { CatalogStore, ItemVersion } from '@headwater/core/ports';
import { dropOldest, isObject } from '@headwater/core/values';
import type { PublishedItem } from '@headwater/core';
import { SYNTHETIC_NOTICE } from '@headwater/core/pipelines';
import type { ShownClass } from '../pages/chart.ts';
import { assetsOf, legendOf, objectsIn, previewOf, textAt } from './read-item.ts';

/** Summary of an Item's version for lists of layers. Addresses contain the placeholder for the base address. */
export interface LayerSummary extends ItemVersion {
  readonly title: string;
  /** Title of the Item's Collection. */
  readonly place: string | undefined;
  readonly preview: string | undefined;
  /** West, south, east, north in degrees; empty if the Item has none. */
  readonly box: readonly number[];
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly published: string | undefined;
  readonly isVector: boolean;
  /** First keyword; lists group layers by it. */
  readonly theme: string | undefined;
  readonly keywords: readonly string[];
  /** Credit of the layer's sources. */
  readonly attribution: string | undefined;
  /** SPDX identifier of the licence. */
  readonly license: string | undefined;
  /** True if the Item's description begins with the notice for synthetic data. */
  readonly isSynthetic: boolean;
  readonly classes: readonly ShownClass[];
}

/** Reads summaries of Items' versions. */
export interface LayerSummaries {
  /**
   * Summaries in the given order. If a version is not cached, its Item is read: the summary is of the Item's present
   * version, and a deleted Item is left out.
   */
  of(versions: readonly ItemVersion[]): Promise<readonly LayerSummary[]>;
}

const MAX_CACHED = 2000;

/** Creates a cache of summaries. A cached summary stays valid, because a version never changes. */
export function createLayerSummaries(catalog: Pick<CatalogStore, 'item'>): LayerSummaries {
  const cached = new Map<string, LayerSummary>();
  const read = async ({ collectionPath, id }: ItemVersion): Promise<LayerSummary | undefined> => {
    const published = await catalog.item(collectionPath, id);
    if (published === undefined) return undefined;
    const summary = summaryOf(published);
    cached.set(keyOf(published), summary);
    dropOldest(cached, MAX_CACHED);
    return summary;
  };
  return {
    of: async (versions) => {
      const found = await Promise.all(
        versions.map(async (version) => cached.get(keyOf(version)) ?? (await read(version))),
      );
      return found.filter((summary) => summary !== undefined);
    },
  };
}

function keyOf({ collectionPath, id, version, runId }: ItemVersion): string {
  return `${collectionPath}/${id}/${version}/${runId}`;
}

function summaryOf({ id, collectionPath, version, runId, item }: PublishedItem): LayerSummary {
  const assets = assetsOf(item);
  return {
    id,
    collectionPath,
    version,
    runId,
    title: textAt(item, 'properties', 'title') ?? id,
    place: textAt(
      objectsIn(item['links']).find(({ rel }) => rel === 'collection'),
      'title',
    ),
    preview: previewOf(assets)?.href,
    box: Array.isArray(item['bbox']) ? item['bbox'].map(Number) : [],
    start: textAt(item, 'properties', 'start_datetime'),
    end: textAt(item, 'properties', 'end_datetime'),
    published: textAt(item, 'properties', 'datetime'),
    isVector: assets.some(({ key, type }) => key === 'data' && type.startsWith('application/geo+json')),
    theme: keywordsOf(item)[0],
    keywords: keywordsOf(item),
    attribution: textAt(item, 'properties', 'attribution'),
    license: textAt(item, 'properties', 'license'),
    isSynthetic: textAt(item, 'properties', 'description')?.startsWith(SYNTHETIC_NOTICE) === true,
    classes: legendOf(assets),
  };
}

function keywordsOf({ properties }: PublishedItem['item']): readonly string[] {
  const words: readonly unknown[] =
    isObject(properties) && Array.isArray(properties['keywords']) ? properties['keywords'] : [];
  return words.filter((word) => typeof word === 'string' && word !== '').map(String);
}
