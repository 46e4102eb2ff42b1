import { type Scene, fileName, type StoredFile } from '@headwater/core';
import { itemFrame, itemTitle, type LayerDraft, timesOfYears } from '@headwater/layer-kit';
import type { ItemId } from '@headwater/stac';
import { LULC_METHOD_VERSION } from '../method/thresholds.ts';
import type { LulcJob } from '../run/scenes.ts';
import { rasterItemId, vectorItemId } from '../run/names.ts';
import { addCounts, type WriteTools, type YearRaster } from '../run/rasters.ts';
import { describe, type DescribedFacts, rasterIntro, vectorIntro } from './description.ts';
import { derivedFrom, scenesOf, skippedScenes, MAX_DERIVED_LINKS, publicHref } from './provenance.ts';

/** Credit required by the licence of Sentinel data ("Legal notice on the use of Copernicus Sentinel Data"). */
const COPERNICUS = 'Contains modified Copernicus Sentinel data';

const SYNTHETIC = 'Synthetic scenes, made by a program: no satellite took them';

function attributionOf(scenes: readonly Scene[]): string {
  const years = scenes.filter(({ synthetic }) => !synthetic).map(({ datetime }) => datetime.slice(0, 4));
  const [first, last] = [years.toSorted()[0], years.toSorted().at(-1)];
  if (first === undefined || last === undefined) return SYNTHETIC;
  return `${COPERNICUS} ${first === last ? first : `${first}-${last}`}`;
}

/** Dependencies for publishing the layers of one run. */
export interface PublishTools extends WriteTools {
  readonly job: LulcJob;
  /** True if temporal correction was applied. */
  readonly corrected: boolean;
  readonly sceneLists: SceneLists;
}

/** Years and kind of an Item. */
export interface Coverage {
  readonly from: number;
  readonly to: number;
  readonly years: readonly YearRaster[];
  readonly kind: 'raster' | 'vector';
}

/** Returns all members of an Item except those made from its files. */
export function sharedMembers(tools: PublishTools, cover: Coverage): LayerDraft['members'] {
  const { job, ports, context, corrected } = tools;
  const { place, slugs } = job;
  const { from, to, years, kind } = cover;
  const scenes = scenesOf(years);
  const synthetic = scenes.some((scene) => scene.synthetic);
  const counts = addCounts(years.map((y) => y.counts));
  const missing = [...new Set(years.flatMap(({ result }) => result.missing))];
  const facts: DescribedFacts = {
    placeName: place.tehsil.name,
    from,
    to,
    synthetic,
    corrected,
    runYears: job.years.length,
    counts,
    scenes: new Set(years.flatMap(({ result }) => result.scenes.map((s) => s.id))).size,
    missing: missing.length,
  };
  const id = kind === 'raster' ? rasterItemId(slugs, from) : vectorItemId(slugs);
  const list = tools.sceneLists.get(id);
  const frame = itemFrame({
    id,
    job,
    ports,
    runId: context.run.id,
    method: LULC_METHOD_VERSION,
    lineage: `Rules on 16-day composites of ${synthetic ? 'synthetic scenes in the form of ' : ''}Sentinel-2 L2A, method ${LULC_METHOD_VERSION}; ${corrected ? 'temporal correction over the years of the run' : 'no temporal correction'}`,
    keywords: ['land use', 'land cover', 'cropping'],
    synthetic,
  });
  const shown = kind === 'raster' ? 'Land use and land cover' : 'Land use and land cover per micro-watershed';
  return {
    ...frame,
    title: itemTitle(shown, { place: place.tehsil.name, years: [from, to], synthetic }),
    description: describe(facts, kind === 'raster' ? rasterIntro(facts) : vectorIntro(facts)),
    ...timesOfYears([from, to]),
    attribution: attributionOf(scenes),
    derivedFrom: derivedFrom(scenes, list === undefined ? undefined : ports.addresses.file(list.key)),
    extra: {
      ...frame.extra,
      'headwater:temporal_correction': corrected,
      'headwater:scene_count': scenes.length,
      'headwater:skipped_scenes': skippedScenes(years),
      'headwater:missing_scenes': missing,
      'headwater:pixels_computed': counts.computed,
      'headwater:pixels_insufficient': counts.insufficient,
      'headwater:pixels_filled': counts.filled,
      'headwater:pixels_corrected': counts.corrected,
    },
  };
}

/** Files that list the scenes of Items with more than `MAX_DERIVED_LINKS` scenes. */
type SceneLists = ReadonlyMap<ItemId, StoredFile>;

/**
 * Writes a file for each Item with more than `MAX_DERIVED_LINKS` scenes: `{item, scene_count, scenes: [{id, datetime,
 * href}]}`. `href` is null for scenes on the disk of the server.
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
