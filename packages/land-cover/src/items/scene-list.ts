import { fileName, type StoredFile } from '@headwater/core';
import type { ItemId } from '@headwater/stac';
import type { LulcJob } from '../run/scenes.ts';
import { rasterItemId, vectorItemId } from '../run/names.ts';
import type { WriteTools, YearRaster } from '../run/rasters.ts';
import { MAX_DERIVED_LINKS, publicHref, scenesOf } from './provenance.ts';

/** Files that list scenes, for Items with more scenes than `MAX_DERIVED_LINKS`, by Item id. */
export type SceneLists = ReadonlyMap<ItemId, StoredFile>;

/**
 * Writes a file for each Item with more scenes than the limit: `{item, scene_count, scenes: [{id, datetime, href}]}`. `href` is null for scenes on
 * the disk of the server.
 */
export async function writeSceneLists(
  job: LulcJob,
  rasters: readonly YearRaster[],
  { files }: Pick<WriteTools, 'files'>,
): Promise<SceneLists> {
  const sources: readonly (readonly [ItemId, readonly YearRaster[]])[] = [
    ...rasters.map((year) => [rasterItemId(job.slugs, year.result.year), [year]] as const),
    [vectorItemId(job.slugs), rasters],
  ];
  const lists = new Map<ItemId, StoredFile>();
  for (const [item, years] of sources) {
    const scenes = scenesOf(years).map(({ id, datetime, itemHref }) => ({ id, datetime, href: publicHref(itemHref) }));
    if (scenes.length <= MAX_DERIVED_LINKS) continue;
    const text = JSON.stringify({ item, scene_count: scenes.length, scenes });
    lists.set(item, await files.write(`${fileName(item)}_scenes.json`, text));
  }
  return lists;
}
