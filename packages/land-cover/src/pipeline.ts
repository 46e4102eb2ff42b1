import {
  createStepClock,
  type Deliverable,
  openFiles,
  type Pipeline,
  type PipelineContext,
  type PipelinePorts,
} from '@headwater/core';
import type { ScratchRaster } from '@headwater/core/pixel-plan';
import { LULC_METHOD_VERSION } from './method/thresholds.ts';
import { classifyYears, correctClasses } from './run/composites.ts';
import { deliverable } from './items/deliverable.ts';
import type { SideFiles } from './items/item-assets.ts';
import { writeStyles, writeThumbnails, writeVector } from './items/layer-files.ts';
import { inputsOf, presentInputs } from './run/inputs.ts';
import { loadJob } from './run/job.ts';
import { zonalYears } from './run/zonal.ts';
import { writeRasters } from './run/rasters.ts';
import { lulcParams, lulcRequest, type LulcParams, type LulcRequest } from './request/request.ts';
import { resolveLulc } from './request/resolve.ts';
import { findScenes } from './run/scenes.ts';

/** Land use and land cover of a tehsil: a raster per hydrological year, and class areas per micro-watershed. */
export const lulcPipeline: Pipeline<LulcRequest, LulcParams> = {
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
  request: lulcRequest,
  resolve: resolveLulc,
  params: lulcParams,
  steps: [
    { name: 'find_scenes', weight: 3 },
    { name: 'composites', weight: 70 },
    { name: 'temporal_correction', weight: 3 },
    { name: 'write_rasters', weight: 14 },
    { name: 'zonal', weight: 4 },
    { name: 'vector', weight: 1 },
    { name: 'styles', weight: 1 },
    { name: 'thumbnails', weight: 3 },
    { name: 'items', weight: 1 },
  ],
  fingerprint: (p) => ['lulc', LULC_METHOD_VERSION, p.tehsilId, p.startYear, p.endYear, p.eoAccountId].join(':'),
  inputs: presentInputs,
  execute,
};

/** On the place of the conformance suites. */
function exampleRequest(year: number): LulcRequest {
  const place = { state: 'Sample State', district: 'Sample District', tehsil: 'Sample Tehsil' };
  return { ...place, startYear: year, endYear: year, eoAccountId: 1 };
}

async function execute(input: LulcParams, ports: PipelinePorts, context: PipelineContext): Promise<Deliverable> {
  const scratch: ScratchRaster[] = [];
  const keep = (rasters: readonly ScratchRaster[]): void => void scratch.push(...rasters);
  try {
    return await run(input, { ports, context, keep });
  } finally {
    await ports.pixels.release(scratch);
  }
}

interface RunTools {
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
  readonly keep: (rasters: readonly ScratchRaster[]) => void;
}

async function run(input: LulcParams, { ports, context, keep }: RunTools): Promise<Deliverable> {
  const clock = createStepClock(ports, context);
  const job = await loadJob(input, ports);
  context.log(
    `Land cover of ${job.place.tehsil.name}, hydrological years ${input.startYear} to ${input.endYear}, method ${LULC_METHOD_VERSION}`,
  );
  const years = await clock.step('find_scenes', () => findScenes(job, ports, context));
  const classified = await clock.step('composites', () => classifyYears(job, years, { ports, context, keep }));
  const computed = await clock.step('temporal_correction', () => correctClasses(classified, { ports, context, keep }));
  const tools = { ports, context, files: await openFiles(ports, context.run) };
  const rasters = await clock.step('write_rasters', () => writeRasters(job, computed, tools));
  const areas = await clock.step('zonal', () => zonalYears(job, rasters, tools));
  const vector = await clock.step('vector', () => writeVector(job, areas, tools));
  const styles = await clock.step('styles', () => writeStyles(job, vector, tools));
  const pngs = await clock.step('thumbnails', () => writeThumbnails(job, { rasters, vector }, tools));
  const sides = styles.flatMap((style, i): SideFiles[] => {
    const png = pngs[i];
    return png === undefined ? [] : [{ ...style, png }];
  });
  const itemTools = { job, ports, context, corrected: computed.corrected };
  const made = await clock.step('items', () => Promise.resolve(deliverable({ rasters, vector, sides }, itemTools)));
  const inputs = await inputsOf(job, years);
  return { ...made, inputs, timings: { ...clock.seconds(), decoded_pixels: computed.decodedPixels } };
}
