import {
  type Box,
  boxPolygon,
  collectionIdOf,
  collectionOf,
  type PipelineContext,
  type PipelinePorts,
} from '@headwater/core';
import { instant, type ItemInput } from '@headwater/stac';
import { LULC_METHOD_VERSION } from '../method/thresholds.ts';
import type { LulcJob } from '../run/job.ts';
import { rasterItemId, vectorItemId } from '../run/names.ts';
import { addCounts, type YearRaster } from '../run/rasters.ts';
import { attributionOf } from './attribution.ts';
import { describe, rasterIntro, vectorIntro, type Honesty } from './description.ts';
import { derivedFrom, scenesOf, skippedScenes } from './provenance.ts';
import type { SceneLists } from './scene-list.ts';

/** What Items of one run share. */
export interface ItemTools {
  readonly job: LulcJob;
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
  readonly corrected: boolean;
  readonly sceneLists: SceneLists;
}

/** Years, box and kind of the Item at hand. */
export interface Coverage {
  readonly from: number;
  readonly to: number;
  readonly years: readonly YearRaster[];
  readonly box: Box;
  readonly kind: 'raster' | 'vector';
}

/** Everything but id, content and assets. */
export function sharedMembers(tools: ItemTools, cover: Coverage): Omit<ItemInput, 'id'> {
  const { job, ports, context, corrected } = tools;
  const { place, slugs } = job;
  const { from, to, years, kind } = cover;
  const scenes = scenesOf(years);
  const synthetic = scenes.some((scene) => scene.synthetic);
  const counts = addCounts(years.map((y) => y.counts));
  const missing = [...new Set(years.flatMap(({ result }) => result.missing))];
  const honesty: Honesty = {
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
  const path = collectionOf(slugs);
  const id = kind === 'raster' ? rasterItemId(slugs, from) : vectorItemId(slugs);
  const list = tools.sceneLists.get(id);
  const published = instant(ports.now());
  const note = synthetic ? ' (synthetic sample)' : '';
  return {
    geometry: boxPolygon(cover.box),
    title:
      kind === 'raster'
        ? `Land use and land cover of ${place.tehsil.name}: ${from}-${from + 1}${note}`
        : `Land use and land cover of ${place.tehsil.name} per micro-watershed${note}`,
    description: describe(honesty, kind === 'raster' ? rasterIntro(honesty) : vectorIntro(honesty)),
    start: instant(`${from}-07-01T00:00:00Z`),
    end: instant(`${to + 1}-06-30T00:00:00Z`),
    published,
    keywords: [
      'land use',
      'land cover',
      'cropping',
      place.tehsil.name,
      place.district.name,
      place.state.name,
      ...(synthetic ? ['synthetic'] : []),
    ],
    processing: {
      lineage: `Rules on 16-day composites of ${synthetic ? 'synthetic scenes in the form of ' : ''}Sentinel-2 L2A, method ${LULC_METHOD_VERSION}; ${corrected ? 'temporal correction over the years of the run' : 'no temporal correction'}`,
      software: { headwater: ports.version },
      version: LULC_METHOD_VERSION,
      datetime: published,
    },
    root: { href: ports.addresses.catalog(), title: 'Headwater STAC catalogue' },
    collection: { id: collectionIdOf(slugs), href: ports.addresses.collection(path), title: place.tehsil.name },
    self: ports.addresses.item(path, id),
    attribution: attributionOf(scenes),
    derivedFrom: derivedFrom(scenes, list === undefined ? undefined : ports.addresses.file(list.key)),
    extra: {
      'headwater:state': place.state.name,
      'headwater:district': place.district.name,
      'headwater:tehsil': place.tehsil.name,
      'headwater:run_id': context.run.id,
      'headwater:synthetic': synthetic,
      'headwater:method_version': LULC_METHOD_VERSION,
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
