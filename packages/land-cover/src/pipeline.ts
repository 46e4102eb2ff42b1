import type { Deliverable, Pipeline, PipelineContext, PipelinePorts } from '@headwater/core';
import { createStepClock, openFiles } from '@headwater/layer-kit';
import type { ScratchRaster } from '@headwater/core/pixel-plan';
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

/** What does not depend on settings. */
const PIPELINE: Omit<Pipeline<LulcRequest, LulcRunParams>, 'execute' | 'inputs'> = {
  name: 'lulc_for_tehsil',
  route: 'lulc_for_tehsil',
  aliases: ['lulc_v3'],
  summary:
    'Computes land use and land cover of a tehsil, one raster per hydrological year, with class areas per micro-watershed.',
  examples: [
    { name: 'start', request: exampleRequest(2021) },
    { name: 'wait', request: exampleRequest(2022) },
  ],
  messages: { initiated: 'lulc_for_tehsil task initiated', finished: 'lulc_for_tehsil finished' },
  keywords: ['land cover'],
  data: [LULC_SHEET],
  request: lulcRequest,
  resolve: resolveLulc,
  regions: { scheme: 'indiasat', resolve: resolveRegion },
  params: lulcRunParams,
  steps: [
    { name: 'find_scenes', weight: 3 },
    { name: 'composites', weight: 70 },
    { name: 'temporal_correction', weight: 3 },
    { name: 'write_rasters', weight: 14 },
    { name: 'zonal', weight: 4 },
    { name: 'publish', weight: 6 },
  ],
  fingerprint: (p) => {
    const of =
      'region' in p
        ? [p.region.join(','), p.startYear, p.endYear]
        : [p.tehsilId, p.startYear, p.endYear, p.eoAccountId];
    return ['lulc', LULC_METHOD_VERSION, ...of].join(':');
  },
};

/** Land use and land cover of a tehsil: a raster per hydrological year, and class areas per micro-watershed. */
export const lulcPipeline = createLulcPipeline();

/** The land-cover pipeline with other settings than the usual ones. */
export function createLulcPipeline(change: Partial<LulcSettings> = {}): Pipeline<LulcRequest, LulcRunParams> {
  const settings = { ...LULC_SETTINGS, ...change };
  return {
    ...PIPELINE,
    fingerprint: (params) => [PIPELINE.fingerprint(params), settings.maxCloudCover].join(':'),
    inputs: (params, ports, signal) =>
      presentInputs(params, { ports, context: { signal, log: () => {}, progress: () => {} }, settings }),
    execute: (params, ports, context) => execute(params, { ports, context, settings }),
  };
}

/** On the place of the conformance suites. */
function exampleRequest(year: number): LulcRequest {
  const place = { state: 'Sample State', district: 'Sample District', tehsil: 'Sample Tehsil' };
  return { ...place, startYear: year, endYear: year, eoAccountId: 1 };
}

interface ExecuteTools {
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
  readonly settings: LulcSettings;
}

async function execute(input: LulcRunParams, tools: ExecuteTools): Promise<Deliverable> {
  const scratch: ScratchRaster[] = [];
  const keep = (rasters: readonly ScratchRaster[]): void => void scratch.push(...rasters);
  try {
    return await run(input, { ...tools, keep });
  } finally {
    await tools.ports.pixels.release(scratch);
  }
}

interface RunTools extends ExecuteTools {
  readonly keep: (rasters: readonly ScratchRaster[]) => void;
}

async function run(input: LulcRunParams, { ports, context, settings, keep }: RunTools): Promise<Deliverable> {
  const clock = createStepClock(ports, context);
  const job = await loadJob(input, ports);
  context.log(
    `Land cover of ${job.place.tehsil.name}, hydrological years ${input.startYear} to ${input.endYear}, method ${LULC_METHOD_VERSION}`,
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
  const result = { ...made, timings: { ...clock.seconds(), decoded_pixels: computed.decodedPixels } };
  // A map that lacks scenes whose servers did not answer is no answer to a later request.
  const isWhole = computed.results.every(({ missing }) => missing.length === 0);
  return isWhole ? { ...result, inputs: await inputsOf(job, years) } : result;
}
