import type { CatalogStore, ItemVersion } from '@headwater/core/ports';
import { isObject } from '@headwater/core/values';
import type { PublishedItem } from '@headwater/core';
import { SYNTHETIC_NOTICE } from '@headwater/core/pipelines';
import type { ShownClass } from '../pages/chart.ts';
import { assetsOf, legendOf, objectsIn, previewOf, textAt } from './read-item.ts';

/** What lists of layers show of a version of an Item; hrefs as stored. */
export interface LayerSummary extends ItemVersion {
  readonly title: string;
  /** Title of its Collection, as the Item has it. */
  readonly place: string | undefined;
  readonly preview: string | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly published: string | undefined;
  readonly isVector: boolean;
  /** First of its keywords: layers of one theme stand together. */
  readonly theme: string | undefined;
  /** Whom its sources are owed to, as the Item says it. */
  readonly attribution: string | undefined;
  /** SPDX identifier, as the Item has it. */
  readonly license: string | undefined;
  /** True for what was made of generated data, as its description begins. */
  readonly isSynthetic: boolean;
  /** Of the picture. */
  readonly classes: readonly ShownClass[];
}

/** Summaries by versions of Items. */
export interface LayerSummaries {
  /** In the order asked for; an Item that is gone by now is left out. */
  of(versions: readonly ItemVersion[]): Promise<readonly LayerSummary[]>;
}

/** About a kilobyte each. */
const MOST_KEPT = 2000;

/** Reads each version once and keeps what lists show of it: a version never changes, and an Item is twenty times as large. */
export function createLayerSummaries(catalog: Pick<CatalogStore, 'item'>): LayerSummaries {
  const kept = new Map<string, LayerSummary>();
  const read = async ({ collectionPath, id }: ItemVersion): Promise<LayerSummary | undefined> => {
    const published = await catalog.item(collectionPath, id);
    if (published === undefined) return undefined;
    const summary = summaryOf(published);
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(keyOf(published), summary);
    return summary;
  };
  return {
    of: async (versions) => {
      const found = await Promise.all(
        versions.map(async (version) => kept.get(keyOf(version)) ?? (await read(version))),
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
    start: textAt(item, 'properties', 'start_datetime'),
    end: textAt(item, 'properties', 'end_datetime'),
    published: textAt(item, 'properties', 'datetime'),
    isVector: assets.some(({ key, type }) => key === 'data' && type.startsWith('application/geo+json')),
    theme: themeOf(item),
    attribution: textAt(item, 'properties', 'attribution'),
    license: textAt(item, 'properties', 'license'),
    isSynthetic: textAt(item, 'properties', 'description')?.startsWith(SYNTHETIC_NOTICE) === true,
    classes: legendOf(assets),
  };
}

function themeOf({ properties }: PublishedItem['item']): string | undefined {
  const [first]: readonly unknown[] =
    isObject(properties) && Array.isArray(properties['keywords']) ? properties['keywords'] : [];
  return typeof first === 'string' && first !== '' ? first : undefined;
}
