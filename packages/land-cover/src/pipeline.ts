import type { Pipeline } from '@headwater/core';
import { definePipeline, EXAMPLE_PLACE, openFiles, type Result, type Work } from '@headwater/layer-kit';
import { LULC_METHOD_VERSION } from './method/thresholds.ts';
import { classifyYears, correctClasses } from './run/composites.ts';
import { deliverable } from './items/deliverable.ts';
import { LULC_SHEET } from './items/lulc-sheet.ts';
import { inputsOf, presentInputs } from './run/inputs.ts';
import { writeSceneLists } from './items/scene-list.ts';
import { loadJob } from './run/job.ts';
import { zonalYears } from './run/zonal.ts';
import { writeRasters } from './run/rasters.ts';
import { lulcRequest, lulcRunParams, type LulcRequest, type LulcRunParams } from './request/request.ts';
import { resolveLulc, resolveRegion } from './request/resolve.ts';
import { findScenes } from './run/scenes.ts';
import { LULC_SETTINGS, type LulcSettings } from './run/settings.ts';

const { eoAccountId, ...PLACE } = EXAMPLE_PLACE;
const exampleOf = (year: number): LulcRequest => ({ ...PLACE, startYear: year, endYear: year, eoAccountId });
const EXAMPLES = [
  { name: 'start', request: exampleOf(2021) },
  { name: 'wait', request: exampleOf(2022) },
] as const;

const STEPS = [
  { name: 'find_scenes', weight: 3 },
  { name: 'composites', weight: 70 },
  { name: 'temporal_correction', weight: 3 },
  { name: 'write_rasters', weight: 14 },
  { name: 'zonal', weight: 4 },
  { name: 'publish', weight: 6 },
];

/** Land use and land cover of a tehsil: a raster per hydrological year, and class areas per micro-watershed. */
export const lulcPipeline = createLulcPipeline();

/** The land-cover pipeline with other settings than the usual ones. */
export function createLulcPipeline(change: Partial<LulcSettings> = {}): Pipeline<LulcRequest, LulcRunParams> {
  const settings = { ...LULC_SETTINGS, ...change };
  return definePipeline<LulcRequest, LulcRunParams>({
    name: 'lulc_for_tehsil',
    aliases: ['lulc_v3'],
    method: LULC_METHOD_VERSION,
    summary:
      'Computes land use and land cover of a tehsil, one raster per hydrological year, with class areas per micro-watershed.',
    examples: EXAMPLES,
    keywords: ['land cover'],
    data: [LULC_SHEET],
    request: lulcRequest,
    resolve: resolveLulc,
    regions: { scheme: 'indiasat', resolve: resolveRegion },
    params: lulcRunParams,
    steps: STEPS,
    fingerprint: (p) => {
      const of =
        'region' in p
          ? [p.region.join(','), p.startYear, p.endYear]
          : [p.tehsilId, p.startYear, p.endYear, p.eoAccountId];
      return ['lulc', LULC_METHOD_VERSION, ...of, settings.maxCloudCover].join(':');
    },
    inputs: (params, ports, signal) =>
      presentInputs(params, { ports, context: { signal, log: () => {}, progress: () => {} }, settings }),
    run: (work) => run(work, settings),
  });
}

async function run(work: Work<LulcRunParams>, settings: LulcSettings): Promise<Result> {
  const { clock, params, ports, context, keep } = work;
  const job = await loadJob(params, ports);
  context.log(
    `Land cover of ${job.place.tehsil.name}, hydrological years ${params.startYear} to ${params.endYear}, method ${LULC_METHOD_VERSION}`,
  );
  const years = await clock.step('find_scenes', () => findScenes(job, { ports, context, settings }));
  const classified = await clock.step('composites', () => classifyYears(job, years, { ports, context, keep }));
  const computed = await clock.step('temporal_correction', () => correctClasses(classified, { ports, context, keep }));
  const tools = { ports, context, files: await openFiles(ports, context.run) };
  const rasters = await clock.step('write_rasters', () => writeRasters(job, computed, tools));
  const areas = await clock.step('zonal', () => zonalYears(job, rasters, tools));
  const made = await clock.step('publish', async ({ progress }) => {
    const sceneLists = await writeSceneLists(job, rasters, tools);
    return deliverable({ rasters, areas }, { ...tools, job, corrected: computed.corrected, sceneLists }, progress);
  });
  return {
    ...made,
    timings: { decoded_pixels: computed.decodedPixels },
    // A map that lacks scenes whose servers did not answer is no answer to a later request.
    isWhole: computed.results.every(({ missing }) => missing.length === 0),
    inputs: await inputsOf(job, years),
  };
}
