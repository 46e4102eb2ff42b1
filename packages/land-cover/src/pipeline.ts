import type { Pipeline, ZonalAreas } from '@headwater/core';
import { formerItem } from '@headwater/core/places';
import {
  definePipeline,
  EXAMPLE_PLACE,
  type RunOutput,
  joinOutputs,
  openFiles,
  publishVectorLayer,
  rasterSld,
  type Result,
  type Work,
} from '@headwater/layer-kit';
import { levelStyle, LULC_LEVELS } from './classes/levels.ts';
import { LULC_SHEET, lulcSheet } from './items/lulc-sheet.ts';
import { type AreasByYear, mwsColumns } from './items/mws-layer.ts';
import { mwsVector } from './items/mws-preview.ts';
import { writeSceneLists, type PublishTools, sharedMembers } from './items/shared-members.ts';
import { publishYear } from './items/year-layer.ts';
import { LULC_METHOD_VERSION } from './method/thresholds.ts';
import { lulcRequest, type LulcRequest, lulcRunParams, type LulcRunParams } from './request/request.ts';
import { resolveLulc, resolveRegion } from './request/resolve.ts';
import { agreeWithNeighbours, classifyYears, correctClasses, stepWork } from './run/composites.ts';
import { inputsOf, presentInputs } from './run/inputs.ts';
import { loadJob, type LulcJob } from './run/scenes.ts';
import { workGrid } from './run/work-grid.ts';
import { yearPlan } from './run/plan.ts';
import { newestYear } from './run/newest-year.ts';
import { levelWorkspace, VECTOR_DATASET, VECTOR_WORKSPACE, vectorItemId, vectorLayerName } from './run/names.ts';
import { writeRasters, type WriteTools, type YearRaster } from './run/rasters.ts';
import { findScenes } from './run/scenes.ts';
import { LULC_SETTINGS, type LulcSettings } from './run/year-scenes.ts';

interface Computed {
  readonly rasters: readonly YearRaster[];
  readonly areas: AreasByYear;
}

/** Publishes the raster of each year, the vector of areas and its sheet. */
async function deliverable(
  { rasters, areas }: Computed,
  tools: PublishTools,
  progress: (share: number) => void,
): Promise<RunOutput> {
  const parts: RunOutput[] = [];
  for (const year of rasters) {
    parts.push(await publishYear(year, tools));
    progress(parts.length / (rasters.length + 1));
  }
  const { job, context } = tools;
  if (job.region !== undefined) {
    context.log('A region has no micro-watersheds: one raster per year, no layer of areas');
    return { ...joinOutputs(parts), layers: [] };
  }
  if (job.mws.length === 0)
    context.log(`${job.place.tehsil.name} has no micro-watersheds: rasters only, no areas per micro-watershed`);
  else parts.push(await publishMws({ rasters, areas }, tools));
  return joinOutputs(parts);
}

function publishMws({ rasters, areas }: Computed, tools: PublishTools): Promise<RunOutput> {
  const { slugs, years, mws } = tools.job;
  const [from, to] = [years[0] ?? 0, years.at(-1) ?? 0];
  return publishVectorLayer(
    {
      members: sharedMembers(tools, { from, to, years: rasters, kind: 'vector' }),
      workspace: VECTOR_WORKSPACE,
      dataset: VECTOR_DATASET,
      layerName: vectorLayerName,
      ...mwsVector(mws, areas, to),
      columns: mwsColumns(years),
      tables: [lulcSheet(mws, areas)],
      formerly: formerItem(slugs, vectorItemId),
    },
    tools,
  );
}

/** Class areas of each year, hectares; empty if the tehsil has no MWS. */
async function zonalYears(
  job: LulcJob,
  rasters: readonly YearRaster[],
  { ports, context }: WriteTools,
): Promise<ReadonlyMap<number, ZonalAreas>> {
  const zones = job.mws.map((m) => ({ id: m.uid, geometry: m.geometry }));
  const areas = new Map<number, ZonalAreas>();
  if (zones.length === 0) return areas;
  for (const [index, { result, cog }] of rasters.entries()) {
    areas.set(
      result.year,
      await ports.pixels.zonal({ path: cog.path, zones }, stepWork(context, 'zonal', { index, of: rasters.length })),
    );
  }
  return areas;
}

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

/**
 * Pipeline of land use and land cover of a tehsil: a raster per hydrological year, and class areas per micro-watershed.
 */
export const lulcPipeline = createLulcPipeline();

/** Creates the land-cover pipeline with these settings. */
export function createLulcPipeline(change: Partial<LulcSettings> = {}): Pipeline<LulcRequest, LulcRunParams> {
  const settings = { ...LULC_SETTINGS, ...change };
  return definePipeline<LulcRequest, LulcRunParams>({
    name: 'lulc_for_tehsil',
    aliases: ['lulc_v3'],
    method: LULC_METHOD_VERSION,
    listing: {
      title: 'Land use and land cover by year',
      theme: 'Land cover',
      sources: ['Satellite images (Sentinel-2)'],
    },
    summary:
      'Computes land use and land cover of a tehsil, one raster per hydrological year, with class areas per micro-watershed.',
    examples: EXAMPLES,
    styles: LULC_LEVELS.map((level) => {
      const name = `lulc_level_${level}`;
      const sld = rasterSld(name, 'Land use and land cover', levelStyle(level));
      return { workspace: levelWorkspace(level), name, sld };
    }),
    keywords: ['land cover'],
    data: [LULC_SHEET],
    request: lulcRequest,
    resolve: resolveLulc,
    regions: {
      scheme: 'indiasat',
      resolve: resolveRegion,
      newestYear: (region, ports, signal) => newestYear(region, { ports, settings, signal }),
    },
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
    plans: async (params, ports, signal) => {
      const job = await loadJob(params, ports);
      const context = { signal, log: () => {}, progress: () => {} };
      const years = await findScenes(job, { ports, context, settings });
      const grid = workGrid(
        years.flatMap(({ scenes }) => scenes),
        job.box,
      );
      return years.map((year) => yearPlan(job, grid, year));
    },
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
  const compute = { ports, context, keep };
  const classified = await clock.step('composites', () => classifyYears(job, years, compute));
  const computed = await clock.step('temporal_correction', async () =>
    correctClasses(await agreeWithNeighbours(classified, compute), compute),
  );
  const tools = { ports, context, files: await openFiles(ports, context.run) };
  const rasters = await clock.step('write_rasters', () => writeRasters(job, computed, tools));
  const areas = await clock.step('zonal', () => zonalYears(job, rasters, tools));
  const published = await clock.step('publish', async ({ progress }) => {
    const sceneLists = await writeSceneLists(job, rasters, tools);
    return deliverable({ rasters, areas }, { ...tools, job, corrected: computed.corrected, sceneLists }, progress);
  });
  return {
    ...published,
    timings: { decoded_pixels: computed.decodedPixels },
    // A result with missing scenes is not whole, so that later requests do not reuse it.
    isWhole: computed.results.every(({ missing }) => missing.length === 0),
    inputs: await inputsOf(job, years),
  };
}
