import {
  type ComputedPlace,
  type LayerNeed,
  outputGrid,
  type Pipeline,
  type PlaceSlugs,
  requestOfPlace,
  type ScratchRaster,
  type WorkContext,
} from '@headwater/core';
import {
  isGridAround,
  isOutputGrid,
  layerPipeline,
  type LayerWork,
  outputOf,
  placeExamples,
} from '@headwater/layer-kit';
import type { CoveredTerrain } from '../../zones/land-cover-by-terrain.ts';
import { resolveWithMws, terrainBasics } from '../dem/place-pipeline.ts';
import { BLOCKS } from '../dem/run-block.ts';
import { landformsNeed } from '../terrain-raster/pipeline.ts';
import { TERRAIN_RASTER, TERRAIN_WORKSPACE } from '../terrain-raster/pipeline.ts';
import { labelsOf } from './block.ts';
import { publishTerrainLulc } from './publish.ts';
import {
  terrainLulcParams,
  type TerrainLulcParams,
  terrainLulcRequest,
  type TerrainLulcRequest,
} from './terrain-rows.ts';

/** First and last hydrological year. */
export interface Years {
  readonly startYear: number;
  readonly endYear: number;
}

/** The pipeline of the yearly land-cover rasters (classes 0 to 12). */
export interface LandCoverMaker {
  /** Name; requests have a place, an account and `Years`. */
  readonly pipeline: string;
  readonly workspace: string;
  /** Layer name of a hydrological year. */
  readonly layerName: (slugs: PlaceSlugs, year: number) => string;
  /** Throws `validation`, which names the field, for years without land cover. */
  readonly checkYears: (years: Years, now: Date) => void;
}

/**
 * Computes the codes of land cover by landform. Each pixel of land cover (about 10 m) gets the landform (about 30 m) at
 * its centre.
 */
async function makeCodes(
  { sources, job, ports, keep }: Pick<LayerWork<unknown>, 'sources' | 'job' | 'ports' | 'keep'>,
  step: WorkContext,
): Promise<ScratchRaster> {
  const grid = outputGrid(job.box);
  const inputs: Record<string, ScratchRaster> = {};
  for (const [index, { path }] of sources.entries()) {
    const read = await ports.pixels.read(
      { path, grid, type: 'uint8', resampling: 'nearest', nodata: 0 },
      { signal: step.signal, progress: (share) => step.progress((0.8 * (index + share)) / sources.length) },
    );
    keep([read]);
    inputs[index === 0 ? 'landforms' : labelsOf(index - 1)] = read;
  }
  const block = { module: BLOCKS, export: 'terrainLulcBlock', params: {} };
  const combined = await ports.pixels.combine(
    { kind: 'combine', grid, inputs, block, outputs: [{ name: 'codes' }] },
    { signal: step.signal, progress: (share) => step.progress(0.8 + 0.2 * share) },
  );
  keep(Object.values(combined));
  return outputOf(combined, 'codes');
}

/** Creates the pipelines of land cover on slopes and plains, from the land cover of `maker`. */
export const createTerrainLulcPipelines = (maker: LandCoverMaker) =>
  [terrainLulcPipeline('slope', maker), terrainLulcPipeline('plain', maker)] as const;

function terrainLulcPipeline(
  terrain: CoveredTerrain,
  maker: LandCoverMaker,
): Pipeline<TerrainLulcRequest, TerrainLulcParams> {
  const basics = terrainBasics(`terrain_lulc_${terrain}_cluster`, 'terrain-lulc-2');
  return layerPipeline<TerrainLulcRequest, TerrainLulcParams>({
    ...basics,
    listing: { title: `Land cover on ${terrain}s by micro-watershed`, theme: 'Terrain' },
    summary: `Computes the land cover on the ${terrain}s of each micro-watershed from the terrain raster and the published land cover of years.`,
    examples: placeExamples({ startYear: 2021, endYear: 2021 }),
    keywords: ['terrain', 'land cover'],
    data: [`terrain_lulc_${terrain}`],
    request: terrainLulcRequest,
    params: terrainLulcParams,
    resolve: async (request, ports) => {
      const { startYear, endYear } = request;
      maker.checkYears({ startYear, endYear }, ports.now());
      return { ...(await resolveWithMws(request, ports)), startYear, endYear };
    },
    fingerprint: (params) => [basics.fingerprint(params), params.startYear, params.endYear].join(':'),
    dependsOn: [TERRAIN_RASTER, maker.pipeline],
    needs: (job, params) => needsOf(params, { job, maker }),
    gridOf: ({ workspace }) => (workspace === TERRAIN_WORKSPACE ? isGridAround : isOutputGrid),
    steps: [
      { name: 'combine', weight: 6 },
      { name: 'zonal', weight: 3 },
      { name: 'publish', weight: 1 },
    ],
    run: async (work) => {
      const codes = await work.clock.step('combine', (step) => makeCodes(work, step));
      const [landforms, ...years] = work.sources;
      work.context.log(
        `Land cover on ${terrain}s: ${years.length} years on the landforms of run ${landforms?.runId ?? ''}`,
      );
      return publishTerrainLulc({ terrain, codes }, work);
    },
  });
}

/** Layers that a run needs. All years have the same request, because one run computes all years. */
function needsOf(
  { startYear, endYear, eoAccountId }: TerrainLulcParams,
  { job, maker }: { readonly job: ComputedPlace; readonly maker: LandCoverMaker },
): readonly LayerNeed[] {
  const { pipeline, workspace } = maker;
  const request = { ...requestOfPlace(job, eoAccountId), startYear, endYear };
  const years = Array.from({ length: endYear - startYear + 1 }, (_, index) => startYear + index);
  const { id: tehsilId } = job.place.tehsil;
  const yearly = { kind: 'layer', workspace, tehsilId, place: job, pipeline, request } as const;
  return [
    landformsNeed(job, eoAccountId),
    ...years.map((year): LayerNeed => ({ ...yearly, layerName: maker.layerName(job.slugs, year) })),
  ];
}
